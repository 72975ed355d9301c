"""Questions that only the store can answer: one at a time for each connection."""

from collections.abc import Callable

from acerace_protocol.limits import QUESTIONS_WAITING_MAX, Fault
from acerace_protocol.messages import Problem, ServerMessage
from acerace_server.core.connection import Connection
from acerace_server.core.jobs import Job
from acerace_server.core.office import Office
from acerace_server.core.refusal import RefusalError


class ArchiveRequests:
    """The questions that wait for their answers."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._waiting: set[int] = set()
        """Connections: a replay is many milliseconds' work, and nobody may fill the workshop with them."""

    def ask(
        self,
        connection: Connection,
        nonce: int,
        job: Job,
        answer: Callable[[object], ServerMessage],
        *,
        table: str | None = None,
    ) -> None:
        """Have a job done, and send what ``answer`` makes of its result; it may raise :class:`RefusalError`.

        ``table`` is the table that was asked about, if there is one.
        Raises :class:`RefusalError` (``TOO_FAST``, ``TOO_MANY``).
        """
        number = connection.number
        if number in self._waiting:
            raise RefusalError(Fault.TOO_FAST, "one question to the archive at a time; wait for its answer")
        if len(self._waiting) >= QUESTIONS_WAITING_MAX:  # which leaves room among the jobs for those who come in
            raise RefusalError(Fault.TOO_MANY, f"{QUESTIONS_WAITING_MAX} questions wait already; try again")

        def answered(result: object, at: int) -> None:
            del at
            self._waiting.discard(number)
            if self._office.connections.get(number) is connection:
                self._office.send(connection, _reply(result, nonce, table, answer))

        self._office.jobs.ask(job, answered)
        self._waiting.add(number)


def _reply(result: object, nonce: int, table: str | None, answer: Callable[[object], ServerMessage]) -> ServerMessage:
    if isinstance(result, Exception):
        return Problem(code=Fault.STORE_FAILED, detail="the archive could not be read", nonce=nonce, table=table)
    try:
        return answer(result)
    except RefusalError as refusal:
        return Problem(code=refusal.fault, detail=refusal.detail, nonce=nonce, table=table)
