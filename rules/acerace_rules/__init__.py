"""What the referee knows: the games, their positions and their moves. Pure."""
