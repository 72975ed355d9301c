"""``acerace replay``: plays a finished game again as text, and verifies it."""

import argparse
import asyncio
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from acerace_client.commands.common import OK, Subparsers, UsageError, add_url, new_parser
from acerace_client.commands.telling import contributed, picture
from acerace_client.connection import Connection
from acerace_client.replays.checking import Step, read, steps
from acerace_protocol.messages import TableCommand
from acerace_protocol.people import GetReplay
from acerace_protocol.people import Replay as ReplayPart
from acerace_protocol.replay_text import Denied, Happened, Replay, Told
from acerace_rules.cards import SUIT_LETTERS, face_text, make_card
from acerace_rules.catalogue import GAMES
from acerace_rules.options import Value
from acerace_rules.scoring import score_text
from acerace_rules.table import Table
from acerace_rules.view import view

_TABLE_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
_STDIN: Final = "-"


def add(subparsers: Subparsers) -> None:
    parser = new_parser(
        subparsers,
        "replay",
        "play a finished game again, and verify it",
        [
            "replay game.txt",
            "replay 3f9c2a7b11d04e5f6a70 --url ws://example.org/ws --save game.txt",
            "replay game.txt --verify --commitment 630dcd2966c4336691125448bbb25b4f...",
            "replay game.txt --step",
        ],
    )
    parser.description = (
        f"{parser.description} Every move, refusal, race and timer is judged again by the rules, and the deal is made"
        " again from its secret; at the first thing that is not true it stops, with the number of the line."
    )
    parser.add_argument("game", help="a replay file, - for standard input, or the id of a table on the server")
    add_url(parser)
    parser.add_argument("--verify", action="store_true", help="verify only, and say so in one line")
    parser.add_argument("--step", action="store_true", help="show the table after each move, and wait for Enter")
    parser.add_argument("--commitment", metavar="HEX", help="what you were told before the deal: must be in the file")
    parser.add_argument("--save", metavar="FILE", type=Path, help="keep the replay file")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    text = _text(args.game, args.url)
    if args.save:
        _save(args.save, text)
    replay = read(text)
    if not args.verify:
        print(_heading(replay))
    table = None
    for step in steps(replay, args.commitment):
        table = step.table
        if not args.verify:
            _show(replay, step, stop=args.step)
    if not args.verify:
        print(f"{picture(view(table)) if table else ''}{_result(replay, table)}")
    print(_verified(replay, promised=args.commitment is not None))
    return OK


# --- where it comes from -----------------------------------------------------------------------------------


def _text(game: str, url: str) -> str:
    """The file's text. Raises :class:`UsageError`, :class:`acerace_client.errors.ClientError`."""
    if game == _STDIN:
        return sys.stdin.read()
    path = Path(game)
    if path.is_file():
        try:
            return path.read_bytes().decode()  # not read_text: it would forgive other ends of lines
        except (OSError, UnicodeError) as error:
            raise UsageError(f"{game} cannot be read: {error}") from None
    if not _TABLE_ID.fullmatch(game):
        raise UsageError(f"there is no file {game!r}, and a table's id looks otherwise")
    return asyncio.run(_fetch(url, game))


async def _fetch(url: str, table: str) -> str:
    async with Connection(url, agent="acerace replay") as connection:
        parts: list[str] = []
        while True:
            await connection.send(GetReplay(table=table, part=len(parts), nonce=connection.nonce()))
            answer = await connection.expect(ReplayPart)
            parts.append(answer.text)
            if len(parts) >= answer.parts:
                return "".join(parts)


def _save(path: Path, text: str) -> None:
    try:
        path.write_bytes(text.encode())
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None


# --- how it is told ----------------------------------------------------------------------------------------


def _heading(replay: Replay) -> str:
    opened = datetime.fromtimestamp(replay.opened_us / 1_000_000, UTC)
    options = ", ".join(f"{key} {_plain(value)}" for key, value in replay.options.items()) or "no options"
    lines = [
        f"table    {replay.table}{', rated' if replay.rated else ''}",
        f"game     {replay.game}: {options}",
        f"players  {' - '.join(player.name for player in replay.players)}",
        f"opened   {opened:%Y-%m-%d %H:%M:%S} UTC",
        f"deal     {replay.code or f'commitment {replay.commitment}'}",
        "",
    ]
    return "\n".join(lines)


def _plain(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _show(replay: Replay, step: Step, *, stop: bool) -> None:
    print(_line(replay, step.told))
    shown = step.told.outcome and not isinstance(step.told.outcome, Denied)
    if step.table is not None and shown and (stop or any(h.event == "dealt" for h in _events(step.told))):
        print(picture(view(step.table)))
    if stop and sys.stdin.isatty():
        input("-- Enter for the next --")


def _events(told: Told) -> tuple[Happened, ...]:
    return () if isinstance(told.outcome, Denied) else told.outcome


def _line(replay: Replay, told: Told) -> str:
    """``  3.312  Ada          c7:1>c6   Jd, turns up 6d``."""
    who = replay.players[told.seat].name if told.seat >= 0 else "(clock)"
    if isinstance(told.what, str):
        what = {"away": "is away", "back": "is back", "timeout": "time"}[told.what]
    else:
        what = _command(told.what)
    return f"{told.at_ns / 1e9:>9.3f}  {who:<12} {what:<9} {_outcome(replay, told)}".rstrip()


def _command(command: TableCommand) -> str:
    return str(getattr(command, "move", command.__struct_config__.tag))


def _outcome(replay: Replay, told: Told) -> str:
    if isinstance(told.outcome, Denied):
        denied = told.outcome
        if denied.margin_us is not None:
            return f"refused: second by {denied.margin_us / 1000:.3f} ms, after event {denied.seq}"
        return f"refused: {denied.reason}"
    return "; ".join(text for happened in told.outcome if (text := _event(replay, happened)))


def _event(replay: Replay, happened: Happened) -> str:
    turned = f", turns up {happened.turned}" if happened.turned else ""
    match happened.event:
        case "played":
            return " ".join(happened.cards) + turned
        case "undone":
            return f"takes {' '.join(happened.cards)} back".replace("  ", " ")
        case "ended":
            return f"the end: {replay.ended.reason}"
        case other:
            return {"dealt": "the deal", "warned": "no progress"}.get(other, "")


def _result(replay: Replay, table: Table | None) -> str:
    ended, names = replay.ended, [player.name for player in replay.players]
    lines = [
        f"race for {face_text(make_card(race.rank, SUIT_LETTERS.index(race.suit)))}: {names[race.winner]} was first, "
        f"{race.margin_us / 1000:.3f} ms before {names[race.loser]}"
        for race in ended.races
    ]
    if table and len(names) > 1:
        lines += [f"{name:<12} {contributed(table, seat)}" for seat, name in enumerate(names)]
    scoring = GAMES[replay.game].variant(replay.options).scoring
    scores = ":".join(score_text(scoring, score) for score in ended.scores)
    winner = "nobody wins" if ended.winner is None else f"{names[ended.winner]} wins"
    lines.append(f"{winner} {scores} ({ended.reason}) after {ended.duration_ms / 1000:.1f} s")
    return "\n".join(lines)


def _verified(replay: Replay, *, promised: bool) -> str:
    deal = f"deal {replay.code}"
    if replay.code is None:
        deal = "the deal is the one that was promised" if promised else "the deal fits the commitment in the file"
    return f"verified: {len(replay.entries)} entries, {replay.ended.seq} events, the result; {deal}"
