"""Which matches are rated, and which are of a series."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("tables", sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("series", sa.Text))


def downgrade() -> None:
    op.drop_column("tables", "series")
    op.drop_column("tables", "rated")
