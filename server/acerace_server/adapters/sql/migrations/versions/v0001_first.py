"""The first schema: players, tables with their logs and results, accounts, ratings."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# A copy, not an import, of schema.py's: a migration must do for ever what it did when it was released.
_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    _players()
    _games()
    _results()
    _ratings()


def downgrade() -> None:
    for table in ("ratings", "result_seats", "results", "entries", "tables", "accounts", "tokens", "players"):
        op.drop_table(table)


def _players() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("bot", sa.Boolean, nullable=False),
        sa.Column("made_us", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
    )
    op.create_index("ix_players_made_us", "players", ["made_us"])
    op.create_table(
        "tokens",
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("made_us", sa.BigInteger, nullable=False),
        sa.Column("revoked_us", sa.BigInteger),
        sa.PrimaryKeyConstraint("sha256", name="pk_tokens"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_tokens_player"),
    )
    op.create_index("ix_tokens_player", "tokens", ["player"])
    op.create_table(
        "accounts",
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("folded", sa.Text, nullable=False),
        sa.Column("password_hash", sa.Text, nullable=False),
        sa.Column("claimed_us", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_accounts"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_accounts_player"),
        sa.UniqueConstraint("folded", name="uq_accounts_folded"),
    )


def _games() -> None:
    op.create_table(
        "tables",
        sa.Column("number", _NUMBER, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("players", sa.Text, nullable=False),
        sa.Column("opened_us", sa.BigInteger, nullable=False),
        sa.Column("opened_ns", sa.BigInteger, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("code", sa.Text),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_tables"),
        sa.UniqueConstraint("id", name="uq_tables_id"),
    )
    op.create_index("ix_tables_code", "tables", ["code"])
    op.create_index("ix_tables_state", "tables", ["state"])
    op.create_table(
        "entries",
        sa.Column("table_number", _NUMBER, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at_ns", sa.BigInteger, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("told", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("table_number", "number", name="pk_entries"),
        sa.ForeignKeyConstraint(["table_number"], ["tables.number"], name="fk_entries_table_number"),
    )


def _results() -> None:
    op.create_table(
        "results",
        sa.Column("number", _NUMBER, nullable=False),
        sa.Column("table_number", _NUMBER, nullable=False),
        sa.Column("finished_us", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("winner", sa.SmallInteger),
        sa.Column("duration_ms", sa.BigInteger),
        sa.Column("races", sa.Integer, nullable=False),
        sa.Column("ended", sa.Text),
        sa.PrimaryKeyConstraint("number", name="pk_results"),
        sa.ForeignKeyConstraint(["table_number"], ["tables.number"], name="fk_results_table_number"),
        sa.UniqueConstraint("table_number", name="uq_results_table_number"),
    )
    op.create_table(
        "result_seats",
        sa.Column("result_number", _NUMBER, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("bot", sa.Boolean, nullable=False),
        sa.Column("won", sa.Boolean, nullable=False),
        sa.Column("score", sa.Integer),
        sa.Column("contribution", sa.Integer),
        sa.Column("moves", sa.Integer),
        sa.Column("strict", sa.Integer),
        sa.PrimaryKeyConstraint("result_number", "seat", name="pk_result_seats"),
        sa.ForeignKeyConstraint(["result_number"], ["results.number"], name="fk_result_seats_result_number"),
    )
    op.create_index("ix_result_seats_player_result_number", "result_seats", ["player", "result_number"])


def _ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("pool", sa.Text, nullable=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("updated_seq", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player", "pool", name="pk_ratings"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_ratings_player"),
    )
    op.create_index("ix_ratings_pool", "ratings", ["pool"])
