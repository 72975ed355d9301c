"""From bytes to a position: the shuffle, deals by number, day and secret, and deal codes (RULES.md 8, D58, D65-D72).

The golden vectors may never change: a code must give the same deal for ever (D69). PROTOCOL.md has them too.
"""

import time
from collections import Counter
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acerace_rules.cards import FACE, copy_of, face_text, full_deck, parse_card
from acerace_rules.catalogue import GAMES, variant_of
from acerace_rules.deal import (
    ALPHABET,
    NUMBER_MAX,
    DealCodeError,
    SoloDeal,
    deal_match,
    deal_of_the_day,
    first_mover,
    number_text,
    read_code,
)
from acerace_rules.options import Choice, UnknownChoiceError, Value
from acerace_rules.shuffle import commitment, match_key, number_below, shuffled, stream
from acerace_rules.table import Table

SECRET = bytes(range(32))
SEEDS = [bytes.fromhex("c0ffee"), b""]
DUEL = variant_of("double-klondike")
SOLO_GAMES = [key for key in GAMES if key != "double-klondike"]
SOLO_DECKS = {
    "KL1-D1UM-AAAAAAB": (
        "Ah 7s 2d 4h Js 4c Jh 5h 2h 5s Th 8s Ad 8c 9h 5d 3d 8h Qd 4s 9s 7h Ks 3h 3s Ts "
        "6s 8d Jc 2c 6h Tc 6c 9c Kh 2s Qc 7c Qs Kc Td Ac Qh 6d 4d 3c Jd 5c 9d 7d As Kd"
    ),
    "KL1-D1UM-AADAJCR": (
        "4d 8s Ac 5h 3c 6d 6c Qc 2c 4c 7c 4h 5c Ad 9d 7h 9s 3d 8c Ks Tc 8d 6s Jd 5s As "
        "9h Kh Qs Ts Ah Qh Kc 5d Qd 2s Jh 2h 3s Td Th Js 7d 4s Jc 7s 8h 2d 9c 6h Kd 3h"
    ),
    "DS1-D1N-AAAAAAB": (
        "5s Kc Qc Ad 4c 9d 7s Ad 8h Kd Jc 6c Tc 4h 3h 9s 7d 3c 2s 8d Ts As 4s 6c 9h Ah "
        "Js Kh 3c As 7h 8s 8d 5d 7d 8c Tc 3d 4h 6s 7h 4d Qs 7c Td 5h Jd 7s 6h 4c Qc Ac "
        "9c 3s 2h Ah 6s 9s 8c Jc Ac 3d Th 7c 2c 6d Ks Ks 8s Kc Th Qd Jh 2d 2h Td Qh 3h "
        "9d Qh 4s 5d 6d Kd Qs 4d 2s 3s 5c 6h 5s Ts 8h 2c Jd 9c Kh Jh 9h Qd 2d 5c Js 5h"
    ),
    "RU1-C-AAAAAAB": (
        "8d 5d Kh 6d Th 2h Qd Tc Jd Kc 9s 4c 9h 8c Jh 7s Ks 2c 9c 5s 3s 4s 4h 4d 5c Ah "
        "Qc Ad Jc 7d 3d 3c Js Td 6c Ts Ac 9d 8s 7h 5h 2s Qh Qs Kd 2d 6h 7c 8h 6s As 3h"
    ),
    "EH1-N-AAAAAAB": (
        "5h 4s Js Kc 8s Jc 5h Qs Td 5c Qd 9c 7h 8s Qc Ac Kh 2d Jd 2h 9s Ad 9h Qh 3s 9c "
        "8c Jh 3d 2c 3c Qh Th Td 5d 7d Ts 6d 8c Th As Ks Jc 4h 5s 8h 2h 6h 9d 9d 5s Js "
        "Kh 4s Kd 4c Ad 5d 6d 4h 9s 7s Ah 6c Qs 6s 6c 9h 2s Ac 5c 4d Kd Qc Ts 2c 7h Jd "
        "8h 3s Ah Tc 4d 7c 3d 2d 6h Kc Tc 7c 8d 3c Jh As 6s 3h 2s 8d 4c Ks 7d Qd 7s 3h"
    ),
    "YU1-N-AAAAAAB": (
        "Kh 5h Kd 7d 6d 3h As Ad Ks Ah Th Ts Tc 7c 3d 6c Ac Jh 8h 5s 2h Qd 2d 8s 7s 9d "
        "2c 6h 3c 5c Td 8c Jd 9s 4c 7h 9c 8d Kc 2s 4d Qh Qc 6s 4s 9h Qs 3s Jc Js 4h 5d"
    ),
}
MATCH_DECKS = (
    (
        "6c 4s 3d Kc Kd 9c Tc Jc 3c Js Ks Qh Ac 2d 5d 2c 3h Kh 9s 7s 3s 5h 8d 2h Qd Qs "
        "6d Jd 4c 7c 6h 6s 8s 2s 8h Qc As Ad 9d 7d Td Ah 9h Jh Ts 4d 8c 5s Th 4h 7h 5c"
    ),
    (
        "As 4d 7d 2s 3h 3d Kh 6c 2d Ad 5d Tc 9d 4s Ah Qh 5s 4c 9h Jd Td Js Kc 8c Ks 5c "
        "3c 8s Qs Jh Qd 9s 7h 6h 6s Ts 4h Ac Jc 7s 2c 8h 2h 7c 6d 3s Kd Qc 9c Th 8d 5h"
    ),
)


def faces(cards: list[int]) -> str:
    return " ".join(map(face_text, cards))


def drawn_order(table: Table, seat: int = 0) -> str:
    """The deck that was dealt, put together again from where the cards lie."""
    me = table.seats[seat]
    rows = [column[row] for row in range(max(map(len, me.columns))) for column in me.columns if row < len(column)]
    return faces([*rows, *me.stock[::-1]])


# --- the stream and the shuffle ----------------------------------------------------------------------------


def test_the_stream_is_hmac_sha256_in_counter_mode() -> None:
    expected = "f5670a4ffbe44ceb64cf39e1621271547b47cc966de2a5b9d875c4b0e56ff78b1a78e4cee4610bcf"
    assert bytes(islice(stream(SECRET, b"acerace/deck/0/"), 40)).hex() == expected


def test_another_key_or_label_is_another_stream() -> None:
    streams = [(SECRET, b"a"), (SECRET, b"b"), (SECRET[::-1], b"a"), (SECRET, b"")]
    assert len({bytes(islice(stream(key, label), 32)) for key, label in streams}) == 4


def test_bytes_that_would_favour_low_numbers_are_thrown_away() -> None:
    assert number_below(52, iter([208, 255, 207])) == 207 % 52  # 4 * 52 = 208
    assert number_below(256, iter([255])) == 255
    assert number_below(1, iter([7])) == 0
    assert number_below(3, iter([255, 254])) == 254 % 3


@pytest.mark.parametrize("n", [2, 3, 51, 52, 104, 255, 256])
def test_every_number_comes_from_equally_many_bytes(n: int) -> None:
    found: Counter[int] = Counter()
    for byte in range(256):
        source = iter([byte, 0])
        number = number_below(n, source)
        if next(source, None) is not None:  # the byte itself was taken
            found[number] += 1
    assert set(found) == set(range(n))
    assert len({*found.values()}) == 1


def test_a_shuffle_keeps_every_card_and_leaves_the_deck_it_was_given() -> None:
    deck = list(full_deck())
    result = shuffled(deck, SECRET, b"x")
    assert deck == list(full_deck())
    assert sorted(result) == sorted(deck)
    assert result == shuffled(deck, SECRET, b"x") != shuffled(deck, SECRET, b"y")


SHUFFLES = 5200
CHI_SQUARE_51 = 87.968
"""Upper 0.1 % point for 51 degrees of freedom: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4."""
CHI_SQUARE_2601 = 2829.6
"""The same for 51 * 51 degrees of freedom, by the approximation of Wilson and Hilferty."""


@pytest.fixture(scope="module")
def places() -> list[Counter[int]]:
    """By place in the deck: how often each card lay there, over many shuffles."""
    found: list[Counter[int]] = [Counter() for _ in range(52)]
    for number in range(SHUFFLES):
        for place, card in enumerate(shuffled(full_deck(), SECRET, b"chi/%d/" % number)):
            found[place][card] += 1
    return found


def chi_square(counts: Counter[int]) -> float:
    expected = SHUFFLES / 52
    return sum((counts[card] - expected) ** 2 / expected for card in full_deck())


@pytest.mark.parametrize("place", [0, 1, 25, 50, 51])
def test_every_card_is_equally_likely_in_a_place(places: list[Counter[int]], place: int) -> None:
    assert chi_square(places[place]) < CHI_SQUARE_51


def test_every_card_is_equally_likely_in_every_place(places: list[Counter[int]]) -> None:
    # row and column sums are fixed, which leaves 51 * 51 degrees of freedom; 51/52 brings the mean, 52 * 51, to that
    assert sum(map(chi_square, places)) * 51 / 52 < CHI_SQUARE_2601


# --- matches -----------------------------------------------------------------------------------------------


def test_the_commitment_is_the_sha256_of_the_secret() -> None:
    assert commitment(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


@pytest.mark.parametrize(
    ("seeds", "key"),
    [
        (["", ""], "2550d083403cfc02be10e01d8b1fa436e78947e86285e45b6f1de8c0ea76916f"),
        (["c0ffee", ""], "686abec8ef9c0c4cc6c8401b11b6111b2da15a859bd5e9af3ff05f0ec84d53fd"),
        (["", "c0ffee"], "43f0f3c8e040da7d12c3cbe8d11757b58b7ff493027c24d9f301a78b673d025f"),
    ],
)
def test_the_key_mixes_the_secret_with_what_each_player_added(seeds: list[str], key: str) -> None:
    assert match_key(SECRET, [*map(bytes.fromhex, seeds)]).hex() == key


def test_bytes_cannot_move_from_one_players_seed_to_the_others() -> None:
    assert match_key(SECRET, [b"ab", b"c"]) != match_key(SECRET, [b"a", b"bc"])
    assert match_key(SECRET, [b"\x00\x01", b""]) != match_key(SECRET, [b"", b"\x00\x01"])


def test_a_match_is_dealt_from_the_secret_and_the_seeds() -> None:
    table = deal_match(DUEL, SECRET, SEEDS)
    assert [drawn_order(table, seat) for seat in (0, 1)] == [*MATCH_DECKS]


def test_each_seat_has_its_own_deck() -> None:
    for seat, me in enumerate(deal_match(DUEL, SECRET, SEEDS).seats):
        assert sorted(me.cards()) == sorted(full_deck(seat))


def test_what_either_player_adds_changes_both_decks() -> None:
    deals = [deal_match(DUEL, SECRET, seeds) for seeds in ([b"", b""], [b"x", b""], [b"", b"x"])]
    for seat in (0, 1):
        assert len({drawn_order(table, seat) for table in deals}) == 3


def test_in_a_mirror_deal_both_have_the_same_cards_in_the_same_places() -> None:  # D66
    table = deal_match(DUEL, SECRET, SEEDS, mirror=True)
    assert drawn_order(table, 0) == drawn_order(table, 1) == MATCH_DECKS[0]
    assert {copy_of(card) for card in table.seats[1].cards()} == {1}


def with_last_cards(*seats: str) -> Table:
    """Two seats whose columns end in these cards."""
    table = deal_match(DUEL, SECRET, SEEDS)
    for me, text in zip(table.seats, seats, strict=True):
        for column, card in zip(me.columns, text.split(), strict=False):
            column[-1] = parse_card(card)
    return table


@pytest.mark.parametrize(
    ("first", "second", "begins"),
    [
        ("2s", "3h", 0),
        ("Ks", "Ah", 1),
        ("5s 9h", "5d 8c", 1),
        ("5s 9h Ac", "5d 9c 2h", 0),
        ("5s 9h Ac 2c 3c 4c 8c", "5d 9c Ah 2h 3h 4h 7h", 1),
    ],
)
def test_the_lower_card_on_the_first_column_that_differs_begins(first: str, second: str, begins: int) -> None:  # D58
    assert first_mover(with_last_cards(first, second), match_key(SECRET, SEEDS)) == begins


def test_if_all_are_equal_the_key_decides_and_is_fair() -> None:  # D58
    table = deal_match(DUEL, SECRET, SEEDS, mirror=True)
    assert first_mover(table, match_key(SECRET, SEEDS)) == 0
    second = sum(first_mover(table, match_key(number.to_bytes(32, "big"), SEEDS)) for number in range(1000))
    assert 450 < second < 550  # more than three standard deviations of 15.8 to either side


# --- solo deals --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("code", "deck"), SOLO_DECKS.items())
def test_a_code_gives_the_same_deal_for_ever(code: str, deck: str) -> None:  # D69
    assert drawn_order(read_code(code).table()) == deck


@pytest.mark.parametrize("game", SOLO_GAMES)
def test_options_do_not_change_the_order_of_the_cards(game: str) -> None:
    options = [option for option in GAMES[game].options if isinstance(option, Choice)]
    plain = drawn_order(SoloDeal(game, {}, 7).table())
    for option in options:
        for value in option.values:
            assert drawn_order(SoloDeal(game, {option.key: value}, 7).table()) == plain


def test_games_do_not_share_their_deals() -> None:
    assert len({drawn_order(SoloDeal(game, {}, 1).table()) for game in SOLO_GAMES}) == len(SOLO_GAMES)


def test_numbers_do_not_share_their_deals() -> None:
    assert len({drawn_order(SoloDeal("klondike", {}, number).table()) for number in range(1, 300)}) == 299


def test_with_two_decks_every_card_is_there_twice() -> None:
    cards = SoloDeal("easy-harp", {}, 5).table().seats[0].cards()
    assert set(Counter(card & FACE for card in cards).values()) == {2}


# --- the deal of the day -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "date", "code"),
    [
        ("klondike", "2026-01-01", "KL1-D1UM-AAAVDRK"),
        ("klondike", "2026-11-30", "KL1-D1UM-AACUGTU"),
        ("double-solitaire", "2026-11-30", "DS1-D1N-AACHQHY"),
        ("russian", "2028-02-29", "RU1-C-AACNVJR"),
        ("easy-harp", "2026-01-01", "EH1-N-AAAULKP"),
        ("yukon", "2026-01-01", "YU1-N-AACDXFU"),
    ],
)
def test_the_deal_of_a_day(game: str, date: str, code: str) -> None:  # D72
    assert deal_of_the_day(game, date).code == code


def test_everyone_plays_the_same_cards_whatever_options_they_like() -> None:
    three = deal_of_the_day("klondike", "2026-11-30", {"draw": 3})
    assert three.number == deal_of_the_day("klondike", "2026-11-30").number
    assert three.code == "KL1-D3UM-AACUGTU"


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "UTC", "Pacific/Pago_Pago"])
def test_the_day_is_told_and_no_time_zone_is_asked(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert deal_of_the_day("klondike", "2026-11-30").code == "KL1-D1UM-AACUGTU"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_days_differ() -> None:
    days = [f"2026-{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 29)]
    assert len({deal_of_the_day("russian", day).number for day in days}) == len(days)


# --- deal codes --------------------------------------------------------------------------------------------


@st.composite
def solo_deals(draw: st.DrawFn) -> SoloDeal:
    game = draw(st.sampled_from(SOLO_GAMES))
    options: dict[str, Value] = {
        option.key: draw(st.sampled_from(option.values)) for option in GAMES[game].options if isinstance(option, Choice)
    }
    return SoloDeal(game, options, draw(st.integers(1, NUMBER_MAX)))


@given(solo_deals())
def test_a_code_says_everything_about_a_deal(deal: SoloDeal) -> None:
    assert read_code(deal.code) == deal
    assert read_code(deal.code).code == deal.code


@given(solo_deals(), st.randoms(use_true_random=False))
def test_reading_forgives_case_spaces_and_missing_hyphens(deal: SoloDeal, random: Random) -> None:  # D70
    letters = [random.choice((letter.lower(), letter)) for letter in deal.code if letter != "-"]
    untidy = "".join(letter + random.choice(("", "", " ", "-", " - ", "\t")) for letter in letters)
    assert read_code(f" {untidy}\n") == deal


@given(st.text(max_size=40) | st.text("DSKLRUEHYN13VMWPTC- AB", max_size=24))
def test_anything_else_is_a_typed_error(text: str) -> None:
    try:
        deal = read_code(text)
    except DealCodeError as error:
        message = str(error)
    else:
        message = deal.code
    assert message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is no deal code"),
        ("XX1-N-AAAAAAB", "beginning with DS1"),
        ("DS2-D1N-AAAAAAB", "is no deal code"),
        ("DS1-D1N", "is no deal code"),
        ("DS1-AAAAAAB", "is no deal code"),
        ("DS1-D2N-AAAAAAB", "does not say 'draw'"),
        ("DS1-D1X-AAAAAAB", "does not say 'scoring'"),
        ("DS1-D1NN-AAAAAAB", "says no option"),
        ("YU1-C-AAAAAAB", "says no option"),
        ("KL1-D1UMTS-AAAAAAB", "says no option"),
        ("DS1-D1N-AAAAAAI", "not in the alphabet"),
        ("DS1-D1N-AAAAAA0", "not in the alphabet"),
        ("DS1-D1N-AAAAAAA", "number 0 is not from 1 to 999999"),
        ("DS1-D1N-ZZZZZZZ", "is not from 1 to 999999"),
        ("DS1-D1N-AAAAAAB" * 1000, "says no option"),
    ],
)
def test_the_error_says_what_was_expected(text: str, says: str) -> None:
    with pytest.raises(DealCodeError, match=says):
        read_code(text)


@pytest.mark.parametrize(("number", "text"), [(0, "AAAAAAA"), (1, "AAAAAAB"), (24, "AAAAABA"), (999_999, "AADAJCR")])
def test_a_number_is_seven_letters(number: int, text: str) -> None:
    assert number_text(number) == text


def test_the_alphabet_has_no_letter_that_looks_like_a_digit() -> None:
    assert len(ALPHABET) == 24
    assert not set("IO") & set(ALPHABET)


@pytest.mark.parametrize("number", [0, -1, NUMBER_MAX + 1])
def test_deals_are_numbered_1_to_999999(number: int) -> None:
    with pytest.raises(DealCodeError, match="1 to 999999"):
        SoloDeal("klondike", {}, number)


@pytest.mark.parametrize("game", ["double-klondike", "klondike-three", ""])
def test_a_two_player_game_has_no_code(game: str) -> None:  # D65
    with pytest.raises(DealCodeError, match="has no deal codes"):
        SoloDeal(game, {}, 1)


def test_a_code_cannot_say_an_option_the_game_has_not() -> None:
    with pytest.raises(UnknownChoiceError, match="draw"):
        SoloDeal("klondike", {"draw": 2}, 1)
