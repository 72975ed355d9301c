"""One function for each kind of record: what it writes. ``WRITERS`` names them; a new kind is a new line there."""

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam

from acerace_protocol.messages import Ended, Play, PlayerInfo
from acerace_server.adapters.sql import told
from acerace_server.adapters.sql.database import Prepared, Values, Writer
from acerace_server.adapters.sql.live import Live, LiveTables
from acerace_server.adapters.sql.schema import (
    LIVE,
    OVER,
    PUT_AWAY,
    accounts,
    entries,
    players,
    ratings,
    result_seats,
    results,
    tables,
    tokens,
)
from acerace_server.core.records import (
    NameClaimed,
    PlayerMade,
    Rating,
    SequelTold,
    TableOpened,
    TableOver,
    TablePutAway,
    TableTold,
    TokenAdded,
    TokenRevoked,
)
from acerace_server.ports import JournalError

JSON: Final = msgspec.json.Encoder(order="sorted")
LEFT: Final = "left"

_PLAYER: Final = Prepared(players.insert(), "id", "name", "bot", "made_us")
_TOKEN: Final = Prepared(tokens.insert(), "sha256", "player", "label", "made_us")
_REVOKED: Final = Prepared(
    tokens.update()
    .where(tokens.c.sha256 == bindparam("of"), tokens.c.revoked_us.is_(None))
    .values(revoked_us=bindparam("revoked_us")),
    *("revoked_us", "of"),
)
_NAME: Final = Prepared(accounts.insert(), "player", "name", "password_hash", "claimed_us")
_NAME_FREED: Final = Prepared(accounts.delete().where(accounts.c.player == bindparam("of")), "of")
_NAME_SHOWN: Final = Prepared(
    players.update().where(players.c.id == bindparam("of")).values(name=bindparam("name")), "name", "of"
)
_TABLE: Final = Prepared(
    tables.insert().returning(tables.c.number),
    *("id", "game", "options", "players", "opened_us", "opened_ns", "secret", "code", "public", "state"),
    *("rated", "series"),
)
_STATE: Final = Prepared(
    tables.update().where(tables.c.number == bindparam("of")).values(state=bindparam("to")), "to", "of"
)
_ENTRY: Final = Prepared(entries.insert(), "table_number", "number", "at_ns", "seat", "told")
_RESULT: Final = Prepared(
    results.insert().returning(results.c.number),
    *("table_number", "finished_us", "reason", "winner", "duration_ms", "races", "ended"),
)
_RESULT_SEAT: Final = Prepared(
    result_seats.insert(),
    *("result_number", "seat", "player", "name", "bot", "won", "score", "contribution", "moves", "strict"),
)
_SEQUEL: Final = Prepared(
    results.update().where(results.c.table_number == bindparam("of")).values(sequel=bindparam("sequel")),
    *("sequel", "of"),
)
_RATING: Final = Prepared(ratings.insert(), "player", "pool", "mu", "sigma", "games", "updated_seq")
_NEW_RATING: Final = Prepared(
    ratings.update()
    .where(ratings.c.player == bindparam("of"), ratings.c.pool == bindparam("within"))
    .values(
        mu=bindparam("mu"),
        sigma=bindparam("sigma"),
        games=bindparam("games"),
        updated_seq=bindparam("updated_seq"),
    ),
    *("mu", "sigma", "games", "updated_seq", "of", "within"),
)


@dataclass(frozen=True, slots=True)
class Turn:
    """What the records of one commit are written with."""

    writer: Writer
    live: LiveTables
    utc_us: Callable[[], int]

    def find(self, table: str) -> Live:
        """Raises :class:`JournalError` for a table that was never opened, or is put away."""
        live = self.live.get(table)
        if live is None:
            raise JournalError(f"a record of table {table!r}, which is not open")
        return live


def _players_made(turn: Turn, made: Sequence[PlayerMade]) -> None:
    now = turn.utc_us()
    turn.writer.run_many(_PLAYER, [(one.player, one.name, one.bot, now) for one in made])
    turn.writer.run_many(_TOKEN, [(one.token_sha256, one.player, "", now) for one in made])


def _names_claimed(turn: Turn, claimed: Sequence[NameClaimed]) -> None:
    now = turn.utc_us()
    for one in claimed:
        turn.writer.run(_NAME_FREED, (one.player,))
        turn.writer.run(_NAME_SHOWN, (one.name, one.player))
        turn.writer.run(_NAME, (one.player, one.name, one.password_hash, now))


def _tokens_added(turn: Turn, added: Sequence[TokenAdded]) -> None:
    now = turn.utc_us()
    turn.writer.run_many(_TOKEN, [(one.token_sha256, one.player, one.label, now) for one in added])


def _tokens_revoked(turn: Turn, revoked: Sequence[TokenRevoked]) -> None:
    now = turn.utc_us()
    turn.writer.run_many(_REVOKED, [(now, one.token_sha256) for one in revoked])


def _tables_opened(turn: Turn, opened: Sequence[TableOpened]) -> None:
    now = turn.utc_us()
    for one in opened:
        setup = one.setup
        row = (
            setup.table,
            setup.game,
            JSON.encode(setup.options).decode(),
            JSON.encode(setup.players).decode(),
            now,
            setup.opened_at,
            setup.secret,
            setup.code,
            one.public,
            LIVE,
            setup.rated,
            JSON.encode(setup.series).decode() if setup.series else None,
        )
        turn.live[setup.table] = Live.of(turn.writer.number(_TABLE, row), setup)


def _tables_told(turn: Turn, heard: Sequence[TableTold]) -> None:
    rows: list[Values] = []
    for one in heard:
        live, entry = turn.find(one.table), one.entry
        rows.append((live.number, live.entries, entry.at - live.opened_at, entry.seat, told.encode(entry.told)))
        live.entries += 1
        live.begun = live.begun or isinstance(entry.told, Play)
    turn.writer.run_many(_ENTRY, rows)


def _tables_over(turn: Turn, over: Sequence[TableOver]) -> None:
    for one in over:
        live, ended = turn.find(one.table), one.ended
        result = turn.writer.number(
            _RESULT,
            (
                live.number,
                turn.utc_us(),
                ended.reason,
                ended.winner,
                ended.duration_ms,
                len(ended.races),
                JSON.encode(ended).decode(),
            ),
        )
        turn.writer.run_many(_RESULT_SEAT, [*_seat_rows(result, live.players, ended)])
        turn.writer.run(_STATE, (OVER, live.number))
        live.over = True


def _seat_rows(result: int, seated: Iterable[PlayerInfo], ended: Ended) -> Iterable[Values]:
    """A match that ends before the deal has fewer numbers than seats."""
    numbers = itertools.zip_longest(ended.scores, ended.contributions, ended.moves, ended.strict)
    for seat, (player, (score, contribution, moves, strict)) in enumerate(
        zip(seated, itertools.chain(numbers, itertools.repeat((None,) * 4)), strict=False)
    ):
        won = ended.winner == seat
        yield result, seat, player.player, player.name, player.bot, won, score, contribution, moves, strict


def _sequels_told(turn: Turn, sequels: Sequence[SequelTold]) -> None:
    for one in sequels:
        turn.writer.run(_SEQUEL, (JSON.encode(one.told).decode(), turn.find(one.table).number))


def _tables_put_away(turn: Turn, away: Sequence[TablePutAway]) -> None:
    for one in away:
        live = turn.find(one.table)
        if live.solo and live.begun and not live.over:
            result = turn.writer.number(_RESULT, (live.number, turn.utc_us(), LEFT, None, None, 0, None))
            (player,) = live.players
            row = (result, 0, player.player, player.name, player.bot, False, None, None, None, None)
            turn.writer.run(_RESULT_SEAT, row)
        turn.writer.run(_STATE, (PUT_AWAY, live.number))
        del turn.live[one.table]


def _rated(turn: Turn, rated: Sequence[Rating]) -> None:
    for one in rated:
        values = (one.mu, one.sigma, one.games, one.updated_seq)
        # Not "on conflict": each database says it in another way.
        if not turn.writer.run(_NEW_RATING, (*values, one.player, one.pool)):
            turn.writer.run(_RATING, (one.player, one.pool, *values))


WRITERS: Final[Mapping[type, Callable[[Turn, Any], None]]] = {
    PlayerMade: _players_made,
    NameClaimed: _names_claimed,
    TokenAdded: _tokens_added,
    TokenRevoked: _tokens_revoked,
    TableOpened: _tables_opened,
    TableTold: _tables_told,
    TableOver: _tables_over,
    SequelTold: _sequels_told,
    TablePutAway: _tables_put_away,
    Rating: _rated,
}
"""By the type of a record, what writes a run of them."""
