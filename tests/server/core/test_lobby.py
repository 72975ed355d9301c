"""Finding an opponent (N16, N17)."""

from random import Random

import pytest

from acerace_protocol.limits import LISTED_MAX, SEEKS_MAX, Fault
from acerace_protocol.messages import Accept, Hello, Problem, Seated, Seek, Seeking, Snapshot, Unseek, Unsought
from acerace_rules.options import Value
from acerace_server.core.lobby import Lobby, OpenSeek, Pairing, RefusalError
from tests.server.core.support import World, one

DUEL = "double-klondike"


def lobby() -> Lobby:
    return Lobby(Random(1).randbytes)


def seek(where: Lobby, player: str, *, private: bool = False, **options: Value) -> OpenSeek | Pairing:
    return where.seek(player, player.title(), DUEL, options, private=private)


def opened(where: Lobby, player: str, *, private: bool = False, **options: Value) -> OpenSeek:
    found = seek(where, player, private=private, **options)
    assert isinstance(found, OpenSeek)
    return found


def fault(error: pytest.ExceptionInfo[RefusalError]) -> Fault:
    return error.value.fault


def test_two_who_want_the_same_are_paired_the_first_in_seat_0() -> None:
    where = lobby()
    opened(where, "ada", draw=3)
    pairing = seek(where, "bruno", draw=3)
    assert isinstance(pairing, Pairing)
    assert (pairing.players, pairing.options["draw"]) == (("ada", "bruno"), 3)
    assert len(where) == 0


def test_who_says_a_default_wants_what_one_wants_who_does_not() -> None:
    where = lobby()
    opened(where, "ada")
    assert isinstance(seek(where, "bruno", draw=1, pace="simultaneous"), Pairing)


def test_two_who_want_otherwise_are_not() -> None:
    where = lobby()
    opened(where, "ada", draw=3)
    opened(where, "bruno", draw=1)
    assert [info.seek for info in where.listed()] == [where.withdraw(player).key for player in ("ada", "bruno")]  # type: ignore[union-attr]


def test_the_oldest_seek_is_taken_first() -> None:
    where = lobby()
    for player in ("ada", "bruno"):
        where.seek(player, player, DUEL, {"draw": 1 if player == "ada" else 3})
    assert where.accept("carla", where.listed()[0].seek).players == ("ada", "carla")


def test_an_invitation_is_for_who_has_its_code() -> None:
    where = lobby()
    invitation = opened(where, "ada", private=True)
    assert where.listed() == ()
    opened(where, "bruno")  # not paired with it
    pairing = where.accept("carla", f" {invitation.key.lower()} ")
    assert pairing.players == ("ada", "carla")
    assert pairing.seek.private


def test_an_invitation_does_not_take_an_open_seek() -> None:
    where = lobby()
    opened(where, "ada")
    opened(where, "bruno", private=True)


def test_one_seek_a_player() -> None:
    where = lobby()
    opened(where, "ada")
    with pytest.raises(RefusalError) as error:
        seek(where, "ada", draw=3)
    assert fault(error) == Fault.ALREADY_SEEKING


def test_one_cannot_play_oneself() -> None:
    where = lobby()
    with pytest.raises(RefusalError) as error:
        where.accept("ada", opened(where, "ada").key)
    assert fault(error) == Fault.OWN_SEEK
    assert len(where) == 1


def test_a_seek_that_is_taken_or_withdrawn_is_gone() -> None:
    where = lobby()
    key = opened(where, "ada").key
    assert where.withdraw("ada") is not None
    assert where.withdraw("ada") is None
    with pytest.raises(RefusalError) as error:
        where.accept("bruno", key)
    assert fault(error) == Fault.NO_SUCH_SEEK


@pytest.mark.parametrize(
    ("game", "options", "expected"),
    [
        ("chess", {}, Fault.NO_SUCH_GAME),
        ("klondike", {}, Fault.NO_SUCH_GAME),  # for one
        (DUEL, {"draw": 2}, Fault.BAD_OPTIONS),
        (DUEL, {"colour": "blue"}, Fault.BAD_OPTIONS),
        (DUEL, {"grace_s": 1}, Fault.BAD_OPTIONS),
        (DUEL, {"mirror": 1}, Fault.BAD_OPTIONS),
    ],
)
def test_what_does_not_exist_cannot_be_sought(game: str, options: dict[str, Value], expected: Fault) -> None:
    with pytest.raises(RefusalError) as error:
        lobby().seek("ada", "Ada", game, options)
    assert fault(error) == expected


def test_there_is_a_limit_and_the_list_has_one_of_its_own() -> None:
    where = lobby()
    for number in range(SEEKS_MAX):
        opened(where, f"p{number}", grace_s=5 + number % 500, no_progress_s=10 + number // 500)
    assert len(where.listed()) == LISTED_MAX
    with pytest.raises(RefusalError) as error:
        seek(where, "one more")
    assert fault(error) == Fault.TOO_MANY


# --- over the hub ------------------------------------------------------------------------------------------


def test_of_a_hundred_who_accept_one_succeeds_and_the_others_are_told_at_once() -> None:
    # N17
    world = World()
    seeker = world.enter("Ada")
    key = one(Seeking, seeker.send(Seek())).seek
    hopeful = [world.enter(f"p{number}") for number in range(100)]
    for client in hopeful:
        world.hub.receive(client.number, Accept(seek=key), world.now)
    world.beat()
    got = [client.take() for client in hopeful]
    seated = [messages for messages in got if any(isinstance(message, Seated) for message in messages)]
    refused = [one(Problem, messages) for messages in got if messages not in seated]
    assert len(seated) == 1
    assert [problem.code for problem in refused] == [Fault.NO_SUCH_SEEK] * 99
    mine = seeker.take()
    assert one(Seated, mine).seat == 0
    assert one(Snapshot, mine) == one(Snapshot, seated[0])


def test_one_player_cannot_take_both_seats_from_two_tabs() -> None:
    # N16
    world = World()
    first = world.connect()
    token = first.hello("Ada").token
    second = world.enter(token=token)
    world.hub.receive(first.number, Seek(), world.now)
    world.hub.receive(second.number, Seek(), world.now)
    world.beat()
    key = one(Seeking, first.take()).seek  # both tabs are told of the seek, and the second of its mistake
    assert one(Problem, second.take()).code == Fault.ALREADY_SEEKING
    assert one(Problem, second.send(Accept(seek=key))).code == Fault.OWN_SEEK
    world.enter("Bruno").send(Seek())
    assert [one(Seated, tab.take()).seat for tab in (first, second)] == [0, 0]


def test_who_is_paired_seeks_no_longer() -> None:
    world = World()
    ada, bruno, carla = (world.enter(name) for name in ("Ada", "Bruno", "Carla"))
    key = one(Seeking, ada.send(Seek())).seek
    own = one(Seeking, bruno.send(Seek(options={"draw": 3}))).seek
    assert one(Unsought, bruno.send(Accept(seek=key))).seek == own
    assert one(Problem, carla.send(Accept(seek=own))).code == Fault.NO_SUCH_SEEK


def test_a_seek_goes_with_its_player() -> None:
    world = World()
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    key = one(Seeking, ada.send(Seek())).seek
    ada.hang_up()
    assert one(Problem, bruno.send(Accept(seek=key))).code == Fault.NO_SUCH_SEEK


def test_a_seek_is_taken_back() -> None:
    world = World()
    ada = world.enter("Ada")
    assert one(Problem, ada.send(Unseek())).code == Fault.NO_SUCH_SEEK
    key = one(Seeking, ada.send(Seek(private=True))).seek
    assert one(Unsought, ada.send(Unseek())).seek == key


def test_a_full_server_takes_no_seek_that_it_could_not_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    ada, bruno = world.enter("Ada"), world.enter("Bruno")
    key = one(Seeking, ada.send(Seek())).seek
    monkeypatch.setattr("acerace_server.core.registry.TABLES_MAX", 0)
    assert one(Problem, bruno.send(Accept(seek=key))).code == Fault.TOO_MANY
    monkeypatch.undo()
    assert one(Seated, bruno.send(Accept(seek=key))).seat == 1  # the seek was not lost


def test_nobody_seeks_before_hello() -> None:
    world = World()
    stranger = world.connect()
    assert one(Problem, stranger.send(Seek())).code == Fault.HELLO_FIRST
    assert stranger.send(Hello(name="Ada"))
