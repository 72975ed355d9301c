"""Both want the same place (docs/adr/0003; D62, D63; N7, N8)."""

from random import Random

import pytest

from acerace_protocol.messages import Play, RaceInfo, Refused
from acerace_protocol.messages import Played as PlayedEvent
from acerace_rules.moves import Reason
from acerace_server.core.inbox import Claim, Inbox
from tests.server.core.support import MS, TABLE, A, B, Duel, SoloDriver

ONE_PLACE = """
foundations Ah 2h | As
seat 1
  c1 3h
  c2 Kd
  c7 Ac  # so that nobody is blocked
  stock (4c)
seat 2
  c1 3h
  c2 4h
  c3 Kd
  c7 Ac
  stock (4c)
"""


def play(seat_nonce: int, move: str, *, seen: int) -> Play:
    return Play(table=TABLE, nonce=seat_nonce, move=move, seen=seen)


def lost(duel: Duel, seat: int, move: str, *, seen: int, after_ms: float = 0) -> Refused:
    answer = duel.ask(seat, play(duel.nonce(), move, seen=seen), at=duel.now + round(after_ms * MS))
    assert isinstance(answer, Refused)
    return answer


def test_who_comes_second_is_told_who_was_first_and_by_how_much() -> None:
    duel = Duel(ONE_PLACE)
    seen = duel.match.seq
    won = duel.plays(B, "c1>f")
    refused = lost(duel, A, "c1>f", seen=seen, after_ms=1.25)
    assert refused.reason == Reason.LOST_RACE
    assert refused.race == RaceInfo(suit="h", rank=3, winner=B, seq=won.seq, loser=A, margin_us=1250)


def test_it_is_a_race_from_the_waste_too() -> None:
    duel = Duel(ONE_PLACE.replace("c1 3h", "waste 3h"))
    seen = duel.match.seq
    duel.plays(A, "w>f")
    assert lost(duel, B, "w>f", seen=seen).reason == Reason.LOST_RACE


def test_it_is_no_race_when_the_sender_had_seen_the_place_taken() -> None:
    duel = Duel(ONE_PLACE)
    won = duel.plays(B, "c1>f")
    refused = lost(duel, A, "c1>f", seen=won.seq)
    assert (refused.reason, refused.race) == (Reason.FOUNDATION_WANTS_NEXT, None)
    assert duel.match.races == []


def test_it_is_still_one_when_the_winner_has_gone_on() -> None:
    duel = Duel(ONE_PLACE)
    seen = duel.match.seq
    won = duel.plays(B, "c1>f")
    duel.plays(B, "c2>f")
    refused = lost(duel, A, "c1>f", seen=seen)
    assert refused.race is not None
    assert refused.race.seq == won.seq


def test_it_is_none_when_nobody_ever_took_the_place() -> None:
    duel = Duel(ONE_PLACE)
    duel.plays(B, "c1>f")
    assert lost(duel, A, "c2>f", seen=0).reason == Reason.FOUNDATION_WANTS_ACE


def test_a_place_in_a_column_is_never_contested() -> None:
    duel = Duel(ONE_PLACE)
    duel.plays(B, "c1>f")
    assert lost(duel, A, "c1:1>c2", seen=0).reason == Reason.WRONG_COLOUR


def test_who_comes_second_lands_on_the_other_slot_if_that_fits() -> None:
    # D62, D63
    duel = Duel(ONE_PLACE.replace("Ah 2h |", "Ah 2h | Ah' 2h' |"))
    seen = duel.match.seq
    assert duel.plays(A, "c1>f").slot == 2
    answer = duel.play(B, "c1>f", seen=seen)
    assert isinstance(answer, PlayedEvent)
    assert answer.slot == 3
    assert duel.match.races == []


def test_a_losing_claim_that_is_repeated_is_recorded_once() -> None:
    duel = Duel(ONE_PLACE)
    seen = duel.match.seq
    duel.plays(B, "c1>f")
    first = lost(duel, A, "c1>f", seen=seen)
    again = lost(duel, A, "c1>f", seen=seen, after_ms=5)
    assert again.reason == Reason.LOST_RACE
    assert duel.match.races == [first.race]


def test_every_contested_place_is_in_the_record() -> None:
    duel = Duel(ONE_PLACE.replace("| As", "| As 2s").replace("c2 Kd", "c2 3s").replace("c3 Kd", "c3 3s"))
    seen = duel.match.seq
    duel.plays(B, "c1>f")
    duel.plays(A, "c2>f")
    lost(duel, A, "c1>f", seen=seen)
    lost(duel, B, "c3>f", seen=seen)
    assert [(race.suit, race.rank, race.winner, race.loser) for race in duel.match.snapshot().races] == [
        ("h", 3, B, A),
        ("s", 3, A, B),
    ]
    duel.resign(A)
    assert duel.ended.races == duel.match.snapshot().races


def test_a_race_is_recorded_even_when_its_refusal_is_one_too_many_to_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in the record must also be in the log, or a replay would not have it."""
    monkeypatch.setattr("acerace_server.core.match.REFUSALS_COUNTED_PER_SEAT", 1)
    duel = Duel(ONE_PLACE)
    seen = duel.match.seq
    duel.refused(A, "r")
    before = len(duel.match.log)
    duel.refused(A, "r")
    assert len(duel.match.log) == before
    duel.plays(B, "c1>f")
    lost(duel, A, "c1>f", seen=seen)
    lost(duel, A, "c1>f", seen=seen)
    assert len(duel.match.races) == 1
    assert len(duel.match.log) == before + 2
    assert duel.match.refusals == [1, 0]


def test_a_claim_that_let_the_others_pass_counts_as_of_that_ones_time() -> None:
    """A read takes all that a peer sent: F1 O1 F2 are judged in this order, and F2 has the stamp of F1."""
    duel = Duel(ONE_PLACE)
    seen, stamp = duel.match.seq, duel.now
    first, others, second = (play(duel.nonce(), move, seen=seen) for move in ("d", "c1>f", "c1>f"))
    duel.send(A, first, at=stamp)
    duel.send(B, others, at=stamp + 3 * MS)
    refused = duel.ask(A, second, at=stamp)
    assert isinstance(refused, Refused)
    assert refused.race is not None
    assert refused.race.margin_us == 0
    assert [entry.at - stamp for entry in duel.match.log[-3:]] == [0, 3 * MS, 3 * MS]


def test_nobody_races_in_a_solo_game() -> None:
    solo = SoloDriver("foundations Ah 2h\nc1 3h\nc2 5h")
    solo.plays(A, "c1>f")
    assert solo.refused(A, "c2>f", seen=0) == Reason.FOUNDATION_WANTS_NEXT


# --- at the same moment ------------------------------------------------------------------------------------


def both_at_once(duel: Duel, first: Play, second: Play, random: Random) -> None:
    """Two commands in one loop turn, judged as the server judges them; either may have been read first."""
    inbox = Inbox(2)
    stamps = [duel.now, duel.now + random.randrange(1000)]
    random.shuffle(stamps)
    claims = [Claim(stamps[A], A, first), Claim(stamps[B], B, second)]
    random.shuffle(claims)
    for claim in claims:
        inbox.put(claim)
    for claim in inbox.drain():
        duel.match.receive(claim.seat, claim.command, claim.at)


def test_two_moves_at_the_same_moment_are_both_accepted_unless_they_want_one_place() -> None:
    # N7, 10,000 times of each
    random = Random(7)
    duel = Duel(ONE_PLACE)
    start = duel.match.dealt.copy()
    for number in range(20_000):
        if number % 100 == 0:
            duel = Duel(ONE_PLACE)
        duel.match.deal(start.copy())
        contested, seen = number % 2 == 0, duel.match.seq
        first = play(duel.nonce(), "c1>f" if contested else "d", seen=seen)
        both_at_once(duel, first, play(duel.nonce(), "c1>f", seen=seen), random)
        said = [message for _, message in duel.match.outgoing]
        duel.match.outgoing.clear()
        accepted = [message for message in said if isinstance(message, PlayedEvent)]
        refused = [message for message in said if isinstance(message, Refused)]
        assert (len(accepted), len(refused)) == ((1, 1) if contested else (2, 0))
        assert duel.match.dealt.contribution(A) + duel.match.dealt.contribution(B) == 4
        if contested:
            assert refused[0].race is not None
            assert refused[0].race.winner == accepted[0].seat
            assert refused[0].race.seq == accepted[0].seq


@pytest.mark.parametrize("seed", range(20))
def test_the_last_two_cards_arrive_together_and_there_is_one_end(seed: int) -> None:
    # N8
    duel = Duel(
        """
        foundations As..Ks | As'..Ks' | Ah..Kh | Ah'..Kh' | Ad..Kd | Ad'..Kd' | Ac..Qc | Ac'..Qc'
        seat 1
          c1 Kc
          counters score 51
        seat 2
          c1 Kc
          counters score 51
        """
    )
    seen = duel.match.seq
    both_at_once(duel, play(1, "c1>f", seen=seen), play(2, "c1>f", seen=seen), Random(seed))
    said = [message for _, message in duel.match.outgoing]
    [accepted] = [message for message in said if isinstance(message, PlayedEvent)]
    [refused] = [message for message in said if isinstance(message, Refused)]
    assert refused.reason == Reason.GAME_OVER
    assert sum(message == duel.match.ended for message in said) == 1
    assert (duel.ended.reason, duel.ended.winner, max(duel.ended.scores)) == ("out", accepted.seat, 52)


def test_both_become_blocked_while_a_move_is_on_its_way_and_there_is_one_end() -> None:
    # N8
    duel = Duel("seat 1\n c1 Ah\n c2 9h\nseat 2\n c1 9h\n c2 9d")
    duel.plays(A, "c1>f")
    assert duel.ended.reason == "blocked"
    assert duel.refused(B, "c1:1>c2", seen=0) == Reason.GAME_OVER
    duel.match.tick(duel.now + 10**15)
    assert duel.ends == 1
