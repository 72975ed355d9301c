"""From any older schema to this version's."""

from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError

from acerace_server.adapters.sql.database import Database
from acerace_server.ports import StoreError

MIGRATIONS: Final = "acerace_server.adapters.sql:migrations"


def migrate(database: Database, migrations: str = MIGRATIONS) -> None:
    """Bring the schema up to date: all of it, or nothing when it fails.

    Raises :class:`StoreError`, also for a schema that is newer than these migrations.
    """
    config = Config()
    config.set_main_option("script_location", migrations.replace("%", "%%"))
    script = ScriptDirectory.from_config(config)
    with database.reading() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    newest = script.get_current_head()
    if current == newest:
        return
    if current is not None and not _knows(script, current):
        raise StoreError(
            f"the database has schema {current}, and this version of Ace Race knows those up to {newest}: "
            "it was used by a newer version; use that one, or another data directory"
        )
    with database.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _knows(script: ScriptDirectory, revision: str) -> bool:
    try:
        script.get_revision(revision)
    except CommandError:
        return False
    return True
