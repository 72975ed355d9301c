"""All tables: opening them, following them, judging what waits, and their timers."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from heapq import heappop, heappush

from acerace_protocol.limits import TABLES_MAX, Fault
from acerace_protocol.messages import Command, Tables
from acerace_server.core.hosted import Hosted, Outgoing
from acerace_server.core.inbox import Claim
from acerace_server.core.late import LateGroups
from acerace_server.core.match import Entry, Setup
from acerace_server.core.records import Record, TableOpened, TableOver, TablePutAway, TableTold
from acerace_server.core.refusal import RefusalError
from acerace_server.core.replay import open_match
from acerace_server.core.tally import Tally
from acerace_server.core.tv import Candidate, Tv


class Registry:
    """The tables by their id."""

    def __init__(self, outgoing: list[Outgoing]) -> None:
        self._outgoing = outgoing
        self.accepted: list[Record] = []
        self.late = LateGroups(lambda receivers, message: outgoing.append(Outgoing(receivers, message)))
        self._tables: dict[str, Hosted] = {}
        self._tv = Tv()
        self.tally = Tally()
        self._dirty: dict[str, Hosted] = {}
        """Tables whose inbox has something, in the order in which it came."""
        self._alarms: list[tuple[int, str]] = []
        self.faults: list[tuple[str, Exception]] = []
        """Tables that had to be closed, and why: for the shell to log and to clear."""
        self.over: list[Hosted] = []
        """Tables whose match has ended since the owner of this list last looked."""
        self.put_away: list[Hosted] = []
        """Tables that are gone since the owner of this list last looked."""

    def __len__(self) -> int:
        return len(self._tables)

    def __contains__(self, key: str) -> bool:
        return key in self._tables

    def get(self, key: str) -> Hosted | None:
        return self._tables.get(key)

    @property
    def live(self) -> int:
        return sum(hosted.match.phase != "over" for hosted in self._tables.values())

    def live_among(self, keys: Iterable[str]) -> int:
        tables = (self._tables.get(key) for key in keys)
        return sum(hosted is not None and hosted.match.phase != "over" for hosted in tables)

    def listed(self, most: int) -> Tables:
        """The oldest live public tables, and the featured one."""
        featured = self._featured()
        live = (hosted for hosted in self._tables.values() if hosted.public and hosted.match.phase != "over")
        oldest = [hosted for hosted, _ in zip(live, range(most), strict=False)]
        if featured is not None and featured not in oldest:
            oldest[-1] = featured
        return Tables(tables=tuple(hosted.info() for hosted in oldest), featured=featured.key if featured else None)

    def _featured(self) -> Hosted | None:
        hosted = self._tables.get(self._tv.featured or "")
        if hosted is None or hosted.match.phase == "over":
            running = (hosted for hosted in self._tables.values() if hosted.public and hosted.match.phase == "playing")
            key = self._tv.turn(Candidate(each.key, each.match.setup.players, each.contributions) for each in running)
            hosted = self._tables[key] if key else None
        return hosted

    @property
    def has_room(self) -> bool:
        """Whether one more table can be opened."""
        return len(self._tables) < TABLES_MAX

    def require_room(self) -> None:
        """Raises :class:`RefusalError` (``TOO_MANY``) when no table can be opened."""
        if not self.has_room:
            raise RefusalError(Fault.TOO_MANY, f"{TABLES_MAX} tables are open")

    def open(self, setup: Setup, *, public: bool) -> Hosted:
        """Open a table. Raises as :meth:`require_room`."""
        self.require_room()
        hosted = Hosted(open_match(setup), public=public, now=setup.opened_at)
        self._tables[setup.table] = hosted
        self.tally.opened += 1
        self.accepted.append(TableOpened(setup, public))
        self._schedule(hosted)
        return hosted

    def restore(self, hosted: Hosted) -> None:
        """Take up a table that an earlier process kept in its journal."""
        self._tables[hosted.key] = hosted
        self._schedule(hosted)

    def give_up(self, key: str, fault: Exception) -> None:
        """Put away a table that an earlier process kept and that cannot be taken up; its log stays where it is."""
        self.faults.append((key, fault))
        self.accepted.append(TablePutAway(key))

    def away(self, hosted: Hosted, seat: int, at: int) -> None:
        """A seat has no connection (any more)."""
        self._presence(hosted, seat, away=True, at=at)

    def _presence(self, hosted: Hosted, seat: int, *, away: bool, at: int) -> None:
        self._catch_up(hosted, at, anyway=hosted.match.away[seat] != away)
        if self._tables.get(hosted.key) is not hosted:
            return  # it failed just now
        with self._only_this_table_fails(hosted):
            hosted.match.presence(seat, away=away, at=at)
            self._flush(hosted, at)

    def follow(self, hosted: Hosted, connection: int, seat: int | None, at: int) -> None:
        """Let a connection follow a table from now on.

        That a seat is back is told before its connection follows: to that one it is among what it missed.
        """
        if seat is not None:
            self._presence(hosted, seat, away=False, at=at)
        hosted.follow(connection, seat)
        if seat is None:
            self._watchers_changed(hosted, at)

    def follow_late(self, hosted: Hosted, connection: int, delay_s: int, at: int) -> None:
        """Let a spectator follow a table some time after everybody else."""
        hosted.follow_late(self.late.group(hosted.key, delay_s, hosted.muted), connection, at)
        self._watchers_changed(hosted, at)

    def unfollow(self, hosted: Hosted, connection: int, at: int) -> None:
        watched = hosted.seat_of(connection) is None
        left = hosted.unfollow(connection, at)
        if left is not None:
            self._presence(hosted, left, away=True, at=at)
        self._schedule(hosted)  # nobody may be left to put it away for
        if watched:
            self._watchers_changed(hosted, at)

    def _watchers_changed(self, hosted: Hosted, at: int) -> None:
        hosted.watchers_changed(self._outgoing.append, at)
        self._schedule(hosted)

    def enqueue(self, hosted: Hosted, seat: int, command: Command, at: int) -> None:
        """Let a command wait for the end of the loop turn."""
        hosted.inbox.put(Claim(at, seat, command))
        self._dirty[hosted.key] = hosted

    def settle(self) -> None:
        """Judge all that waits, table by table, in the order of arrival (core/inbox.py)."""
        if not self._dirty:
            return
        dirty, self._dirty = self._dirty, {}
        for hosted in dirty.values():
            self._judge(hosted)

    def _judge(self, hosted: Hosted) -> None:
        with self._only_this_table_fails(hosted):
            last = 0
            for claim in hosted.inbox.drain(hosted.match.deadline):
                hosted.match.receive(claim.seat, claim.command, claim.at)
                last = max(last, claim.at)
            self._flush(hosted, last)

    def _catch_up(self, hosted: Hosted, at: int, *, anyway: bool) -> None:
        """Judge what waits, if a timer is about to ring that ran out after it came (N25), or in any case.

        A seat's coming or going is told to the match at once: what arrived before it, such as a claim to the win, comes
        before it. It forestalls no other seat's claim of the same loop turn, as one who is away has sent none.
        """
        due = hosted.match.deadline()
        if hosted.key in self._dirty and (anyway or (due is not None and due <= at)):
            del self._dirty[hosted.key]
            self._judge(hosted)

    def deadline(self) -> int | None:
        """When :meth:`tick` has something to do next, in nanoseconds."""
        return self._alarms[0][0] if self._alarms else None

    def tick(self, at: int) -> None:
        """Carry out all timers that have run out."""
        while self._alarms and self._alarms[0][0] <= at:
            due, key = heappop(self._alarms)
            hosted = self._tables.get(key)
            if hosted is None or hosted.scheduled != due:
                continue  # an alarm that a nearer one has replaced
            hosted.scheduled = None
            put_away_at = hosted.put_away_at()
            if put_away_at is not None and put_away_at <= at:
                self.remove(hosted)
            else:
                with self._only_this_table_fails(hosted):
                    hosted.tick(self._outgoing.append, at)
                    hosted.match.tick(at)
                    self._flush(hosted, at)

    def remove(self, hosted: Hosted) -> None:
        """Put a table away; its followers hear no more of it."""
        del self._tables[hosted.key]
        self._dirty.pop(hosted.key, None)
        self.put_away.append(hosted)
        self.accepted.append(TablePutAway(hosted.key))

    @contextmanager
    def _only_this_table_fails(self, hosted: Hosted) -> Generator[None]:
        """A fault of ours at one table closes that table, and is kept for the shell to log; the others play on."""
        try:
            yield
        except Exception as fault:  # noqa: BLE001  # whatever it is, it must not reach the other tables
            self.faults.append((hosted.key, fault))
            self.remove(hosted)

    def _flush(self, hosted: Hosted, at: int) -> None:
        log: Sequence[Entry] = hosted.match.log
        if hosted.logged < len(log):
            self.accepted += [TableTold(hosted.key, entry) for entry in log[hosted.logged :]]
            hosted.logged = len(log)
        if hosted.flush(self._outgoing.append, at, self.tally) and hosted.match.ended:
            self.accepted.append(TableOver(hosted.key, hosted.match.ended))
            self.over.append(hosted)
        self._schedule(hosted)

    def _schedule(self, hosted: Hosted) -> None:
        """See to it that :meth:`tick` looks at this table in time.

        A later deadline needs no new alarm: when the old one rings there is nothing to do but to set the next.
        """
        deadline = hosted.deadline()
        if deadline is not None and (hosted.scheduled is None or deadline < hosted.scheduled):
            hosted.scheduled = deadline
            heappush(self._alarms, (deadline, hosted.key))
