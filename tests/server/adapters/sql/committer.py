"""A process that commits as fast as it can and says what was acknowledged, to be killed at any moment.

What it commits in its n-th commit follows from n alone, so whoever reads the disk knows what must be there.
"""

import itertools
import os
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from acerace_protocol.messages import PlayerInfo
from acerace_server.core.match import Entry, Timeout
from acerace_server.core.records import Record, TableOpened, TableTold
from tests.contract.stores import open_store
from tests.contract.told import OPENED_AT, duel, entries, made

TABLES = 5
ACKNOWLEDGED = 8
"""Bytes of one acknowledgement: the number of the commit."""

Logs = dict[str, list[Entry]]


def table_key(life: int, number: int) -> str:
    return f"{life}-{number}"


class Script:
    """The commits of one life of a server, in order."""

    def __init__(self, life: int) -> None:
        self._life = life
        self.logs: Logs = {}

    def commit(self, number: int) -> list[Record]:
        """The records of the commit with this number; the first opens the tables."""
        if number == 0:
            self.logs = {table_key(self._life, table): [] for table in range(TABLES)}
            newcomer = PlayerInfo(player=f"p{self._life}", name="Guest")
            return [*made(newcomer), *(TableOpened(duel(table), public=True) for table in self.logs)]
        random = Random(f"{self._life}/{number}")
        records: list[Record] = []
        for _ in range(random.randint(1, 12)):
            table = random.choice([*self.logs])
            record = self._told(table, len(self.logs[table]), random)
            self.logs[table].append(record.entry)
            records.append(record)
        return records

    def _told(self, table: str, number: int, random: Random) -> TableTold:
        if random.random() < 0.1:
            return TableTold(table, Entry(OPENED_AT + number, -1, Timeout()))
        (record,) = entries(table, number, first=number)
        assert isinstance(record, TableTold)
        return record


def run(directory: Path, life: int, pipe: Connection) -> None:
    """Commit until killed; each commit's number is written to ``pipe`` once it is acknowledged."""
    store = open_store(directory)
    store.recovery.recover(OPENED_AT)
    script = Script(life)
    for number in itertools.count():
        store.journal.commit(script.commit(number))
        os.write(pipe.fileno(), number.to_bytes(ACKNOWLEDGED, "big"))
