"""Claimed names, tokens, and who has them."""

import unicodedata
from collections.abc import Callable

from sqlalchemy import ColumnElement, Connection, select
from sqlalchemy.exc import IntegrityError

from acerace_server.adapters.sql.database import Database
from acerace_server.adapters.sql.schema import accounts, players, tokens
from acerace_server.core.records import KnownPlayer
from acerace_server.ports import Account, AccountError, NameTakenError, TokenInfo


def fold(name: str) -> str:
    """Names that fold to the same text are one name: case, spaces and ways to write a letter make no difference."""
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())


class SqlAccounts:
    """Implements :class:`acerace_server.ports.Accounts`."""

    def __init__(self, database: Database, utc_us: Callable[[], int]) -> None:
        self._database = database
        self._utc_us = utc_us

    def claim_name(self, player: str, name: str, password_hash: str) -> None:
        folded = fold(name)
        with self._database.writing() as connection:
            _require_player(connection, player)
            connection.execute(accounts.delete().where(accounts.c.player == player))
            try:
                connection.execute(
                    accounts.insert().values(
                        player=player,
                        name=name,
                        folded=folded,
                        password_hash=password_hash,
                        claimed_us=self._utc_us(),
                    )
                )
            except IntegrityError:
                raise NameTakenError(f"{name!r} is the name of another player") from None

    def find_account(self, name: str) -> Account | None:
        columns = (accounts.c.player, accounts.c.name, accounts.c.password_hash)
        with self._database.reading() as connection:
            row = connection.execute(select(*columns).where(accounts.c.folded == fold(name))).one_or_none()
        return None if row is None else Account(row.player, row.name, row.password_hash)

    def add_token(self, player: str, sha256: str, label: str) -> None:
        with self._database.writing() as connection:
            _require_player(connection, player)
            made = {"sha256": sha256, "player": player, "label": label, "made_us": self._utc_us()}
            try:
                connection.execute(tokens.insert().values(made))
            except IntegrityError:
                raise AccountError("this token is there already") from None

    def revoke_token(self, sha256: str) -> bool:
        valid = (tokens.c.sha256 == sha256) & tokens.c.revoked_us.is_(None)
        with self._database.writing() as connection:
            return connection.execute(tokens.update().where(valid).values(revoked_us=self._utc_us())).rowcount == 1

    def list_tokens(self, player: str) -> tuple[TokenInfo, ...]:
        columns = (tokens.c.sha256, tokens.c.label, tokens.c.made_us, tokens.c.revoked_us)
        query = select(*columns).where(tokens.c.player == player).order_by(tokens.c.made_us, tokens.c.sha256)
        with self._database.reading() as connection:
            return tuple(TokenInfo(*row) for row in connection.execute(query))

    def find_player(self, sha256: str) -> KnownPlayer | None:
        owner = select(tokens.c.player).where(tokens.c.sha256 == sha256, tokens.c.revoked_us.is_(None))
        with self._database.reading() as connection:
            found = known_players(connection, players.c.id == owner.scalar_subquery())
        return found[0] if found else None


def known_players(connection: Connection, which: ColumnElement[bool]) -> tuple[KnownPlayer, ...]:
    """These players with their tokens, those made first first."""
    columns = (players.c.id, players.c.name, players.c.bot, tokens.c.sha256)
    valid = (tokens.c.player == players.c.id) & tokens.c.revoked_us.is_(None)
    query = select(*columns).select_from(players.outerjoin(tokens, valid)).where(which)
    found: dict[str, KnownPlayer] = {}
    for key, name, bot, sha256 in connection.execute(
        query.order_by(players.c.made_us, players.c.id, tokens.c.made_us, tokens.c.sha256)
    ):
        before = found[key].tokens_sha256 if key in found else ()
        found[key] = KnownPlayer(key, name, bot, before if sha256 is None else (*before, sha256))
    return tuple(found.values())


def _require_player(connection: Connection, player: str) -> None:
    if connection.scalar(select(players.c.id).where(players.c.id == player)) is None:
        raise AccountError(f"there is no player {player!r}")
