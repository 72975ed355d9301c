"""Entries <-> bytes."""

from typing import get_args

import msgspec
import pytest

from acerace_protocol.messages import Claim, Command, Done, Pass, Play, Ready, Redo, Resign, Undo
from acerace_server.adapters.sql.told import Told, decode, encode
from acerace_server.core.match import PresenceChange, Timeout

ALL: list[Told] = [
    Ready(table="t", nonce=1, seed="00ff"),
    Play(table="t", nonce=2, move="c3:4>c5", seen=9, card="Th"),
    Undo(table="t", nonce=3),
    Redo(table="t", nonce=4),
    Pass(table="t", nonce=5),
    Done(table="t", nonce=6),
    Resign(table="t", nonce=7),
    Claim(table="t", nonce=2**53 - 1),
    PresenceChange(away=True),
    PresenceChange(away=False),
    Timeout(),
]


def test_every_kind_is_here() -> None:
    assert {type(told) for told in ALL} == {*get_args(Command), PresenceChange, Timeout}


@pytest.mark.parametrize("told", ALL, ids=repr)
def test_what_was_told_comes_back(told: Told) -> None:
    assert decode(encode(told)) == told


def test_an_entry_of_before_a_field_was_there_takes_its_default() -> None:
    old = msgspec.msgpack.encode({"type": "play", "table": "t", "nonce": 1, "move": "d"})
    assert decode(old) == Play(table="t", nonce=1, move="d", seen=0, card=None)


@pytest.mark.parametrize("damaged", [b"", b"\xc1", encode(Timeout())[:-1], msgspec.msgpack.encode({"type": "hello"})])
def test_other_bytes_are_refused(damaged: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        decode(damaged)
