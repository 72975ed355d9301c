"""The wires: sockets, HTTP, WebSockets and timers around the hub."""
