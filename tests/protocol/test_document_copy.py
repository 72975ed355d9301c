"""A client's copy of the position, kept by section 7 of PROTOCOL.md word by word, and its digest by section 10."""

import json
from random import Random
from zlib import crc32

import msgspec

from acerace_protocol.digest import digest
from acerace_protocol.messages import (
    Dealt,
    Played,
    Snapshot,
    Undone,
)
from acerace_protocol.state import TableState
from acerace_rules import play as rules
from acerace_rules.cards import face_text
from acerace_rules.moves import Kind, Move
from acerace_rules.table import Table
from acerace_rules.variant import Variant
from acerace_rules.view import view
from tests.protocol.document import Copy, Json, plain, rows, section, server_examples
from tests.protocol.games import EVERY_VARIANT, deal, stroll


def test_the_examples_of_a_match_follow_one_another_and_their_checks_are_right() -> None:
    [dealt] = [message for message in server_examples() if isinstance(message, Dealt)]
    copy = Copy(plain(dealt)["state"])
    assert copy.digest() == dealt.check
    moves = [message for message in server_examples() if isinstance(message, Played) and message.table == dealt.table]
    assert [message.seq for message in moves] == [dealt.seq + n for n in range(1, len(moves) + 1)]
    for message in moves:
        copy.played(plain(message))
        assert copy.digest() == message.check
        assert str(message.check) in section("The digest")


def test_the_example_of_an_undo_brings_the_position_back() -> None:
    [snapshot] = [message for message in server_examples() if isinstance(message, Snapshot) and message.state]
    copy = Copy(plain(snapshot)["state"])
    assert copy.digest() == snapshot.check
    [done] = [
        message for message in server_examples() if isinstance(message, Played) and message.table == snapshot.table
    ]
    [undone] = [message for message in server_examples() if isinstance(message, Undone)]
    copy.played(plain(done))
    assert copy.digest() == done.check
    copy.undone(plain(undone))
    assert copy.digest() == undone.check == snapshot.check


def test_the_worked_example_of_the_digest_is_right() -> None:
    [dealt] = [message for message in server_examples() if isinstance(message, Dealt)]
    assert f"modulo 4294967296, is {dealt.check}." in section("The digest")
    found = [row for row in rows(section("The digest"), 2) if row[1].isdecimal()]
    assert len(found) >= 5
    for text, value in found:
        assert crc32(text.encode()) == int(value)


def test_the_moves_of_the_document_are_moves() -> None:
    for message in server_examples():
        if isinstance(message, Played | Undone):
            assert str(Move.parse(message.move)) == message.move


def state_of(table: Table) -> Json:
    return json.loads(msgspec.json.encode(TableState.of(view(table))))


def told(table: Table, played: rules.Played, waste: list[int]) -> Json:
    """The fields of ``played`` or ``undone`` that tell of this move."""
    cards = waste if played.move.kind is Kind.RECYCLE else played.cards
    event: Json = {
        "seat": played.seat,
        "move": str(played.move),
        "cards": [face_text(card) for card in cards],
        "moves": table.seats[played.seat].moves,
        "score": table.seats[played.seat].score,
    }
    if played.slot >= 0:
        event["slot"] = played.slot
    if played.turned:
        event["turned"] = face_text(played.turned)
    return event


@EVERY_VARIANT
def test_section_7_keeps_the_copy_right_through_any_game(variant: Variant) -> None:
    random = Random(1)
    for _ in range(2):
        table = deal(variant, random)
        copy = Copy(state_of(table))
        line: list[rules.Played] = []
        for played in stroll(table, random, 200):
            if line and played is line[-1]:
                line.pop()
                copy.undone(told(table, played, table.seats[played.seat].waste))
            else:
                line.append(played)
                copy.played(told(table, played, []))
            assert copy.state == state_of(table)
            assert copy.digest() == digest(table)
