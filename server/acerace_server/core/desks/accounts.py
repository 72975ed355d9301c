"""Claimed names, passwords and tokens.

A name is decided here, at once, and becomes a record; passwords are hashed elsewhere. Everything that is answered has
been committed, as the answer goes out after its beat's records.
"""

from collections.abc import Callable, Mapping
from typing import Final, cast

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
from acerace_protocol.limits import PASSWORDS_WAITING_MAX, TOKENS_PER_PLAYER, CloseCode, Fault
from acerace_protocol.messages import Problem
from acerace_server.core import jobs
from acerace_server.core.connection import Connection
from acerace_server.core.desks.front import FrontDesk
from acerace_server.core.guesses import Guesses, of_address, of_connection, of_name, of_player
from acerace_server.core.hosted import Outgoing
from acerace_server.core.names import fold, require_shown
from acerace_server.core.office import Handler, Office
from acerace_server.core.records import NameClaimed, Owner, TokenAdded, TokenInfo, TokenRevoked
from acerace_server.core.refusal import RefusalError
from acerace_server.core.session import Player, sha256_of

LOGIN_LABEL: Final = "login"
"""Of the tokens that logging in makes, and takes back when there are too many."""
_TOKEN_COSTS_MESSAGES: Final = 20
"""What is kept for ever may not come at the rate of messages."""


class AccountsDesk:
    """Keeps who is who beyond a token."""

    def __init__(self, office: Office, front: FrontDesk) -> None:
        self._office = office
        self._front = front
        self._guesses = Guesses()
        self._waiting = 0
        """Passwords that are being hashed."""

    @property
    def answers(self) -> Mapping[type, Handler]:
        return {
            ClaimName: self._claim_name,
            Login: self._login,
            NewToken: self._new_token,
            ListTokens: self._list_tokens,
            RevokeToken: self._revoke_token,
        }

    # --- names ---

    def _claim_name(self, connection: Connection, message: ClaimName, at: int) -> None:
        player, names = connection.player, self._office.names
        name = require_shown(message.name)
        if names.has_claimed(player.key) and not connection.knows_password:
            raise RefusalError(Fault.NOT_ALLOWED, "log in with the password to change it or the name")
        self._require_turn(connection)
        names.begin(player.key, name)

        def settled() -> None:
            names.give_up(name)

        def hashed(result: object, at: int) -> None:
            del at
            self._claimed(player, name, str(result))
            connection.knows_password = True
            self._answer(connection, Named(name=name, nonce=message.nonce))

        try:
            shares = [of_connection(connection.number), of_player(player.key), *of_address(connection.source)]
            self._guesses.pay(shares, at)
            self._hash(connection, jobs.HashPassword(message.password), hashed, settled, message.nonce)
        except RefusalError:
            settled()
            raise

    def _claimed(self, player: Player, name: str, password_hash: str) -> None:
        office = self._office
        office.names.claim(player.key, name)
        office.records.append(NameClaimed(player.key, name, password_hash))
        player.name = name
        for connection in office.connections.values():  # guests who are here under this name
            if guest := connection.found:
                guest.name = office.names.shown(guest.key, guest.name)

    # --- passwords ---

    def _login(self, connection: Connection, message: Login, at: int) -> None:
        if connection.found:
            raise RefusalError(Fault.HELLO_TWICE, f"this connection is {connection.found.name}")
        self._require_turn(connection)

        def checked(result: object, at: int) -> None:
            del at
            if not isinstance(result, Owner):
                raise RefusalError(Fault.WRONG_PASSWORD, "nobody has claimed this name with this password")
            if connection.number in self._office.connections:
                self._logged_in(connection, result)

        owners, source = self._office.names.owners(message.name), connection.source
        known = any(self._office.sessions.was_at(owner, source) for owner in owners)
        of_this_name = of_name(fold(message.name), source, known=known)
        self._guesses.pay([of_connection(connection.number), *of_address(source), *of_this_name], at)
        self._hash(connection, jobs.CheckPassword(owners, message.password), checked)

    def _logged_in(self, connection: Connection, owner: Owner) -> None:
        office = self._office
        if connection.found:  # it has said hello meanwhile
            raise RefusalError(Fault.HELLO_TWICE, f"this connection is {connection.found.name}")
        player = office.sessions.know(owner.player)
        office.sessions.require_room(player)
        while len(player.tokens_sha256) >= TOKENS_PER_PLAYER:
            self._revoke(player, _dispensable(player, owner.tokens))
        token = self._add_token(player, LOGIN_LABEL)
        connection.knows_password = True
        self._front.enter(connection, player, token)

    def _require_turn(self, connection: Connection) -> None:
        if connection.checking:
            raise RefusalError(Fault.TOO_FAST, "one password at a time; wait for the answer")
        if self._waiting >= PASSWORDS_WAITING_MAX:
            raise RefusalError(Fault.TOO_MANY, f"{PASSWORDS_WAITING_MAX} passwords wait already; try again")

    def _hash(
        self,
        connection: Connection,
        job: jobs.HashPassword | jobs.CheckPassword,
        go_on: jobs.Then,
        settled: Callable[[], None] | None = None,
        nonce: int | None = None,
    ) -> None:
        """Have a slow job done, one a connection and a few in all. Raises as :meth:`Office.ask`."""

        def done() -> None:
            self._waiting -= 1
            connection.checking = False
            if settled:
                settled()

        self._office.ask(connection, job, go_on, nonce=nonce, settled=done)
        self._waiting += 1
        connection.checking = True

    # --- tokens ---

    def _new_token(self, connection: Connection, message: NewToken, at: int) -> None:
        del at
        player = connection.player
        if not self._office.names.has_claimed(player.key):
            raise RefusalError(Fault.NAME_NEEDED, "claim a name first")
        if len(player.tokens_sha256) >= TOKENS_PER_PLAYER:
            raise RefusalError(Fault.TOO_MANY, f"you have {TOKENS_PER_PLAYER} tokens; revoke one first")
        connection.charge(_TOKEN_COSTS_MESSAGES)
        token = self._add_token(player, message.label)
        self._answer(connection, TokenMade(token=token, label=message.label, nonce=message.nonce))

    def _list_tokens(self, connection: Connection, message: ListTokens, at: int) -> None:
        del at
        self._tell_tokens(connection, message.nonce)

    def _revoke_token(self, connection: Connection, message: RevokeToken, at: int) -> None:
        del at
        player = connection.player
        if len(message.key) < TOKEN_KEY_LETTERS:
            raise RefusalError(Fault.NO_SUCH_TOKEN, f"a key has {TOKEN_KEY_LETTERS} letters")
        meant = [sha256 for sha256 in player.tokens_sha256 if sha256.startswith(message.key)]
        if not meant:
            raise RefusalError(Fault.NO_SUCH_TOKEN, f"you have no valid token {message.key!r}")
        self._tell_tokens(connection, message.nonce)  # looked up after the records below are committed
        connection.charge(_TOKEN_COSTS_MESSAGES)
        for sha256 in meant:
            self._revoke(player, sha256)

    def _tell_tokens(self, connection: Connection, nonce: int) -> None:
        def listed(result: object, at: int) -> None:
            del at
            found = cast("tuple[TokenInfo, ...]", result)
            keys = tuple(
                TokenKey(
                    key=token.sha256[:TOKEN_KEY_LETTERS],
                    label=token.label,
                    made_us=token.made_us,
                    revoked=token.revoked_us is not None,
                )
                for token in found
            )
            self._answer(connection, Tokens(tokens=keys, nonce=nonce))

        self._office.ask(connection, jobs.ListTokens(connection.player.key), listed, nonce=nonce)

    def _add_token(self, player: Player, label: str) -> str:
        token = self._office.sessions.add_token(player)
        self._office.records.append(TokenAdded(player.key, sha256_of(token), label))
        return token

    def _revoke(self, player: Player, sha256: str) -> None:
        """Make a token worthless, and close the connections that came with it."""
        office = self._office
        office.sessions.revoke_token(player, sha256)
        office.records.append(TokenRevoked(sha256))
        came_with_it = tuple(
            number for number in player.connections if office.connections[number].token_sha256 == sha256
        )
        if came_with_it:
            problem = Problem(code=Fault.TOKEN_REVOKED, detail="the token that this connection came with was revoked")
            for number in came_with_it:
                office.connections[number].closing = True
            office.outgoing.append(Outgoing(came_with_it, problem, CloseCode.TOKEN_REVOKED))

    def _answer(self, connection: Connection, message: Named | TokenMade | Tokens) -> None:
        if connection.number in self._office.connections:
            self._office.send(connection, message)


def _dispensable(player: Player, tokens: tuple[TokenInfo, ...]) -> str:
    """The token that a login takes the place of: the oldest that a login made, or else the oldest there is."""
    valid = [token for token in reversed(tokens) if token.sha256 in player.tokens_sha256]
    if not valid:
        return min(player.tokens_sha256)  # all were made while the password was checked
    return next((token.sha256 for token in valid if token.label == LOGIN_LABEL), valid[0].sha256)
