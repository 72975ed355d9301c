"""The client: a mirror of the table, the bots, and the command line."""
