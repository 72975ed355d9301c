"""One library each, behind the ports; and ``jobs``, which does the core's slow work with them."""
