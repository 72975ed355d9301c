"""What is played in a simulated world: short games of every kind."""

from random import Random
from typing import Final

from acerace_rules.options import Value

SOLO_GAMES: Final = (
    "klondike",
    "klondike-three",
    "klondike-vegas",
    "double-solitaire",
    "russian",
    "easy-harp",
    "yukon",
)


def duel_options(random: Random) -> dict[str, Value]:
    """Any combination of what can be agreed on, except that the match must not be long."""
    passes: Value = random.choice(["unlimited", "1", "1"])
    options: dict[str, Value] = {
        "pace": random.choice(["simultaneous", "simultaneous", "alternating"]),
        "draw": random.choice([1, 3]),
        "second_draw": random.choice([0, 0, 0, 1, 3]),
        "passes": 1 if passes == "1" else passes,
        "turn": random.choice(["draw", "bicycle"]),
        "clear_bonus": random.choice(["off", "cards", "wins"]),
        "mirror": random.random() < 0.5,  # contested places in plenty
        "play_on": random.random() < 0.3,
        "grace_s": random.randint(5, 6),
        "no_progress_s": random.randint(10, 14),
        "clock_s": random.choice([6, 9, 14]),
    }
    if passes == "1" and random.random() < 0.5:
        options["clock_s"] = 0  # ends by itself, as every card is seen once
    return options
