"""The tables that are over, with all their moves."""

import msgspec
from sqlalchemy import select

from acerace_protocol.messages import Ended
from acerace_server.adapters.sql.database import Database
from acerace_server.adapters.sql.recovery import log_of, setup_of
from acerace_server.adapters.sql.schema import results, tables
from acerace_server.ports import FinishedTable, StoreError

_ENDED = msgspec.json.Decoder(Ended)


class SqlArchive:
    """Implements :class:`acerace_server.ports.Archive`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, table: str) -> FinishedTable | None:
        query = select(tables, results.c.ended).join(results).where(tables.c.id == table, results.c.ended.is_not(None))
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
            if row is None:
                return None
            setup = setup_of(row)
            log = log_of(connection, row.number, setup)
        try:
            return FinishedTable(setup, log, _ENDED.decode(row.ended), row.opened_us)
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise StoreError(f"the database is damaged: the end of table {table!r}: {error}") from error
