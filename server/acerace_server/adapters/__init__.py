"""One library each, behind the ports."""
