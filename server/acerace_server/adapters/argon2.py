"""Passwords, with argon2-cffi: the bindings to Argon2's reference code."""

import os
import unicodedata
from base64 import b64encode
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

TIME_COST: Final = 2
MEMORY_KIB: Final = 19_456
_VERSION: Final = 19  # of Argon2, 1.3 that is
_LANES: Final = 1
"""A thread a password, so that the loop keeps a core of two; the least that OWASP asks for, for Argon2id (2025)."""


class Argon2Passwords:
    """Implements :class:`acerace_server.ports.Passwords` with Argon2id. It lets go of the interpreter's lock."""

    def __init__(self, *, time_cost: int = TIME_COST, memory_kib: int = MEMORY_KIB) -> None:
        self._hasher = PasswordHasher(time_cost=time_cost, memory_cost=memory_kib, parallelism=_LANES)
        salt, tag = os.urandom(self._hasher.salt_len), os.urandom(self._hasher.hash_len)
        cost = f"m={memory_kib},t={time_cost},p={_LANES}"
        self.nobodys = f"$argon2id$v={_VERSION}${cost}${_unpadded(salt)}${_unpadded(tag)}"
        """What a password for no account is compared with, at the same cost; hashing one would delay every start."""

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


def _unpadded(data: bytes) -> str:
    """As the reference code writes a hash down: Base64 (RFC 4648) without its padding."""
    return b64encode(data).decode().rstrip("=")
