"""When two names are one to those who read them."""

import pytest

from acerace_protocol.limits import Fault
from acerace_server.core.names import Names, fold, guest_name, require_shown
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
    ],
)
def test_names_that_look_the_same_fold_to_the_same(name: str, alike: str) -> None:
    assert fold(name) == fold(alike)
    assert fold(fold(name)) == fold(name)


@pytest.mark.parametrize(("name", "other"), [("Ada", "Adá"), ("Ada", "Ada1"), ("AdaB", "Ada B"), ("Ира", "Ирма")])
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
    names.restore({"ada": "p1"})
    assert names.owner("ADA") == "p1"
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
    assert names.owner("Ada") is None
