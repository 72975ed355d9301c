"""The referee as a machine without wires: messages and times in, messages out."""
