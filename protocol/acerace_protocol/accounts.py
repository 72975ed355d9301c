"""The messages about whose a name is, and the tokens that stand for it; both directions."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from acerace_protocol.fields import Key, Name, Nonce, Password
from acerace_protocol.from_client import FromClient
from acerace_protocol.from_server import FromServer

TOKEN_KEY_LETTERS: Final = 12
"""Of a token's SHA-256 in hex: by so many it is told from the player's others."""
Label = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[ -~]*$(?!\n)")]


class ClaimName(FromClient, frozen=True, kw_only=True, tag="claim_name"):
    """Makes a name one's own: nobody else can take it, and ``login`` brings one's seats back on any device."""

    name: Name
    password: Password
    nonce: Nonce


class Login(FromClient, frozen=True, kw_only=True, tag="login"):
    """In place of ``hello``: the owner of a claimed name; answered by ``welcome`` with a new token."""

    name: Name
    password: Password


class NewToken(FromClient, frozen=True, kw_only=True, tag="new_token"):
    """Makes one more token of one's own, for a bot or another device; needs a claimed name."""

    label: Label
    nonce: Nonce


class ListTokens(FromClient, frozen=True, kw_only=True, tag="list_tokens"):
    """Asks for ``tokens``, one's own."""

    nonce: Nonce


class RevokeToken(FromClient, frozen=True, kw_only=True, tag="revoke_token"):
    """Makes one of one's tokens worthless; connections that came with it are closed."""

    key: Key
    nonce: Nonce


class Named(FromServer, frozen=True, kw_only=True, tag="named"):
    """The name is yours."""

    name: str
    nonce: Nonce


class TokenMade(FromServer, frozen=True, kw_only=True, tag="token_made"):
    """A new token; it is shown only this once."""

    token: str
    label: str
    nonce: Nonce


class TokenKey(Struct, frozen=True, omit_defaults=True):
    """A token, by what can be told of it."""

    key: str
    """For ``revoke_token``: the first ``TOKEN_KEY_LETTERS`` letters of its SHA-256."""
    label: str
    made_us: int
    """Microseconds of UTC since 1970."""
    revoked: bool = False


class Tokens(FromServer, frozen=True, kw_only=True, tag="tokens"):
    """Your tokens."""

    tokens: tuple[TokenKey, ...]
    nonce: Nonce


FromAccounts = ClaimName | Login | NewToken | ListTokens | RevokeToken
ToAccounts = Named | TokenMade | Tokens
