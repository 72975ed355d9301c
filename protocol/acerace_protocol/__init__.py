"""The messages between client and server, and their bytes."""
