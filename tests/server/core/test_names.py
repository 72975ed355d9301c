"""When two names are one to those who read them."""

import pytest

from acerace_protocol.limits import Fault
from acerace_server.core.names import SAME_NAME_MOST, Names, fold, guest_name, require_shown
from acerace_server.core.refusal import RefusalError


@pytest.mark.parametrize(
    ("name", "alike"),
    [
        ("Ada", "aDA"),
        ("Straße", "STRASSE"),
        ("Zoë", "Zoe\u0308"),
        ("Ada", "\uff21\uff44\uff41"),
        ("Ada B", " Ada   B "),
        ("Ada B", "Ada\u00a0B"),
        ("Ada", "A\u200bda"),
        ("Ada", "A\u00adda\ufe0f\u3164"),
        ("ΣΙΣΥΦΟΣ", "σισυφος"),
        ("\u212b", "\u00e5"),
        ("Ada", "\u0410d\u0430"),
        ("Ace", "\u0410\u0441\u0435"),
        ("BOB", "\u0412\u041e\u0412"),
        ("BOB", "\u0392\u039f\u0392"),
        ("\u0412\u041e\u0412\u0410", "\u0432\u043e\u0432\u0430"),
        ("\u0401\u043b\u043a\u0430", "\u0415\u0308\u043b\u043a\u0430"),
        ("No\u00eb", "N\u043e\u0451"),
        ("\u039d\u0399\u039a\u039f\u03a3", "\u03bd\u03b9\u03ba\u03bf\u03c2"),
        ("Ian", "lan"),
        ("ian", "1AN"),
        ("Paul", "Pau|"),
        ("\u0406\u0430\u043d", "\u04c0\u0430\u043d"),
        ("Otto", "0tt0"),
        ("Tom", "TORN"),
        ("Ada", "\u0251d\u0251"),
        ("ADA", "\u1d00\u1d05\u1d00"),
        ("Gigi", "\u0261\u0131\u0261\u0131"),
        ("\u0130rem", "Irem"),
        ("Aeneas", "\u00c6neas"),
        ("Ida", "\u01c0da"),
    ],
)
def test_names_that_look_the_same_fold_to_the_same(name: str, alike: str) -> None:
    assert fold(name) == fold(alike)
    assert fold(fold(name)) == fold(name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ada", "Adá"),
        ("Ada", "Ada1"),
        ("AdaB", "Ada B"),
        ("Ира", "Ирма"),
        ("Ida", "\u00ccda"),
        ("Ada 2", "Ada Z"),
        ("Sven", "5ven"),
        ("Wilma", "VVilma"),
    ],
)
def test_others_do_not(name: str, other: str) -> None:
    assert fold(name) != fold(other)


@pytest.mark.parametrize("name", ["\u0410da", "Ad\u03b1", "\u0410\u03a9", "\u13aada", "Ad\uff41\u0430"])
def test_a_name_of_several_scripts_that_look_alike_is_nobodys(name: str) -> None:
    names = Names()
    with pytest.raises(RefusalError, match="Expected letters of one script") as refused:
        names.begin("p1", name)
    assert refused.value.fault == Fault.MALFORMED
    assert names.shown("p1", name) == guest_name("p1")


@pytest.mark.parametrize(
    "name", ["Ada 1", "Ада-2", "Αριάδνη", "エースAce", "東京 Tower", "김Kim", "Zoë (ß)", "12", "\U0001f0a1 Ace", "Նարե"]
)
def test_a_name_of_one_such_script_is_anyones(name: str) -> None:
    names = Names()
    names.begin("p1", name)
    assert names.shown("p1", name) == name


def test_a_name_to_be_shown_has_no_spaces_around_it() -> None:
    assert require_shown(" Ada  B ") == "Ada  B"


@pytest.mark.parametrize("name", ["", " ", "a\nb", "\u202ea", "\u3164", "\ufe0f "])
def test_a_name_that_is_not_seen_is_none(name: str) -> None:
    with pytest.raises(RefusalError):
        require_shown(name)


def test_what_was_claimed_in_an_earlier_run_is_claimed() -> None:
    names = Names()
    names.restore({"p1": "Ada"})
    assert names.owners("ADA") == ("p1",)
    assert names.has_claimed("p1")
    assert not names.has_claimed("p2")
    assert names.shown("p1", "Ada") == "Ada"
    assert names.shown("p2", "Ada") == guest_name("p2")
    assert names.shown("p2", "Bruno") == "Bruno"
    with pytest.raises(RefusalError) as refused:
        names.begin("p2", "ada")
    assert refused.value.fault == Fault.NAME_TAKEN


def test_a_name_that_was_given_up_is_anyones() -> None:
    names = Names()
    names.begin("p1", "Ada")
    names.give_up("ada")
    names.begin("p2", "Ada")
    assert names.owners("Ada") == ()


# --- names that an earlier version took for two ---


@pytest.fixture
def alike() -> Names:
    names = Names()
    names.restore({"p1": "Tom", "p2": "Torn", "p3": "Ada"})
    return names


def test_each_keeps_a_name_that_was_claimed_as_another(alike: Names) -> None:
    assert [alike.shown(player, name) for player, name in (("p1", "Tom"), ("p2", "Torn"))] == ["Tom", "Torn"]
    assert alike.owners("T0m") == ("p1", "p2")


def test_either_may_have_another_password_and_nobody_else_the_name(alike: Names) -> None:
    for player, name in (("p1", "Tom"), ("p2", "Torn")):
        alike.begin(player, name)
        alike.give_up(name)
        alike.claim(player, name)
    assert alike.owners("Tom") == ("p1", "p2")
    for player in ("p3", "p4"):
        assert alike.shown(player, "Tom") == guest_name(player)
        with pytest.raises(RefusalError) as refused:
            alike.begin(player, "Tom")
        assert refused.value.fault == Fault.NAME_TAKEN


def test_it_is_free_when_the_last_of_them_has_another(alike: Names) -> None:
    alike.claim("p1", "Bruno")
    assert alike.owners("Tom") == ("p2",)
    alike.claim("p2", "Carla")
    assert alike.owners("Tom") == ()
    alike.begin("p3", "Tom")


def test_only_so_many_come_in_by_one_name_as_can_be_looked_at() -> None:
    names = Names()
    names.restore({f"p{number}": "Ada" for number in range(SAME_NAME_MOST + 1)})
    assert names.owners("Ada") == tuple(f"p{number}" for number in range(SAME_NAME_MOST))
