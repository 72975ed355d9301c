"""What can go wrong between a client and a server.

::

    ClientError
    +-- ConnectionLostError     no connection, and no hope of one
    +-- ProblemError            the server did not carry a message out (``fault``)
    +-- NoRematchError          there will be no rematch
    +-- RefusedError            the rules refuse a table command (``reason``)
    +-- ReplayError             a replay that is not true, or no replay at all (``line``)
"""

from typing import cast

from acerace_protocol.messages import Problem, RaceInfo, Refused


class ClientError(Exception):
    """The ancestor of all of them."""


class ConnectionLostError(ClientError):
    """The server cannot be reached, or not again; or the connection was closed here."""

    def __init__(self, text: str, *, retry_in_s: float | None = 0.0) -> None:
        """``retry_in_s``: how long to wait at least before another attempt; ``None``: none will help."""
        super().__init__(text)
        self.retry_in_s = retry_in_s


class ProblemError(ClientError):
    """A message that was not carried out; ``fault`` is one of ``acerace_protocol.limits.Fault``."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.code}: {problem.detail}" if problem.detail else problem.code)
        self.fault = problem.code
        self.detail = problem.detail
        self.nonce = problem.nonce


class NoRematchError(ClientError):
    """The other player does not want another match, or it is too late for one."""


class RefusedError(ClientError):
    """A table command that the rules refuse; ``race`` is the receipt when it was a lost race."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(f"{refused.reason}: {refused.detail}" if refused.detail else str(refused.reason))
        self.reason = refused.reason
        self.detail = refused.detail
        self.race: RaceInfo | None = refused.race


class ReplayError(ClientError):
    """A replay file that does not verify; ``line`` counts from 1."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


def first_error(error: BaseException) -> BaseException:
    """The first of the errors in a group, and in the groups within: one line for people, instead of a tree."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error
