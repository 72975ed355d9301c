"""Bots choose legal moves only, on every position of every game, and none of them plays for ever."""

import hashlib
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acerace_client.bots.arena import play_game
from acerace_client.bots.memory import StockMemory
from acerace_client.bots.patient import PatientBot
from acerace_client.bots.position import Bot, Position
from acerace_client.bots.registry import BOTS, UnknownBotError, make_bot
from acerace_client.bots.simple import GreedyBot
from acerace_rules.cards import HIDDEN
from acerace_rules.catalogue import variant_of
from acerace_rules.diagram import read_table
from acerace_rules.legal import legal_moves
from acerace_rules.moves import Kind, Move
from acerace_rules.options import Value
from acerace_rules.play import play
from acerace_rules.table import Table
from acerace_rules.view import view
from tests.client.referee import DUEL_VARIANTS, SOLO_VARIANTS, VARIANTS, dealt_table

DUEL = variant_of("double-klondike")
SOLO_MOVES_MAX = 3000


def position(table: Table, seat: int = 0, done: tuple[bool, ...] = (False, False)) -> Position:
    return Position(view(table), seat, legal_moves(table, seat), done=done)


def key(number: int) -> bytes:
    return hashlib.sha256(b"%d" % number).digest()


@pytest.mark.parametrize("name", BOTS)
@settings(max_examples=25)
@given(variant=st.sampled_from(VARIANTS), number=st.integers(1, 999), random=st.randoms(use_true_random=False))
def test_a_bot_chooses_only_legal_moves_anywhere(
    name: str, variant: tuple[str, dict[str, Value]], number: int, random: Random
) -> None:
    """Its memory is put to the test too: other moves than its own are made on its table."""
    table = dealt_table(*variant, number)
    bot = make_bot(name, b"x")
    for _ in range(25):
        seat = 0
        chosen = bot.choose(position(table, seat))
        legal = legal_moves(table, seat)
        assert chosen is None or chosen in legal
        if not legal:
            break
        play(table, seat, chosen if chosen and random.randrange(2) else legal[random.randrange(len(legal))])


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("variant", SOLO_VARIANTS, ids=str)
def test_alone_a_bot_comes_to_an_end(name: str, variant: tuple[str, dict[str, Value]]) -> None:
    table = dealt_table(*variant, 5)
    bot = make_bot(name, b"seed")
    for _ in range(SOLO_MOVES_MAX):
        move = bot.choose(position(table))
        if move is None:
            return
        play(table, 0, move)
    pytest.fail(f"{name} goes on after {SOLO_MOVES_MAX} moves")


@pytest.mark.parametrize("variant", DUEL_VARIANTS, ids=str)
@pytest.mark.parametrize(("a", "b"), [("random", "greedy"), ("greedy", "greedy"), ("patient", "random")])
def test_two_bots_come_to_an_end(a: str, b: str, variant: tuple[str, dict[str, Value]]) -> None:
    for number in range(2):
        outcome = play_game([make_bot(a, key(number)), make_bot(b, key(number))], key(number), variant[1])
        assert sum(outcome.moves) < 2500
        assert sum(outcome.contributions) > 0


@pytest.mark.parametrize("name", BOTS)
def test_the_same_seed_plays_the_same_game(name: str) -> None:
    games = [play_game([make_bot(name, b"a"), make_bot("greedy")], key(3)) for _ in range(2)]
    assert games[0] == games[1]


def test_patient_beats_greedy_clearly() -> None:
    wins = 0
    games = 40
    for number in range(games):
        bots: list[Bot] = [PatientBot(), GreedyBot()]
        seat = number % 2  # each deal twice, with changed seats
        outcome = play_game(bots if seat == 0 else bots[::-1], key(number // 2))
        wins += outcome.winner == seat
    assert wins >= games * 0.6


def test_greedy_beats_random() -> None:
    wins = sum(play_game([make_bot("greedy"), make_bot("random", key(n))], key(n)).winner == 0 for n in range(20))
    assert wins >= 15


def test_a_bot_that_gave_up_goes_on_when_the_opponent_opens_something() -> None:
    table = read_table(
        """
        foundations Ah
        seat 1
          c1  (2s) 3h
          c2  Ks
        seat 2
          c1  2h
        """,
        DUEL,
    )
    for name in ("greedy", "patient"):
        trial = table.copy()
        bot = make_bot(name)
        assert bot.choose(position(trial)) is None
        assert bot.choose(position(trial)) is None
        play(trial, 1, Move.parse("c1>f"))
        assert str(bot.choose(position(trial))) == "c1>f"


def test_patient_races_for_the_place_that_the_opponent_wants_too() -> None:
    table = read_table(
        """
        foundations As..5s | Ah..4h
        seat 1
          c1  (Ac) 6s
          c2  (2c 3c 4c) 5h
        seat 2
          c1  5h
        """,
        DUEL,
    )
    assert str(make_bot("patient").choose(position(table))) == "c2>f"


def test_patient_stops_when_that_wins() -> None:
    table = read_table(
        """
        foundations As..5s
        seat 1
          c1  6s
          counters score 5
        """,
        DUEL,
    )
    bot = make_bot("patient")
    assert bot.choose(position(table, done=(False, True))) is None
    assert str(bot.choose(position(table))) == "c1>f"


def test_patient_turns_a_card_up_in_two_steps() -> None:
    table = read_table(
        """
        foundations -
        seat 1
          c1  (Kc) 8h
          c2  9s
          c3  Th
          c4  (2s) 8d
          c5  9c
        """,
        DUEL,
    )
    bot = PatientBot()
    for _ in range(6):
        move = bot.choose(position(table))
        if move is None:
            break
        play(table, 0, move)
    assert table.seats[0].down == [0, 0, 0, 0, 0, 0, 0]


def test_patient_walks_on_only_while_the_stock_may_offer_something() -> None:
    table = read_table(
        """
        foundations -
        seat 1
          stock (7d 9c Jd)
          c1    (Kc) Qs
        """,
        DUEL,
    )
    bot = PatientBot()
    moves: list[str] = []
    while (move := bot.choose(position(table))) is not None:
        play(table, 0, move)
        moves.append(str(move))
    assert "w>c1" in moves, "the jack has a place"
    assert len(moves) <= 8, "the other two have none: one walk shows it"


def test_the_memory_knows_the_second_pass() -> None:
    table = dealt_table("double-klondike", {}, 1)
    memory = StockMemory()
    first = table.seats[0].stock[::-1]
    assert memory.look(view(table).seats[0]) == [HIDDEN] * 24
    for _ in range(24):
        play(table, 0, Move(Kind.DRAW))
        memory.look(view(table).seats[0])
    play(table, 0, Move(Kind.RECYCLE))
    assert memory.look(view(table).seats[0]) == first
    play(table, 0, Move(Kind.DRAW))
    assert memory.look(view(table).seats[0]) == first[1:]
    assert StockMemory().look(view(table).seats[0]) == [HIDDEN] * 23


def test_a_name_no_bot_has() -> None:
    with pytest.raises(UnknownBotError, match="random, greedy, patient"):
        make_bot("deep-blue")
