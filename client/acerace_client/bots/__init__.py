"""Programs that play: anything with ``choose(view) -> Move | None``. Pure: they read no clock and throw no dice."""
