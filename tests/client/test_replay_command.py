"""``acerace replay``: from a file, from standard input, from a server; and what it says of a false one."""

import asyncio
import io
from pathlib import Path

import pytest

from acerace_client.__main__ import main
from acerace_client.bots.registry import make_bot
from acerace_client.connection import Connection
from acerace_client.replays.checking import read
from acerace_client.runner import Result, play_one
from acerace_protocol.messages import Accept, Seek
from acerace_protocol.replay_text import replay_text
from tests.client.replayed import duel, solo
from tests.client.serving import FAST, serving

Out = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def text() -> str:
    replays = (duel(seed, mirror=True).play(250).replay() for seed in range(1, 99, 2))
    return replay_text(next(replay for replay in replays if replay.ended.races and replay.ended.winner == 1))


@pytest.fixture
def file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "game.txt"
    path.write_bytes(text.encode())
    return path


def test_a_game_is_told_from_beginning_to_end(file: Path, capsys: Out) -> None:
    assert main(["replay", str(file)]) == 0
    shown = capsys.readouterr().out
    for words in ("table    t1, rated", "mirror true", "2026-11-30 12:00:00 UTC", "the deal", "race for", "refused: "):
        assert words in shown
    assert shown.count("foundations") == 2  # the deal, and the end
    assert "refused: second by" in shown
    assert shown.splitlines()[-1].startswith("verified: ")
    assert "the deal fits the commitment in the file" in shown


def test_a_solo_game_is_told_too(tmp_path: Path, capsys: Out) -> None:
    path = tmp_path / "solo.txt"
    replay = solo(2, "klondike", scoring="vegas").play(60).replay()
    path.write_bytes(replay_text(replay).encode())
    assert main(["replay", str(path)]) == 0
    shown = capsys.readouterr().out
    assert f" {replay.ended.scores[0]} $ (" in shown
    assert f"deal {replay.code}" in shown


def test_step_by_step_each_table_is_shown(file: Path, text: str, capsys: Out) -> None:
    assert main(["replay", str(file), "--step"]) == 0
    moves = sum(" = played " in line for line in text.splitlines())
    assert capsys.readouterr().out.count("foundations") > moves


def test_verified_only_is_one_line(file: Path, text: str, capsys: Out) -> None:
    commitment = read(text).commitment
    assert commitment
    assert main(["replay", str(file), "--verify", "--commitment", commitment]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("verified: ")
    assert line.endswith("the deal is the one that was promised")


def test_from_standard_input(text: str, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert main(["replay", "-", "--verify"]) == 0
    assert "verified" in capsys.readouterr().out


def with_line(text: str, number: int, old: str, new: str) -> str:
    lines = text.split("\n")
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new)
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("number", "old", "new"),
    [(1, "replay 1", "replay 2"), (9, '"winner":1', '"winner":0'), (13, " = played", " = refused")],
    ids=["version", "winner", "outcome"],
)
def test_a_false_one_is_1_and_the_line_is_named(
    number: int, old: str, new: str, tmp_path: Path, text: str, capsys: Out
) -> None:
    path = tmp_path / "false.txt"
    path.write_bytes(with_line(text, number, old, new).encode())
    assert main(["replay", str(path)]) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(f"acerace replay: line {number}: ")


def test_a_torn_one_is_1(tmp_path: Path, text: str, capsys: Out) -> None:
    path = tmp_path / "torn.txt"
    path.write_bytes(text[:-200].encode())
    assert main(["replay", str(path)]) == 1
    assert "breaks off" in capsys.readouterr().err


def test_another_commitment_is_1(file: Path, capsys: Out) -> None:
    assert main(["replay", str(file), "--verify", "--commitment", "00" * 32]) == 1
    assert "not the commitment that was told" in capsys.readouterr().err


@pytest.mark.parametrize("game", ["no/such/file.txt", "x" * 33])
def test_neither_a_file_nor_a_table_is_wrong_usage(game: str, capsys: Out) -> None:
    assert main(["replay", game]) == 2
    assert "there is no file" in capsys.readouterr().err


def test_a_file_that_is_no_text_and_a_place_that_cannot_be_written(tmp_path: Path, file: Path, capsys: Out) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\xff\xfe")
    assert main(["replay", str(path)]) == 2
    assert main(["replay", str(file), "--save", str(tmp_path / "no" / "place")]) == 2
    assert "cannot be written" in capsys.readouterr().err


async def a_match(url: str) -> Result:
    async with Connection(url, name="one", bot=True) as one, Connection(url, name="two", bot=True) as two:
        code: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        async def join() -> Result:
            return await play_one(two, make_bot("greedy"), Accept(seek=await code), seed="0b")

        seek = Seek(private=True)
        first, _ = await asyncio.gather(
            play_one(one, make_bot("patient"), seek, seed="0a", on_seek=code.set_result), join()
        )
        return first


async def test_a_real_match_is_fetched_saved_and_true(tmp_path: Path, capsys: Out) -> None:
    path = tmp_path / "match.txt"
    async with serving(commands_per_second=FAST) as url:
        result = await a_match(url)
        words = ["replay", result.mirror.id, "--url", url, "--save", str(path), "--verify"]
        assert await asyncio.to_thread(main, words) == 0
        assert await asyncio.to_thread(main, ["replay", "t1", "--url", url]) == 1
    assert read(path.read_bytes().decode()).ended == result.ended
    captured = capsys.readouterr()
    assert captured.out.startswith("verified: ")
    assert "no_such_table" in captured.err
