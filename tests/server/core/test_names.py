"""When two names are one to those who read them."""

import pytest

from acerace_protocol.limits import Fault
from acerace_server.core.lobby import RefusalError
from acerace_server.core.names import Names, fold, guest_name, require_shown


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
    ],
)
def test_names_that_look_the_same_fold_to_the_same(name: str, alike: str) -> None:
    assert fold(name) == fold(alike)
    assert fold(fold(name)) == fold(name)


@pytest.mark.parametrize(("name", "other"), [("Ada", "Adá"), ("Ada", "Ada1"), ("AdaB", "Ada B")])
def test_others_do_not(name: str, other: str) -> None:
    assert fold(name) != fold(other)


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
