"""The settings of ``acerace serve`` in a TOML file."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast


class ConfigFileError(Exception):
    """The file cannot be used; the message says why, in one line."""


def read_config_file(path: Path) -> dict[str, str]:
    """The settings in a file, by their long option without dashes in front, as they would stand in the environment.

    ``trusted-proxy = ["10.0.0.0/8", "::1"]`` gives ``{"trusted-proxy": "10.0.0.0/8,::1"}``.
    Raises :class:`ConfigFileError`.
    """
    import tomllib  # noqa: PLC0415  # compiles its patterns when it is imported, and most servers have no file

    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigFileError(f"{path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigFileError(f"{path}: {error}") from error
    return {key.replace("_", "-"): _text(path, key, value) for key, value in found.items()}


def require_known(path: Path, settings: Mapping[str, str], known: frozenset[str]) -> None:
    """Raises :class:`ConfigFileError` for a setting that there is not: a slip of the pen must not be overlooked."""
    for key in settings:
        if key not in known:
            raise ConfigFileError(f"{path}: there is no setting {key!r}")


def _text(path: Path, key: str, value: object) -> str:
    match value:
        case bool():
            return "1" if value else "0"
        case int() | str():
            return str(value)
        case list():
            return ",".join(_text(path, key, each) for each in cast("list[object]", value))
        case _:
            raise ConfigFileError(f"{path}: {key} is neither text, nor a number, nor true or false, nor a list of them")
