"""A database, what is special about its dialect, and a quick way to write to it."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Engine, Row, UpdateBase
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler

from acerace_server.ports import StoreError

AnyRow = Row[*tuple[Any, ...]]
Values = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Database:
    """An engine, and what differs from one database to the next. Its ``paramstyle`` must be a positional one."""

    engine: Engine
    begin: str | None
    """What begins a transaction that writes; ``None``: the driver does it by itself."""
    why: Callable[[Exception], str]
    """What went wrong, in one line, for an exception of the driver."""

    @property
    def driver_error(self) -> type[Exception]:
        """The base of all exceptions of the driver."""
        return self.engine.dialect.loaded_dbapi.Error

    @contextmanager
    def reading(self) -> Generator[Connection]:
        """A connection to read from, one moment's state throughout. Raises :class:`StoreError`."""
        try:
            with self.engine.connect() as connection:
                yield connection
        except DBAPIError as error:
            raise StoreError(self.why(error)) from error

    @contextmanager
    def writing(self) -> Generator[Connection]:
        """A transaction, committed unless the body raises. Raises :class:`StoreError`, or what the body does."""
        try:
            with self.engine.execution_options(writes=True).begin() as connection:
                yield connection
        except DBAPIError as error:
            raise StoreError(self.why(error)) from error


class Prepared:
    """A statement with the names of its parameters, in the order in which rows give them."""

    def __init__(self, statement: UpdateBase, *names: str) -> None:
        self.statement: Final = statement
        self.names: Final = names


class Writer:
    """One connection for writing, kept open, on which statements run without SQLAlchemy in between.

    They are compiled by SQLAlchemy, once, and run on the driver's own cursor: measured, that takes a third of the time
    of :meth:`sqlalchemy.Connection.execute` for one row.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection = database.engine.raw_connection()
        self._cursor = self._connection.cursor()
        self._texts: dict[Prepared, str] = {}

    def begin(self) -> None:
        """Begin a transaction. As all methods here, raises the driver's own exceptions."""
        if self._database.begin is not None:
            self._cursor.execute(self._database.begin)

    def commit(self) -> None:
        self._connection.commit()

    def rollback(self) -> None:
        self._connection.rollback()

    def run(self, prepared: Prepared, row: Values) -> int:
        """Run a statement; how many rows it touched."""
        self._cursor.execute(self._text(prepared), row)
        return self._cursor.rowcount

    def run_many(self, prepared: Prepared, rows: Sequence[Values]) -> None:
        """Run a statement for each of these rows."""
        self._cursor.executemany(self._text(prepared), rows)

    def number(self, prepared: Prepared, row: Values) -> int:
        """Run an ``INSERT ... RETURNING`` of one number."""
        self._cursor.execute(self._text(prepared), row)
        ((number,),) = self._cursor.fetchall()
        return int(number)

    def close(self) -> None:
        self._cursor.close()
        self._connection.close()

    def _text(self, prepared: Prepared) -> str:
        text = self._texts.get(prepared)
        if text is None:
            text = self._texts[prepared] = self._compiled(prepared)
        return text

    def _compiled(self, prepared: Prepared) -> str:
        compiled = prepared.statement.compile(dialect=self._database.engine.dialect, column_keys=[*prepared.names])
        assert isinstance(compiled, SQLCompiler)  # noqa: S101  # not DDL
        names = tuple(compiled.positiontup or ())
        if names != prepared.names:
            raise TypeError(f"{compiled} takes {names}, not {prepared.names}")
        return str(compiled)
