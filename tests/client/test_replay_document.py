"""The replay file of PROTOCOL.md is a true one."""

from acerace_client.replays.checking import check, read
from acerace_protocol.replay_text import replay_text
from tests.protocol.document import VECTORS, blocks, section


def test_the_example_is_true_and_belongs_to_the_deal_of_the_vectors() -> None:
    [example] = blocks("text replay")
    replay = read(example)
    check(replay, VECTORS["match"]["commitment"])
    assert replay_text(replay) == example
    assert replay.ended.secret == VECTORS["match"]["secret"]


def test_every_header_of_the_example_is_explained() -> None:
    [example] = blocks("text replay")
    text = section("Replay files")
    for line in example.splitlines()[1:10]:
        assert f"`{line.partition(' ')[0]}`" in text
