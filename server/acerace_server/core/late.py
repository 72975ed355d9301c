"""Spectators who asked to be told some time after everybody else.

They are told what everybody was told, in the same order and with the same distances, ``delay`` later; the first of it
is the table as it stood when they came. Those of one table who wait equally long share one queue.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from acerace_protocol.limits import HISTORY_EVENTS
from acerace_protocol.messages import Closing, EventBase, ServerMessage, Snapshot
from acerace_protocol.people import Said
from acerace_protocol.units import SECOND_NS

Tell = Callable[[tuple[int, ...], ServerMessage], None]
"""Sends connections a message."""


class Held(NamedTuple):
    """A message, and when it is told."""

    due: int
    message: ServerMessage
    joins: int | None = None
    """A connection that alone gets this message, and belongs to the group from the first such on."""


class LateGroup:
    """Those who follow one table equally late."""

    def __init__(self, table: str, delay_ns: int, muted: set[int], ring: "Callable[[LateGroup], None]") -> None:
        """``ring`` is called when there is something to wait for and there was nothing before, or nobody is left."""
        self.table = table
        self.delay_ns = delay_ns
        self.told: tuple[int, ...] = ()
        """The connections that have been told of the table."""
        self.waiting: set[int] = set()
        """Those to whom it is still dark."""
        self._ring = ring
        self._muted = muted
        """Of the table: connections that are spared emotes."""
        self._held: deque[Held] = deque()
        self._messages = 0
        """Of those held: not counting the first ones of each connection."""
        self._shown = 0
        """The event up to which a snapshot that stands for others has told everything."""
        self.scheduled: int | None = None
        """When it will be looked at next."""

    def __len__(self) -> int:
        return len(self.told) + len(self.waiting)

    def __contains__(self, connection: int) -> bool:
        return connection in self.waiting or connection in self.told

    def join(self, connection: int, messages: Iterable[ServerMessage], at: int) -> None:
        """Let a connection be told these, and then what the others are told."""
        self.waiting.add(connection)
        for message in messages:
            self._hold(Held(at + self.delay_ns, message, connection))

    def drop(self, connection: int) -> None:
        self.told = tuple(other for other in self.told if other != connection)
        self.waiting.discard(connection)
        kept = [held for held in self._held if held.joins != connection] if self else []
        self._held = deque(kept)
        self._messages = sum(held.joins is None for held in kept)
        if not self:
            self._ring(self)

    def hold(self, message: ServerMessage, at: int) -> None:
        """Keep what everybody else is told at ``at``, unless a snapshot that is held shows it already."""
        if isinstance(message, EventBase) and message.seq <= self._shown:
            return
        self._hold(Held(at + self.delay_ns, message))
        self._messages += 1

    @property
    def held(self) -> int:
        """How much is kept."""
        return len(self._held)

    @property
    def is_full(self) -> bool:
        return self._messages >= HISTORY_EVENTS

    def thin(self, standing: Iterable[ServerMessage], at: int) -> None:
        """Give up the newer half of what is held.

        These stand for it: the table as it is now, and what followed its end.
        """
        kept: deque[Held] = deque()
        messages = 0
        for held in self._held:
            if held.joins is not None or messages < HISTORY_EVENTS // 2:
                kept.append(held)
                messages += held.joins is None
        self._held, self._messages = kept, messages
        for message in standing:
            self.hold(message, at)
            if isinstance(message, Snapshot):
                self._shown = message.seq

    def due(self) -> int | None:
        """When something is to be told, in nanoseconds."""
        return self._held[0].due if self._held else None

    def tell(self, at: int, tell: Tell) -> Iterator[ServerMessage]:
        """Tell what is due by ``at``, and hand each message back after it was told."""
        while self._held and self._held[0].due <= at:
            held = self._held.popleft()
            if held.joins is not None:
                if held.joins in self.waiting:
                    self.waiting.remove(held.joins)
                    self.told = (*self.told, held.joins)
                tell((held.joins,), held.message)
                continue
            self._messages -= 1
            spared = self._muted if isinstance(held.message, Said) else ()
            tell(tuple(number for number in self.told if number not in spared), held.message)
            yield held.message

    def _hold(self, held: Held) -> None:
        self._held.append(held)
        if len(self._held) == 1:
            self._ring(self)


class LateGroups:
    """The groups of all tables, and their timers. A group outlives its table: the end is told late as well."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._groups: dict[tuple[str, int], LateGroup] = {}
        self._alarms: list[tuple[int, str, int]] = []

    def __len__(self) -> int:
        return len(self._groups)

    def group(self, table: str, delay_s: int, muted: set[int]) -> LateGroup:
        """Those who follow this table so late, perhaps nobody yet."""
        key = table, delay_s * SECOND_NS
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = LateGroup(*key, muted, self._ring)
        return group

    def drop(self, table: str, connection: int) -> None:
        """Tell a connection nothing more of a table that is put away."""
        for group in self._groups.values():
            if group.table == table:
                group.drop(connection)

    def deadline(self) -> int | None:
        """When :meth:`tick` has something to do next, in nanoseconds."""
        return self._alarms[0][0] if self._alarms else None

    def tick(self, at: int, closed: Callable[[int, str], None]) -> None:
        """Tell all that is due; ``closed`` is told of each connection and table of which it has heard the last."""
        while self._alarms and self._alarms[0][0] <= at:
            due, table, delay_ns = heappop(self._alarms)
            group = self._groups.get((table, delay_ns))
            if group is not None and group.scheduled == due:  # else a nearer alarm has replaced this one
                group.scheduled = None
                self._catch_up(group, at, closed)

    def _catch_up(self, group: LateGroup, at: int, closed: Callable[[int, str], None]) -> None:
        for message in group.tell(at, self._tell):
            if isinstance(message, Closing):
                for connection in group.told:
                    closed(connection, group.table)
                    group.drop(connection)
        self._ring(group)

    def _ring(self, group: LateGroup) -> None:
        """See to it that :meth:`tick` looks at a group in time, and forget one of nobody that has no alarm.

        With an alarm it stays: who comes and goes and comes again shall not set one each time.
        """
        due = group.due()
        if due is not None and (group.scheduled is None or due < group.scheduled):
            group.scheduled = due
            heappush(self._alarms, (due, group.table, group.delay_ns))
        elif not group and group.scheduled is None:
            self._groups.pop((group.table, group.delay_ns), None)
