"""Connects a bot to a server: takes a seat, plays to the end, and checks that the deal was fair."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Final

from acerace_client.bots.position import Bot, Position
from acerace_client.connection import Connection
from acerace_client.follow import Follower
from acerace_client.link import Link
from acerace_client.mirror import Mirror
from acerace_client.seating import Start, known_tables, next_of_series, take_seat
from acerace_protocol.messages import (
    Claim,
    Done,
    Ended,
    Leave,
    Pass,
    Play,
    Presence,
    Problem,
    Ready,
    Refused,
    Resign,
    Resume,
    Seek,
    SeriesInfo,
    ServerMessage,
    Snapshot,
)
from acerace_rules.moves import Move, Reason

SILENCE_S: Final = 30.0
"""After so long without a message the table is asked for what was missed."""
_TOO_FAST_WAIT_S: Final = 0.2


@dataclass(frozen=True, slots=True)
class Result:
    """A game that is over."""

    table: str
    seat: int
    ended: Ended
    mirror: Mirror
    """As it was at the end."""
    deal_fault: str | None
    """What is wrong with the deal; ``None``: nothing, or it is a solo game."""
    deal_checked: bool
    """Whether the deal could be checked: the whole match was seen."""
    lost_races: int
    series: SeriesInfo | None = None
    """Where the series stands after this game, if it is one of a series; by seats of this game."""

    @property
    def won(self) -> bool:
        return self.ended.winner == self.seat


class Player:
    """One bot in one seat of one table."""

    def __init__(self, link: Link, snapshot: Snapshot, seat: int, bot: Bot, *, pace_ms: int = 0) -> None:
        """``pace_ms``: the least time from one move to the next."""
        self.follower = Follower(link, snapshot)
        self.seat = seat
        self.lost_races = 0
        self._link = link
        self._bot = bot
        self._pace_s = pace_ms / 1000
        self._waiting: int | None = None
        """The nonce whose answer has not come."""
        self._move: Move | None = None
        self._refused: set[Move] = set()
        """Moves refused since the last event: asking again would not help."""
        self._asked = -1
        """The event after which nothing was to be done."""
        self._not_before = 0.0
        self._wake_at: float | None = None
        """When to act though nothing came: the pace held a move back."""
        self._claim_at: float | None = None
        self._claim_after(snapshot.claim_in_ms)

    async def play(self, seed: str = "") -> None:
        """Say ready (``seed``: in hex, added to the deal's), then play to the end.

        Raises :class:`ProblemError`, :class:`ConnectionLostError`.
        """
        mirror = self.follower.mirror
        if mirror.phase == "waiting" and not mirror.ready[self.seat]:
            await self._link.send(Ready(table=mirror.id, nonce=self._link.nonce(), seed=seed))
        while mirror.ended is None:
            if not self._link.pending:  # decide only on the newest position
                await self._act()
            silent_s = self._silence_s()
            try:
                message = await self._link.receive(silent_s)
            except TimeoutError:
                if silent_s == SILENCE_S:  # does the table still exist? its silence may be all there will ever be
                    await self._link.send(Resume(table=mirror.id, seen=mirror.seq))
                continue
            await self._take(message)

    # --- what comes in -------------------------------------------------------------------------------------

    async def _take(self, message: ServerMessage) -> None:
        if await self.follower.take(message):
            self._refused.clear()
        match message:
            case Refused(nonce=nonce) if nonce == self._waiting:
                self._was_refused(message)
            case Problem(nonce=nonce) if nonce is not None and nonce == self._waiting:
                self._waiting = None
                self._not_before = self._now + _TOO_FAST_WAIT_S
            case Presence(table=table, seat=seat, claim_in_ms=ms) if table == self.follower.mirror.id:
                if seat != self.seat:
                    self._claim_after(ms)
            case Snapshot(table=table, claim_in_ms=ms) if table == self.follower.mirror.id:
                self._claim_after(ms)
            case _ if self._waiting is not None and getattr(message, "nonce", None) == self._waiting:
                self._waiting = None
            case _:
                pass

    def _claim_after(self, ms: int | None) -> None:
        """As this seat is here, it is the other that is away."""
        self._claim_at = None if ms is None else self._now + ms / 1000

    def _was_refused(self, refused: Refused) -> None:
        self._waiting = None
        self.lost_races += refused.reason is Reason.LOST_RACE
        if self._move is not None:
            self._refused.add(self._move)
        elif refused.reason is not Reason.NOT_ABSENT:  # a claim that came too late: the other is back, and we play on
            self._asked = self.follower.mirror.seq  # done or pass: not now

    # --- what goes out -------------------------------------------------------------------------------------

    async def _act(self) -> None:
        mirror = self.follower.mirror
        self._wake_at = None
        if self._waiting is not None:
            return
        if self._now < self._not_before:
            self._wake_at = self._not_before
            return
        if self._claim_at is not None and self._now >= self._claim_at:
            self._claim_at = None
            await self._command(Claim(table=mirror.id, nonce=self._link.nonce()))
            return
        if mirror.view is None or not mirror.may_move(self.seat) or self._asked == mirror.seq:
            return
        legal = [move for move in mirror.legal(self.seat) if move not in self._refused]
        move = self._bot.choose(Position(mirror.view, self.seat, legal, mirror.seq, mirror.turn, tuple(mirror.done)))
        if move is None or move in self._refused:
            await self._nothing_to_play(mirror)
            return
        self._not_before = self._now + self._pace_s
        await self._command(Play(table=mirror.id, nonce=self._link.nonce(), move=str(move), seen=mirror.seq), move)

    async def _nothing_to_play(self, mirror: Mirror) -> None:
        """Alone: give up. Against somebody: say so once, and in alternating pace let the other go on."""
        nonce = self._link.nonce()
        if mirror.terms is None:
            await self._command(Resign(table=mirror.id, nonce=nonce))
        elif not mirror.done[self.seat]:
            await self._command(Done(table=mirror.id, nonce=nonce))
        elif mirror.turn is not None:
            await self._command(Pass(table=mirror.id, nonce=nonce))
        else:
            self._asked = mirror.seq

    async def _command(self, command: Play | Pass | Done | Resign | Claim, move: Move | None = None) -> None:
        self._waiting, self._move = command.nonce, move
        await self._link.send(command)

    # --- time ----------------------------------------------------------------------------------------------

    @property
    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def _silence_s(self) -> float:
        """How long to wait for a message before there is something to do without one."""
        if self._waiting is not None:
            return SILENCE_S
        due = [at for at in (self._claim_at, self._wake_at) if at is not None]
        return min(SILENCE_S, max(0.0, min(due) - self._now)) if due else SILENCE_S


async def play_one(
    connection: Connection,
    bot: Bot,
    start: Start,
    *,
    pace_ms: int = 0,
    seed: str = "",
    on_seek: Callable[[str], None] | None = None,
) -> Result:
    """Play one game on an open connection; of a series the first match only.

    ``seed`` (hex, up to 64 bytes) is added to the deal's; ``on_seek`` is told the id or code of one's own open seek.
    Raises :class:`ProblemError` (the start was not possible), :class:`ConnectionLostError`.
    """
    snapshot, seat = await take_seat(connection, start, on_seek)
    result = await _play_to_the_end(connection, snapshot, seat, bot, seed, pace_ms)
    await connection.send(Leave(table=snapshot.table))
    return result


async def play_all(  # all but three have a default
    connection: Connection,
    make: Callable[[], Bot],
    start: Start,
    *,
    pace_ms: int = 0,
    new_seed: Callable[[], str] = str,
    on_seek: Callable[[str], None] | None = None,
) -> AsyncIterator[Result]:
    """Play one game, or the whole series if it is the first match of one; each match with a new bot and a new seed.

    Raises as :func:`play_one`.
    """
    known = known_tables(connection)
    snapshot, seat = await take_seat(connection, start, on_seek)
    while True:
        known.add(snapshot.table)
        result = await _play_to_the_end(connection, snapshot, seat, make(), new_seed(), pace_ms)
        stands, following = None, None
        if snapshot.series:
            stands, following = await next_of_series(connection, snapshot.table, known)
        await connection.send(Leave(table=snapshot.table))
        yield replace(result, series=stands)
        if following is None:
            return
        snapshot, seat = following


async def _play_to_the_end(
    connection: Connection, snapshot: Snapshot, seat: int, bot: Bot, seed: str, pace_ms: int
) -> Result:
    player = Player(connection, snapshot, seat, bot, pace_ms=pace_ms)
    await player.play(seed)
    return finished(player, seed)


def finished(player: Player, seed: str = "") -> Result:
    """The result of a game that was played to its end; ``seed`` as it was given to :meth:`Player.play`.

    Raises ``ValueError`` when the game is not over.
    """
    mirror = player.follower.mirror
    if mirror.ended is None:
        raise ValueError(f"table {mirror.id} is not over")
    fault, checked = None, False
    if mirror.terms is not None:
        try:
            fault, checked = player.follower.deal_fault((player.seat, seed)), True
        except LookupError:
            checked = False
    return Result(mirror.id, player.seat, mirror.ended, mirror, fault, checked, player.lost_races)


async def run_bot(  # noqa: PLR0913  # all but two have a default
    url: str,
    make: Callable[[], Bot],
    *,
    start: Start | None = None,
    games: int = 1,
    pace_ms: int = 0,
    name: str | None = None,
    token: str | None = None,
    on_seek: Callable[[str], None] | None = None,
) -> AsyncIterator[Result]:
    """Connect and play ``games`` games one after the other, each with a new bot; a public seek if nothing is said.

    With a ``token`` the bot is that token's player, else a new guest called ``name``. A series is one game, of which
    the result of each match is told.
    Raises :class:`ProblemError`, :class:`ConnectionLostError`.
    """
    async with Connection(url, token=token, name=name, bot=True) as connection:
        for _ in range(games):
            async for result in play_all(connection, make, start or Seek(), pace_ms=pace_ms, on_seek=on_seek):
                yield result
