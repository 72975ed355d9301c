"""Passwords, with argon2-cffi: the bindings to Argon2's reference code."""

import unicodedata
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

TIME_COST: Final = 2
MEMORY_KIB: Final = 19_456
_LANES: Final = 1
"""A thread a password, so that the loop keeps a core of two; the least that OWASP asks for, for Argon2id (2025)."""


class Argon2Passwords:
    """Implements :class:`acerace_server.ports.Passwords` with Argon2id. It lets go of the interpreter's lock."""

    def __init__(self, *, time_cost: int = TIME_COST, memory_kib: int = MEMORY_KIB) -> None:
        self._hasher = PasswordHasher(time_cost=time_cost, memory_cost=memory_kib, parallelism=_LANES)
        self.nobodys = self._hasher.hash("nobody has this one")
        """What a password for no account is compared with."""

    def hash(self, password: str) -> str:
        return self._hasher.hash(_typed(password))

    def verify(self, password_hash: str | None, password: str) -> bool:
        try:
            self._hasher.verify(password_hash or self.nobodys, _typed(password))
        except (Argon2Error, InvalidHashError):
            return False
        return password_hash is not None


def _typed(password: str) -> str:
    """As RFC 8265 has it: keyboards do not agree on how an accented letter is composed."""
    return unicodedata.normalize("NFC", password)
