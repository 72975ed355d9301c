"""The server: a pure core, and the shell that gives it sockets, a clock and a disk."""
