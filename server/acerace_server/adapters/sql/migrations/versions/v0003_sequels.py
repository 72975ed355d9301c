"""What was told after the end of a match: how it changed the ratings, and where its series stands."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("results", sa.Column("sequel", sa.Text))


def downgrade() -> None:
    op.drop_column("results", "sequel")
