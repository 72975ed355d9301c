"""A data directory that servers come to and go from."""

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from acerace_server.adapters.sql.store import SqlStore
from tests.contract.stores import open_store

HURRY_MS = 50
"""For another program that has the database locked, and will not let go of it."""


class Disk:
    """A data directory, and the store that is open in it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.store = open_store(directory)

    def hurry(self) -> SqlStore:
        """Open it anew: a store that waits no longer than it must for another program."""
        self.store.close()
        self.store = open_store(self.directory, HURRY_MS)
        return self.store

    @property
    def database(self) -> Path:
        return self.directory / "acerace.sqlite3"

    def restart(self) -> SqlStore:
        self.store.close()
        self.store = open_store(self.directory)
        return self.store

    @contextmanager
    def reader(self) -> Generator[sqlite3.Connection]:
        """Another program's connection, in the middle of a transaction that only reads."""
        with closing(sqlite3.connect(self.database, timeout=0, isolation_level=None)) as connection:
            connection.execute("BEGIN")
            yield connection

    @contextmanager
    def locked(self) -> Generator[None]:
        """As long as another program writes."""
        with closing(sqlite3.connect(self.database, timeout=0, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield

    def change(self, statement: str) -> None:
        """Change something behind the store's back."""
        with closing(sqlite3.connect(self.database, isolation_level=None)) as connection:
            connection.execute(statement)
