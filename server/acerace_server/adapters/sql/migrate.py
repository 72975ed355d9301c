"""From any older schema to this version's."""

import logging
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, column, inspect, select, table

from acerace_server.adapters.sql.database import Database
from acerace_server.ports import StoreError

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory

MIGRATIONS: Final = "acerace_server.adapters.sql:migrations"
_LOG: Final = logging.getLogger("acerace.store")
_VERSIONS: Final = "acerace_server.adapters.sql.migrations.versions"
_VERSION = table("alembic_version", column("version_num"))


def migrate(database: Database, migrations: str = MIGRATIONS) -> None:
    """Bring the schema up to date: all of it, or nothing when it fails.

    Raises :class:`StoreError`, also for a schema that is newer than these migrations.
    """
    with database.reading() as connection:
        current = _current(connection)
    if migrations == MIGRATIONS and current == _newest():
        return  # nearly every start; importing Alembic would double what a start takes
    _upgrade(database, current, migrations)


def _upgrade(database: Database, current: str | None, migrations: str) -> None:
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it tells of each plugin, and of each step
    from alembic import command  # noqa: PLC0415  # see above
    from alembic.config import Config  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", migrations.replace("%", "%%"))
    script = ScriptDirectory.from_config(config)
    newest = script.get_current_head()
    if current == newest:
        return
    if current is not None and not _knows(script, current):
        raise StoreError(
            f"the database has schema {current}, and this version of Ace Race knows those up to {newest}: "
            "it was used by a newer version; use that one, or another data directory"
        )
    _LOG.info("the schema goes from %s to %s", current or "nothing", newest)
    with database.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _current(connection: Connection) -> str | None:
    """The schema's revision, as Alembic keeps it; ``None``: there is no schema."""
    if not inspect(connection).has_table(_VERSION.name):
        return None
    return connection.scalar(select(_VERSION.c.version_num))


def _newest() -> str:
    """The newest revision there is; the files are named ``v0001_what_for.py`` for it, and a test holds them to that."""
    return max(entry.name[1:5] for entry in files(_VERSIONS).iterdir() if entry.name.startswith("v"))


def _knows(script: "ScriptDirectory", revision: str) -> bool:
    from alembic.util import CommandError  # noqa: PLC0415  # see above

    try:
        script.get_revision(revision)
    except CommandError:
        return False
    return True
