"""``acerace token``: a name of one's own, and the tokens that stand for it; such as one for a bot."""

import argparse
import asyncio
import hashlib
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from getpass import getpass
from typing import Any, Final, TypeVar

from acerace_client.commands.common import (
    OK,
    TOKEN_VARIABLE,
    Subparsers,
    UsageError,
    add_url,
    given_token,
    new_parser,
)
from acerace_client.dial import Line, dial
from acerace_client.errors import ConnectionLostError, ProblemError
from acerace_protocol.accounts import (
    TOKEN_KEY_LETTERS,
    ClaimName,
    ListTokens,
    Login,
    Named,
    NewToken,
    RevokeToken,
    TokenKey,
    TokenMade,
    Tokens,
)
from acerace_protocol.codec import MSGPACK
from acerace_protocol.fields import PASSWORD_MIN_CHARACTERS
from acerace_protocol.messages import ClientMessage, Hello, Problem

_AGENT: Final = "acerace token"
_ANSWER_TIMEOUT_S: Final = 10.0
_NONCE: Final = 1  # one request on its way at a time

Answer = TypeVar("Answer", Named, TokenMade, Tokens)


def add(subparsers: Subparsers) -> None:
    parser = new_parser(
        subparsers,
        "token",
        "claim a name; list, make and revoke its tokens",
        [
            "token claim --name Robot --bot",
            "token list --name Robot",
            "token new --name Robot --label 'the one at home'",
            "token revoke 5f3e9a0c71d2 --name Robot",
            "bot patient --rated --token $(acerace token claim --name Robot --bot)",
        ],
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    claim = _action(actions, "claim", "make a new player with a name and a password; prints its token", _claim)
    claim.add_argument("--name", required=True, help="the name; the password is asked for")
    claim.add_argument("--bot", action="store_true", help="it is a program, and others are shown so")
    listing = _action(actions, "list", "show the tokens by their keys", _list)
    making = _action(actions, "new", "make one more token, and print it", _new)
    making.add_argument("--label", required=True, help="what you will know it by")
    revoking = _action(actions, "revoke", "make a token worthless, and close its connections", _revoke)
    revoking.add_argument("key", metavar="KEY", help="the key that list shows, or the token itself")
    for one in (listing, making, revoking):
        _add_who(one)


def _action(
    actions: Subparsers, name: str, summary: str, do: Callable[[argparse.Namespace], Coroutine[Any, Any, None]]
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(name, help=summary, description=f"{summary.capitalize()}.")
    add_url(parser)

    def run(args: argparse.Namespace) -> int:
        asyncio.run(do(args))
        return OK

    parser.set_defaults(run=run)
    return parser


def _add_who(parser: argparse.ArgumentParser) -> None:
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--name", help="your name; its password is asked for")
    who.add_argument("--token", help=f"one of your tokens (default: what {TOKEN_VARIABLE} says)")


# --- the actions -------------------------------------------------------------------------------------------


async def _claim(args: argparse.Namespace) -> None:
    password = _new_password()
    hello = Hello(name=args.name, bot=args.bot, agent=_AGENT)
    line, welcome = await dial(args.url, (MSGPACK,), hello)
    try:
        named = await _ask(line, ClaimName(name=args.name, password=password, nonce=_NONCE), Named)
    finally:
        await line.close()
    _tell(f"{named.name} is yours; this is its token, which is shown only now:")
    print(welcome.token)


async def _list(args: argparse.Namespace) -> None:
    async with _entered(args) as (line, own):
        tokens = (await _ask(line, ListTokens(nonce=_NONCE), Tokens)).tokens
    _show([token for token in tokens if token.key != own])


async def _new(args: argparse.Namespace) -> None:
    async with _entered(args) as (line, _):
        made = await _ask(line, NewToken(label=args.label, nonce=_NONCE), TokenMade)
    _tell(f"the token labelled {made.label!r}, which is shown only now:")
    print(made.token)


async def _revoke(args: argparse.Namespace) -> None:
    key = args.key if len(args.key) <= TOKEN_KEY_LETTERS else _key(args.key)
    async with _entered(args) as (line, own):
        tokens = (await _ask(line, RevokeToken(key=key, nonce=_NONCE), Tokens)).tokens
    _show([token for token in tokens if token.key != own])


# --- coming in ---------------------------------------------------------------------------------------------


@asynccontextmanager
async def _entered(args: argparse.Namespace) -> AsyncGenerator[tuple[Line, str | None]]:
    """A connection, and the key of the token that logging in made, which is revoked afterwards."""
    first = _first_message(args)
    line, welcome = await dial(args.url, (MSGPACK,), first)
    own = _key(welcome.token) if isinstance(first, Login) else None
    try:
        yield line, own
    finally:
        if own:
            await line.send(RevokeToken(key=own, nonce=_NONCE))
            await _until_closed(line)
        await line.close()


def _first_message(args: argparse.Namespace) -> Hello | Login:
    if args.name:
        return Login(name=args.name, password=_checked(_typed(f"password of {args.name}: ")))
    token = given_token(args)
    if not token:
        raise UsageError(f"who are you? give --name, or --token, or set {TOKEN_VARIABLE}")
    return Hello(token=token, agent=_AGENT)


def _new_password() -> str:
    password = _checked(_typed("a password for the name: "))
    if _typed("once more: ") != password:
        raise UsageError("these are two passwords")
    return password


def _typed(prompt: str) -> str:
    """A password as somebody types it, unseen; where there is no terminal, the next line of the standard input."""
    return getpass(prompt) if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")


def _checked(password: str) -> str:
    if len(password) < PASSWORD_MIN_CHARACTERS:
        raise UsageError(f"a password has {PASSWORD_MIN_CHARACTERS} characters at least")
    return password


async def _ask(line: Line, message: ClientMessage, kind: type[Answer]) -> Answer:
    """Send one message and wait for its answer. Raises :class:`ProblemError`, :class:`ConnectionLostError`."""
    await line.send(message)
    async with asyncio.timeout(_ANSWER_TIMEOUT_S):
        while (answer := await line.receive()) is not None:
            if isinstance(answer, kind):
                return answer
            if isinstance(answer, Problem):
                raise ProblemError(answer)
    raise ConnectionLostError("the server hung up")


async def _until_closed(line: Line) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(_ANSWER_TIMEOUT_S):
            while await line.receive() is not None:
                pass


def _key(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()[:TOKEN_KEY_LETTERS]


# --- telling -----------------------------------------------------------------------------------------------


def _show(tokens: Sequence[TokenKey]) -> None:
    for token in tokens:
        made = datetime.fromtimestamp(token.made_us / 1e6, UTC)
        state = "revoked" if token.revoked else "valid  "
        print(f"{token.key}  {state}  {made:%Y-%m-%d %H:%M} UTC  {token.label or '(the first)'}")


def _tell(text: str) -> None:
    """Beside the output, which is the token and nothing else."""
    print(text, file=sys.stderr)
