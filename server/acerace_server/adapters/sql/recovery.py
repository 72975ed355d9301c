"""From the journal of earlier runs to what was there when the server went."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Select, bindparam, func, select

from acerace_protocol.limits import PLAYERS_MAX
from acerace_protocol.messages import Play, PlayerInfo, SeriesInfo
from acerace_server.adapters.sql import told
from acerace_server.adapters.sql.accounts import claimed_names, known_players
from acerace_server.adapters.sql.database import AnyRow, Database
from acerace_server.adapters.sql.live import Live, LiveTables
from acerace_server.adapters.sql.schema import LIVE, OVER, PUT_AWAY, entries, players, results, tables
from acerace_server.core.match import Entry, Setup
from acerace_server.core.records import LiveTable, Recovered, Sequel
from acerace_server.ports import StoreError

_OPTIONS: Final = msgspec.json.Decoder(dict[str, str | int | bool])
_PLAYERS: Final = msgspec.json.Decoder(tuple[PlayerInfo, ...])
_SERIES: Final = msgspec.json.Decoder(SeriesInfo)
_SEQUEL: Final = msgspec.json.Decoder(tuple[Sequel, ...])

_ROWS_AT_ONCE: Final = 4096
_FRESH_US: Final = 10_000_000
"""A match that ended so shortly before the last one that did comes back as well."""


class SqlRecovery:
    """Implements :class:`acerace_server.ports.Recovery`."""

    def __init__(self, database: Database, live: LiveTables) -> None:
        self._database = database
        self._live = live

    def recover(self, now: int, *, players_most: int = PLAYERS_MAX) -> Recovered:
        """As the port says: the ``players_most`` newest players, and all with a seat at a live table."""
        with self._database.writing() as connection:
            _move_clock(connection, now)
            _put_away_old(connection)
            found = [*_live_tables(connection)]
            seated = {player.player for table, _ in found for player in table.setup.players}
            newest = select(players.c.id).order_by(players.c.made_us.desc(), players.c.id).limit(players_most)
            names = claimed_names(connection)
            known = known_players(connection, players.c.id.in_(newest) | players.c.id.in_(sorted(seated)))
        self._live.clear()
        self._live.update((table.setup.table, live) for table, live in found)
        return Recovered(known, tuple(table for table, _ in found), names)


def _move_clock(connection: Connection, now: int) -> None:
    """Make the newest stamp of the last run ``now``.

    Tables that were over but not put away belong to that run as well: its newest stamp may be theirs.
    """
    of_last_run = tables.c.state.in_((LIVE, OVER))
    newest_entry = select(func.max(entries.c.at_ns)).where(entries.c.table_number == tables.c.number).scalar_subquery()
    newest = connection.scalar(select(func.max(tables.c.opened_ns + func.coalesce(newest_entry, 0))).where(of_last_run))
    if newest is not None:
        connection.execute(
            tables.update().where(of_last_run).values(opened_ns=tables.c.opened_ns + bindparam("by")),
            {"by": now - newest},
        )


def _put_away_old(connection: Connection) -> None:
    """Put away the tables that are over, but for those of the run's last moments: not all may have heard of the end."""
    newest = connection.scalar(select(results.c.finished_us).order_by(results.c.number.desc()).limit(1)) or 0
    fresh = select(results.c.table_number).where(
        results.c.table_number == tables.c.number, results.c.finished_us > newest - _FRESH_US
    )
    connection.execute(tables.update().where(tables.c.state == OVER, ~fresh.exists()).values(state=PUT_AWAY))


def _live_tables(connection: Connection) -> Iterator[tuple[LiveTable, Live]]:
    wanted = tables.c.state.in_((LIVE, OVER))
    rows = connection.execute(select(tables).where(wanted).order_by(tables.c.number)).fetchall()
    entered = _entries().where(entries.c.table_number.in_(select(tables.c.number).where(wanted)))
    # One query for all tables, not one for each: that is half of the time. Not all rows at once: there may be millions.
    rows_told = connection.execute(entered, execution_options={"yield_per": _ROWS_AT_ONCE})
    logs = groupby(rows_told, key=itemgetter(0))
    number, log_rows = next(logs, (None, ()))
    for row in rows:
        setup = setup_of(row)
        log: tuple[Entry, ...] = ()
        if number == row.number:
            log = _log(log_rows, setup)
            number, log_rows = next(logs, (None, ()))
        live = Live.of(row.number, setup)
        live.entries = len(log)
        live.begun = any(isinstance(entry.told, Play) for entry in log)
        live.over = row.state == OVER
        yield LiveTable(setup, row.public, log, _sequel_of(connection, row) if live.over else ()), live


def setup_of(row: AnyRow) -> Setup:
    """What a row of ``tables`` says. Raises :class:`StoreError`."""
    try:
        return Setup(
            table=row.id,
            game=row.game,
            options=_OPTIONS.decode(row.options),
            players=_PLAYERS.decode(row.players),
            opened_at=row.opened_ns,
            secret=row.secret,
            code=row.code,
            rated=row.rated,
            series=_SERIES.decode(row.series) if row.series else None,
        )
    except (msgspec.MsgspecError, TypeError, UnicodeError) as error:
        raise StoreError(f"the database is damaged: table {row.id!r}: {error}") from error


def _sequel_of(connection: Connection, row: AnyRow) -> tuple[Sequel, ...]:
    """What was told after the end of the match in a row of ``tables``. Raises :class:`StoreError`."""
    kept = connection.scalar(select(results.c.sequel).where(results.c.table_number == row.number))
    try:
        return _SEQUEL.decode(kept) if kept else ()
    except (msgspec.MsgspecError, TypeError) as error:
        raise StoreError(f"the database is damaged: what followed table {row.id!r}: {error}") from error


def log_of(connection: Connection, number: int, setup: Setup) -> tuple[Entry, ...]:
    """A table's log, on the clock of ``setup.opened_at``. Raises :class:`StoreError`."""
    return _log(connection.execute(_entries().where(entries.c.table_number == number)), setup)


def _entries() -> Select[*tuple[Any, ...]]:
    columns = (entries.c.table_number, entries.c.number, entries.c.at_ns, entries.c.seat, entries.c.told)
    return select(*columns).order_by(entries.c.table_number, entries.c.number)


def _log(rows: Iterable[AnyRow], setup: Setup) -> tuple[Entry, ...]:
    """The rows of one table, in their order."""
    opened_at, decode = setup.opened_at, told.decode
    log: list[Entry] = []
    try:
        for _, number, at_ns, seat, kept in rows:
            if number != len(log):
                raise StoreError(f"the database is damaged: an entry of table {setup.table!r} is missing")
            log.append(Entry(opened_at + at_ns, seat, decode(kept)))
    except (msgspec.MsgspecError, TypeError) as error:
        raise StoreError(f"the database is damaged: an entry of table {setup.table!r}: {error}") from error
    return tuple(log)
