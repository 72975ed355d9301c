"""Each brings the schema from the version before to its own; none is changed once it was released."""
