"""Every game as one value, with its options and presets (RULES.md 2-6)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from acerace_rules import scoring
from acerace_rules.options import Choice, Chosen, Option, Span, UnknownChoiceError, Value, choose
from acerace_rules.variant import Build, Column, Lift, Stock, Variant

UNLIMITED: Final = "unlimited"

_DOUBLE_SOLITAIRE: Final = Variant(
    key="double-solitaire",
    name="Double Solitaire",
    columns=tuple(Column(down, 1) for down in range(9)),
    stock=Stock(59),
    decks=2,
    scoring=scoring.NORMAL,
    undo_depth=200,
)
_EASY_HARP: Final = replace(
    _DOUBLE_SOLITAIRE,
    key="easy-harp",
    name="Easy Harp",
    lift=Lift.TOP_OR_KING_RUN,
    scoring=scoring.EASY_HARP,
    undo_depth=100,
)
_RUSSIAN: Final = Variant(
    key="russian",
    name="Russian Solitaire",
    columns=(Column(0, 1), *(Column(down, 5) for down in range(1, 7))),
    build=Build.SAME_SUIT,
    lift=Lift.FACE_UP,
    lift_max=20,
    scoring=scoring.RUSSIAN,
    undo_depth=100,
)
_YUKON: Final = replace(_RUSSIAN, key="yukon", name="Yukon", build=Build.ALTERNATE, lift_max=None)
_KLONDIKE: Final = Variant(
    key="klondike",
    name="Klondike",
    columns=tuple(Column(down, 1) for down in range(7)),
    stock=Stock(24),
    scoring=scoring.MICROSOFT,
    undo_depth=200,
)
_DOUBLE_KLONDIKE: Final = replace(
    _KLONDIKE,
    key="double-klondike",
    name="Double Klondike",
    seats=2,
    stock=Stock(24, draw=(1, 1)),
    take_back=False,
    scoring=scoring.CONTRIBUTION,
    undo_depth=0,
)


@dataclass(frozen=True, slots=True)
class Game:
    """One entry of the catalogue: how its options make a :class:`Variant`."""

    key: str
    name: str
    options: tuple[Option, ...]
    build: Callable[[Mapping[str, Value]], Variant]
    presets: Mapping[str, Chosen] = field(default_factory=dict[str, Chosen])
    """By preset key: the options it sets; the game's own key is the preset that sets none."""

    @property
    def seats(self) -> int:
        return self.build(self.chosen({})).seats

    def chosen(self, options: Chosen) -> dict[str, Value]:
        """All options with defaults filled in. Raises :class:`UnknownChoiceError`."""
        return choose(self.key, self.options, options)

    def variant(self, options: Chosen) -> Variant:
        """The rules under these options. Raises :class:`UnknownChoiceError`."""
        return self.build(self.chosen(options))


def _passes(value: Value) -> int | None:
    return None if value == UNLIMITED else int(value)


def _double_solitaire(chosen: Mapping[str, Value]) -> Variant:
    draw = (int(chosen["draw"]),)
    if chosen["scoring"] == "vegas":  # one pass, with draw 1 and with draw 3 (D25)
        return replace(_DOUBLE_SOLITAIRE, stock=Stock(59, draw, passes=1), scoring=scoring.VEGAS_TWO_DECKS)
    return replace(_DOUBLE_SOLITAIRE, stock=Stock(59, draw))


def _easy_harp(_chosen: Mapping[str, Value]) -> Variant:
    return _EASY_HARP


def _russian(chosen: Mapping[str, Value]) -> Variant:
    return replace(_RUSSIAN, build=Build.ANY_SUIT if chosen["rule"] == "flexible" else Build.SAME_SUIT)


def _yukon(_chosen: Mapping[str, Value]) -> Variant:
    return _YUKON


def _klondike(chosen: Mapping[str, Value]) -> Variant:
    draw = int(chosen["draw"])
    scores = {
        "none": scoring.NONE,
        "microsoft": scoring.MICROSOFT,
        "windows": scoring.WINDOWS_DRAW_ONE if draw == 1 else scoring.WINDOWS_DRAW_THREE,
        "vegas": scoring.VEGAS,
    }
    columns = _KLONDIKE.columns
    if chosen["thoughtful"]:  # all face up from the start; the stock stays hidden (D45)
        columns = tuple(Column(0, column.down + column.up) for column in columns)
    return replace(
        _KLONDIKE,
        columns=columns,
        stock=Stock(24, (draw,), _passes(chosen["passes"])),
        take_back=bool(chosen["take_back"]),
        scoring=scores[str(chosen["scoring"])],
    )


def _double_klondike(chosen: Mapping[str, Value]) -> Variant:
    draw = int(chosen["draw"])
    handicap = int(chosen["second_draw"])
    return replace(_DOUBLE_KLONDIKE, stock=Stock(24, (draw, handicap or draw), _passes(chosen["passes"])))


_DRAW: Final = Choice("draw", (1, 3), 1)

DOUBLE_KLONDIKE_OPTIONS: Final[tuple[Option, ...]] = (
    Choice("pace", ("simultaneous", "alternating"), "simultaneous"),
    _DRAW,
    # one draw for both; another for the second seat only as a declared handicap (D28); 0: the same
    Choice("second_draw", (0, 1, 3), 0),
    Choice("passes", (UNLIMITED, 1), UNLIMITED),
    Choice("turn", ("draw", "bicycle"), "draw"),
    Choice("clear_bonus", ("off", "cards", "wins"), "off"),
    Span("clear_bonus_cards", 1, 52, 10),
    Choice("mirror", (False, True), default=False),
    Choice("play_on", (False, True), default=False),
    Span("grace_s", 5, 600, 60),
    Span("no_progress_s", 10, 3600, 120),
    # 0: no match clock
    Span("clock_s", 0, 7200, 0),
    # a tied series plays one more (D55)
    Choice("series", ("off", "best", "sum"), "off"),
    Span("series_games", 1, 15, 3),
)

GAMES: Final[Mapping[str, Game]] = {
    game.key: game
    for game in (
        Game("double-klondike", "Double Klondike", DOUBLE_KLONDIKE_OPTIONS, _double_klondike),
        Game(
            "klondike",
            "Klondike",
            (
                _DRAW,
                Choice("passes", (UNLIMITED, 3, 1), UNLIMITED),
                Choice("take_back", (True, False), default=True),
                Choice("thoughtful", (False, True), default=False),
                Choice("scoring", ("microsoft", "none", "windows", "vegas"), "microsoft"),
            ),
            _klondike,
            {
                "klondike-three": {"draw": 3, "passes": 3},
                "klondike-three-unlimited": {"draw": 3},
                "klondike-limited": {"passes": 3},
                "klondike-single": {"passes": 1},
                "klondike-thoughtful": {"thoughtful": True},
                "klondike-vegas": {"passes": 1, "scoring": "vegas"},
            },
        ),
        Game(
            "double-solitaire",
            "Double Solitaire",
            (_DRAW, Choice("scoring", ("normal", "vegas"), "normal")),
            _double_solitaire,
        ),
        Game("russian", "Russian Solitaire", (Choice("rule", ("classic", "flexible"), "classic"),), _russian),
        Game("easy-harp", "Easy Harp", (), _easy_harp),
        Game("yukon", "Yukon", (), _yukon),
    )
}


def find_game(key: str) -> tuple[Game, Chosen]:
    """The game and the options that a game's or a preset's key means.

    Raises :class:`UnknownChoiceError` naming the keys there are.
    """
    for game in GAMES.values():
        if key == game.key:
            return game, {}
        if key in game.presets:
            return game, game.presets[key]
    known = ", ".join(name for game in GAMES.values() for name in (game.key, *game.presets))
    raise UnknownChoiceError(f"there is no game {key!r}; expected one of {known}")


def variant_of(key: str, options: Chosen | None = None) -> Variant:
    """The rules of a game or preset under these options. Raises :class:`UnknownChoiceError`."""
    game, preset = find_game(key)
    return game.variant({**preset, **(options or {})})
