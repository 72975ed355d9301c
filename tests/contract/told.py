"""Records of games that never were, in a line each."""

from collections.abc import Iterable

from acerace_protocol.messages import Ended, EndReason, Play, PlayerInfo
from acerace_rules.options import Value
from acerace_server.core.match import Entry, Setup
from acerace_server.core.records import PlayerMade, Record, TableOpened, TableOver, TablePutAway, TableTold

ADA = PlayerInfo(player="ada", name="Ada")
BRUNO = PlayerInfo(player="bruno", name="Bruno")
ROBOT = PlayerInfo(player="robot", name="Robot", bot=True)
OPENED_AT = 1_000_000_000


def made(*players: PlayerInfo) -> list[Record]:
    return [
        PlayerMade(player.player, f"{player.player}:".ljust(64, "0"), player.name, player.bot) for player in players
    ]


def duel(table: str, *players: PlayerInfo, opened_at: int = OPENED_AT) -> Setup:
    return Setup(table, "double-klondike", {"draw": 1}, players or (ADA, BRUNO), opened_at, table.encode())


def solo(
    table: str,
    player: PlayerInfo = ADA,
    *,
    code: str = "KL1-D1UM-AAAAAAB",
    game: str = "klondike",
    draw: Value = 1,
    opened_at: int = OPENED_AT,
) -> Setup:
    return Setup(table, game, {"draw": draw, "passes": 0}, (player,), opened_at, code=code)


def entries(table: str, *seconds: int, opened_at: int = OPENED_AT, first: int = 0) -> list[Record]:
    """A move at each of these seconds after the table was opened, the moves numbered from ``first``."""
    return [
        TableTold(table, Entry(opened_at + second * 1_000_000_000, 0, Play(table=table, nonce=nonce, move="d")))
        for nonce, second in enumerate(seconds, first)
    ]


def solo_ended(
    table: str, *, won: bool = True, strict: int = 500, moves: int = 100, seconds: int = 60, reason: EndReason = "won"
) -> Ended:
    return Ended(
        table=table,
        seq=moves + 1,
        at_us=seconds * 1_000_000,
        reason=reason if won else "resigned",
        winner=0 if won else None,
        scores=(strict + 10,),
        contributions=(52,),
        strict=(strict,),
        moves=(moves,),
        refusals=(0,),
        duration_ms=seconds * 1_000,
    )


def duel_ended(table: str, winner: int | None = 1, reason: EndReason = "blocked") -> Ended:
    return Ended(
        table=table,
        seq=9,
        at_us=9,
        reason=reason,
        winner=winner,
        scores=(20, 30),
        contributions=(20, 29),
        moves=(50, 60),
        refusals=(0, 1),
        duration_ms=90_000,
        secret=table.encode().hex(),
    )


def played(setup: Setup, ended: Ended | None) -> list[Record]:
    """A whole game; without an end it is begun, left and put away."""
    over: Iterable[Record] = [] if ended is None else [TableOver(setup.table, ended)]
    moves = entries(setup.table, 1, 2, opened_at=setup.opened_at)
    return [TableOpened(setup, public=True), *moves, *over, TablePutAway(setup.table)]
