"""Claimed names, tokens, and who has them. The journal writes them (``writers.py``)."""

from dataclasses import replace

from sqlalchemy import ColumnElement, Connection, select

from acerace_server.adapters.sql.database import Database
from acerace_server.adapters.sql.ratings import ratings_by_player
from acerace_server.adapters.sql.schema import accounts, players, tokens
from acerace_server.core.records import KnownPlayer, TokenInfo
from acerace_server.ports import Account


class SqlAccounts:
    """Implements :class:`acerace_server.ports.Accounts`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find_account(self, player: str) -> Account | None:
        query = select(accounts.c.password_hash).where(accounts.c.player == player)
        with self._database.reading() as connection:
            password_hash = connection.scalar(query)
            if password_hash is None:
                return None
            (known,) = known_players(connection, players.c.id == player)
        return Account(known, password_hash)

    def list_tokens(self, player: str, limit: int) -> tuple[TokenInfo, ...]:
        columns = (tokens.c.sha256, tokens.c.label, tokens.c.made_us, tokens.c.revoked_us)
        order = (tokens.c.revoked_us.is_not(None), tokens.c.made_us.desc(), tokens.c.sha256)
        query = select(*columns).where(tokens.c.player == player).order_by(*order).limit(limit)
        with self._database.reading() as connection:
            return tuple(TokenInfo(*row) for row in connection.execute(query))

    def find_player(self, sha256: str) -> KnownPlayer | None:
        owner = select(tokens.c.player).where(tokens.c.sha256 == sha256, tokens.c.revoked_us.is_(None))
        with self._database.reading() as connection:
            found = known_players(connection, players.c.id == owner.scalar_subquery())
        return found[0] if found else None


def claimed_names(connection: Connection) -> dict[str, str]:
    """Every claimed name by the player whose it is, those claimed first first."""
    order = (accounts.c.claimed_us, accounts.c.player)
    return {row.player: row.name for row in connection.execute(select(accounts).order_by(*order))}


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
    for key, rated in ratings_by_player(connection, players.c.id.in_(select(players.c.id).where(which))):
        found[key] = replace(found[key], ratings=rated)
    return tuple(found.values())
