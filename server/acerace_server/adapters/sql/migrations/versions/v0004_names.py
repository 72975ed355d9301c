"""Whether two names are one is not kept any more: older versions took fewer of those that look alike for one."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    with op.batch_alter_table("accounts") as accounts:
        accounts.drop_constraint("uq_accounts_folded", type_="unique")
        accounts.drop_column("folded")


def downgrade() -> None:
    op.add_column("accounts", sa.Column("folded", sa.Text, nullable=False, server_default=""))
    op.execute("UPDATE accounts SET folded = player")  # two names may be one to the version before
    with op.batch_alter_table("accounts") as accounts:
        accounts.alter_column("folded", server_default=None)
        accounts.create_unique_constraint("uq_accounts_folded", ["folded"])
