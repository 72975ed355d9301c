"""The tables that are over, with all their moves."""

from collections.abc import Callable

import msgspec
from sqlalchemy import select

from acerace_protocol.messages import Ended
from acerace_server.adapters.sql.database import Database
from acerace_server.adapters.sql.journal import SqlJournal
from acerace_server.adapters.sql.recovery import log_of, setup_of
from acerace_server.adapters.sql.schema import results, tables
from acerace_server.core.records import Record, TableOpened, TableOver, TablePutAway, TableTold
from acerace_server.ports import FinishedTable, JournalError, StoreError

_ENDED = msgspec.json.Decoder(Ended)


class SqlArchive:
    """Implements :class:`acerace_server.ports.Archive`: whatever the journal was told to be over is found."""

    def __init__(self, database: Database, utc_us: Callable[[], int]) -> None:
        self._database = database
        self._utc_us = utc_us

    def keep(self, record: FinishedTable) -> None:
        """Keep a table that did not come through the journal. Raises :class:`StoreError`."""
        table = record.setup.table
        if self.find(table) is not None:
            return
        told = (TableTold(table, entry) for entry in record.log)
        records: list[Record] = [
            TableOpened(record.setup, public=False),
            *told,
            TableOver(table, record.ended),
            TablePutAway(table),
        ]
        journal = SqlJournal(self._database, {}, self._utc_us)
        try:
            journal.commit(records)
        except JournalError as error:
            raise StoreError(str(error)) from error
        finally:
            journal.close()

    def find(self, table: str) -> FinishedTable | None:
        """As the port says. Raises :class:`StoreError`."""
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
