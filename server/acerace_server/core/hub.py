"""The whole server without wires: connections' messages and times in, messages for connections out.

The shell calls :meth:`Hub.receive` for each message as it arrives and :meth:`Hub.settle` once at the end of the loop
turn. Table commands only wait in their table's inbox until then; everything else is done at once.
"""

from collections.abc import Callable, Mapping

from acerace_protocol.accounts import Login
from acerace_protocol.codec import MalformedMessageError
from acerace_protocol.limits import LIMITS, MALFORMED_PER_CONNECTION, CloseCode
from acerace_protocol.messages import ClientMessage, Closing, Hello, Problem
from acerace_server.core.archive_requests import ArchiveRequests
from acerace_server.core.bucket import Bucket
from acerace_server.core.connection import Connection
from acerace_server.core.desks.accounts import AccountsDesk
from acerace_server.core.desks.company import CompanyDesk
from acerace_server.core.desks.front import FrontDesk
from acerace_server.core.desks.house import HouseDesk
from acerace_server.core.desks.rating import RatingDesk
from acerace_server.core.desks.records import RecordsDesk
from acerace_server.core.desks.rematches import RematchDesk
from acerace_server.core.desks.seating import SeatingDesk
from acerace_server.core.desks.tables import TablesDesk
from acerace_server.core.hosted import Outgoing
from acerace_server.core.jobs import Job
from acerace_server.core.office import Desk, Handler, Office, World
from acerace_server.core.records import Record, Recovered
from acerace_server.core.refusal import RefusalError
from acerace_server.core.registry import Registry
from acerace_server.core.tally import Tally


class Hub:
    """Everything that holds between connections, seeks and tables."""

    def __init__(
        self,
        *,
        entropy: Callable[[int], bytes],
        server: str,
        today: Callable[[], str],
        seed: bytes | None = None,
        limits: Mapping[str, int] = LIMITS,
        house_secret: str | None = None,
    ) -> None:
        """``limits``: those that the operator has set otherwise, the shell's too, by their names in ``welcome``."""
        office = self._office = Office(World(entropy, today, server, seed, limits, house_secret))
        self.outgoing = office.outgoing
        """For the shell to drain, in order."""
        archive = ArchiveRequests(office)
        rating = RatingDesk(office, archive)  # before whoever opens the next table when a match has ended
        self._seating = SeatingDesk(office)
        self._house = HouseDesk(office, self._seating)
        self._rematches = RematchDesk(office, self._seating)
        front = FrontDesk(office)
        desks: tuple[Desk, ...] = (
            front,
            AccountsDesk(office, front),
            self._seating,
            self._house,
            self._rematches,
            TablesDesk(office),
            CompanyDesk(office),
            rating,
            RecordsDesk(office, archive),
        )
        self._answers: dict[type, Handler] = {}
        for desk in desks:
            self._answers |= desk.answers

    @property
    def registry(self) -> Registry:
        """The tables; for those who look on, such as the tests' invariants."""
        return self._office.registry

    @property
    def tally(self) -> Tally:
        """What was counted since the start."""
        return self._office.registry.tally

    @property
    def accepted(self) -> list[Record]:
        """For the journal to commit, and to clear, before anything in ``outgoing`` is sent."""
        return self._office.records

    @property
    def jobs(self) -> list[tuple[int, Job]]:
        """Number and job: for the shell to have done, and to clear."""
        return self._office.jobs.asked

    @property
    def faults(self) -> list[tuple[str, Exception]]:
        """Tables that had to be closed, and why: for the shell to log, and to clear."""
        return self._office.registry.faults

    # --- connections ---

    def connect(self, conn: int, at: int, source: str = "") -> None:
        """Take up a connection; ``source`` is the address it counts for, if it is counted."""
        limits = self._office.limits
        budget = Bucket(limits["commands_per_second"], limits["commands_burst"], at)
        self._office.connections[conn] = Connection(conn, budget, source)

    def disconnect(self, conn: int, at: int) -> None:
        """Forget a connection; its player's seats stay, and so does a seek until the last connection is gone."""
        connection = self._office.connections.pop(conn, None)
        if connection is None:
            return
        self._office.unfollow_all(connection, at)
        self._house.connection_left(conn)
        player = connection.found
        if player:
            self._office.sessions.leave(conn, player, at)
            if not player.connections:
                self._seating.player_left(player)
                self._rematches.player_left(player)

    def receive(self, conn: int, message: ClientMessage, at: int) -> None:
        """Take one message in. It is answered in this call, or by :meth:`settle` if it is a table command."""
        connection = self._office.connections[conn]
        if connection.closing:
            return  # this came in the same read as what it is closed for
        try:
            connection.pay(at)
            if not isinstance(message, Hello | Login):
                connection.require_hello()
            self._answers[type(message)](connection, message, at)
        except RefusalError as refusal:
            nonce, table = getattr(message, "nonce", None), getattr(message, "table", None)
            self.tally.problems[refusal.fault] += 1
            problem = Problem(code=refusal.fault, detail=refusal.detail, nonce=nonce, table=table)
            self.outgoing.append(Outgoing((conn,), problem, connection.note_refusal(refusal.fault, at)))

    def malformed(self, conn: int, error: MalformedMessageError, at: int) -> None:
        """Say what was wrong with a frame; close the connection when it is one too many."""
        del at
        connection = self._office.connections[conn]
        if connection.closing:
            return
        self.tally.problems[error.fault] += 1
        connection.malformed += 1
        connection.closing = connection.malformed > MALFORMED_PER_CONNECTION
        close = CloseCode.TOO_MANY_MALFORMED if connection.closing else None
        problem = Problem(code=error.fault, detail=error.detail, nonce=error.nonce, table=error.table)
        self.outgoing.append(Outgoing((conn,), problem, close))

    def restore(self, recovered: Recovered, at: int) -> None:
        """Take up, before anyone connects, what the journal of an earlier run has kept.

        Every seat of a match of two counts as away from now on; ``at`` is not before the last stamp in the logs.
        """
        self._office.names.restore(recovered.names)
        for known in recovered.players:
            self._office.sessions.know(known).left_at = at
        for table in recovered.tables:
            self._office.restore_table(table, at)

    def settle(self) -> None:
        """Judge all commands that wait, in the order of their arrival."""
        self._office.registry.settle()
        self._office.sweep()

    def finished(self, job: int, result: object, at: int) -> None:
        """Go on with the result of a job that the shell had done; an exception if it failed."""
        self._office.jobs.finished(job, result, at)

    # --- time ---

    def deadline(self) -> int | None:
        """When :meth:`tick` has something to do next, in nanoseconds."""
        registry = self._office.registry
        tables = (registry.deadline(), registry.late.deadline(), self._office.sessions.deadline())
        times = (*tables, self._seating.deadline(), self._house.deadline())
        return min([time for time in times if time is not None], default=None)

    def tick(self, at: int) -> None:
        """Carry out all timers that have run out, after what arrived before they did."""
        self._office.registry.settle()
        self._office.registry.tick(at)
        self._office.tick_late(at)
        self._office.sessions.forget_absent(at)
        self._office.sweep()
        self._seating.tick(at)
        self._house.tick(at)

    def close(self, at: int) -> None:
        """Tell everyone that the server stops; nothing new begins after this."""
        self.tick(at)
        self._office.closing = True
        closing = Closing(detail="the server stops")
        self.outgoing.append(Outgoing(tuple(self._office.connections), closing, CloseCode.GOING_AWAY))

    def health(self) -> dict[str, int]:
        return {
            "connections": len(self._office.connections),
            "players": len(self._office.sessions),
            "seeks": len(self._seating.lobby),
            "tables": len(self._office.registry),
            "tables_live": self._office.registry.live,
        }
