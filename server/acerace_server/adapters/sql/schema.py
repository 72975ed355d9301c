"""The tables of the newest schema. ``migrations/versions`` brings every older one here; a test compares the two.

Times: ``_us`` are microseconds of UTC since 1970, for people; ``_ns`` are nanoseconds of the server's monotonic clock,
for the referee. Names of players stand beside results as they were when the game was played.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    false,
)

METADATA: Final = MetaData(
    # Named, so that a later migration can drop or change a constraint on every database.
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# Only INTEGER numbers its rows by itself in SQLite, where it has 64 bits anyway.
_Number: Final = BigInteger().with_variant(Integer, "sqlite")

LIVE: Final = "live"
OVER: Final = "over"
PUT_AWAY: Final = "put away"

players = Table(
    "players",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("bot", Boolean, nullable=False),
    Column("made_us", BigInteger, nullable=False, index=True),
)

# The first token of a player, made with it, has an empty label.
tokens = Table(
    "tokens",
    METADATA,
    Column("sha256", Text, primary_key=True),
    Column("player", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("label", Text, nullable=False),
    Column("made_us", BigInteger, nullable=False),
    Column("revoked_us", BigInteger),
)

# Whether two names are one is decided in memory, by ``core.names``, and not kept: versions differ in what looks alike.
accounts = Table(
    "accounts",
    METADATA,
    Column("player", Text, ForeignKey("players.id"), primary_key=True),
    Column("name", Text, nullable=False),
    Column("password_hash", Text, nullable=False),
    Column("claimed_us", BigInteger, nullable=False),
)

# ``number`` stands for the table in ``entries``: half the size of its id, and so a third less to write.
tables = Table(
    "tables",
    METADATA,
    Column("number", _Number, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),  # JSON, keys sorted: equal options are equal texts
    Column("players", Text, nullable=False),  # JSON
    Column("opened_us", BigInteger, nullable=False),
    Column("opened_ns", BigInteger, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("code", Text, index=True),
    Column("public", Boolean, nullable=False),
    Column("state", Text, nullable=False, index=True),
    Column("rated", Boolean, nullable=False, server_default=false()),
    Column("series", Text),  # JSON
)

# Rows in the order of arrival with the key beside them: measured, that takes less to write than rows kept in key order,
# because a loop turn's entries belong to many tables (bench/journal.py).
entries = Table(
    "entries",
    METADATA,
    Column("table_number", _Number, ForeignKey("tables.number"), primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at_ns", BigInteger, nullable=False),  # since the table was opened
    Column("seat", SmallInteger, nullable=False),
    Column("told", LargeBinary, nullable=False),
)

# ``number`` orders results as they came, which the wall clock cannot promise. ``ended`` is the record, the event itself
# as JSON; the other columns are for finding it. A solo game that was left has a row, but no event.
results = Table(
    "results",
    METADATA,
    Column("number", _Number, primary_key=True),
    Column("table_number", _Number, ForeignKey("tables.number"), nullable=False, unique=True),
    Column("finished_us", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
    Column("winner", SmallInteger),
    Column("duration_ms", BigInteger),
    Column("races", Integer, nullable=False),
    Column("ended", Text),
    Column("sequel", Text),  # JSON: what was told after the end
)

result_seats = Table(
    "result_seats",
    METADATA,
    Column("result_number", _Number, ForeignKey("results.number"), primary_key=True, autoincrement=False),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("player", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("bot", Boolean, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("score", Integer),
    Column("contribution", Integer),
    Column("moves", Integer),
    Column("strict", Integer),
    Index(None, "player", "result_number"),
)

ratings = Table(
    "ratings",
    METADATA,
    Column("player", Text, ForeignKey("players.id"), primary_key=True),
    Column("pool", Text, primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Column("updated_seq", BigInteger, nullable=False),
    Index(None, "pool"),
)
