"""What the command line says, and the exit codes it says it with."""

import json
import subprocess
import sys

import pytest

from acerace_client import __main__ as command_line
from acerace_client.__main__ import main
from acerace_client.commands.common import TOKEN_VARIABLE, URL

COMMANDS = (
    *("bot", "duel", "solo", "watch", "replay", "results", "statistics", "ranking", "day"),
    *("games", "deal", "token", "doctor"),
)
NOWHERE = "ws://127.0.0.1:9/ws"


def test_help_names_the_commands_and_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    for word in (*COMMANDS, "exit codes", "examples"):
        assert word in shown


def test_these_are_all_the_commands() -> None:
    assert set(command_line.COMMANDS) == set(COMMANDS)


def test_a_command_does_not_wait_for_what_only_others_need() -> None:
    code = "import sys; from acerace_client.__main__ import main; main(['games']); print('websockets' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.splitlines()[-1] == "False"


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_with_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert f"acerace {command}" in shown
    assert "exit codes" in shown


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "COMMAND"),
        (["dance"], "dance"),
        (["bot", "deep-blue"], "expected one of random, greedy, patient"),
        (["bot", "greedy", "--games", "0"], "at least 1"),
        (["bot", "greedy", "--accept", "ABC", "--games", "2"], "--accept"),
        (["bot", "greedy", "--accept", "ABC", "--draw", "3"], "no options"),
        (["bot", "greedy", "--accept", "ABC", "--rated"], "no --rated"),
        (["bot", "greedy", "--as", "Robot", "--token", "t"], "not allowed with"),
        (["duel", "greedy", "greedy", "--series", "best"], "--games is the series here"),
        (["duel", "greedy"], "B"),
        (["duel", "greedy", "greedy", "--draw", "2"], "expected one of 1, 3"),
        (["duel", "greedy", "greedy", "--pace", "fast"], "no whole number"),
        (["duel", "greedy", "greedy", "--grace-s", "1"], "from 5 to 600"),
        (["watch", "t1", "--featured"], "either a table, or --featured"),
        (["watch", "t1", "--delay", "601"], "at most 600"),
        (["watch", "--delay", "5"], "--delay goes with"),
        (["watch", "t1", "--games", "2"], "--games goes with --featured"),
        (["solo", "chess"], "there is no game"),
        (["solo", "klondike", "draw=7"], "expected one of 1, 3"),
        (["solo", "klondike", "colour=red"], "no option"),
        (["solo", "double-klondike"], "game for two"),
        (["solo", "klondike", "--code", "KL1-D1UM-AAAAAAB"], "by itself"),
        (["solo", "--code", "nonsense"], "no deal code"),
        (["results"], "who are you? give a player's id, or --token"),
        (["results", "--games", "0"], "at least 1"),
        (["statistics"], "who are you? give --token"),
        (["ranking", "people-simultaneous", "2"], "unrecognized"),
        (["day", "chess"], "there is no game"),
        (["day", "klondike", "draw=7"], "expected one of 1, 3"),
        (["day", "double-klondike"], "game for two"),
        (["day", "--date", "2026-02-30"], "no date such as 2026-11-30"),
        (["games", "chess"], "there is no game"),
        (["deal", "KL1-D1UM-AAAAAAI"], "alphabet"),
    ],
)
def test_wrong_usage_is_said_in_one_line_and_is_2(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    assert main(words) == 2
    [said] = capsys.readouterr().err.strip().splitlines()
    assert says in said
    assert said.startswith("acerace")


@pytest.mark.parametrize(
    "words",
    [
        *(["bot", "greedy"], ["solo", "klondike"], ["watch"], ["watch", "t1"], ["watch", "--featured"]),
        *(["results", "p1"], ["statistics", "--token", "t1"], ["ranking"], ["day"]),
    ],
)
def test_no_server_is_said_in_one_line_and_is_1(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--url", NOWHERE]) == 1
    assert capsys.readouterr().err.startswith(f"acerace {words[0]}: cannot connect to {NOWHERE}")


def test_games_lists_the_catalogue(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    shown = capsys.readouterr().out
    for word in ("double-klondike", "klondike-three", "easy-harp", "no_progress_s", "thoughtful"):
        assert word in shown
    assert main(["games", "klondike-vegas"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("klondike ")
    assert "easy-harp" not in shown


def test_deal_shows_what_a_code_stands_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deal", "kl1d1umaaaaaab"]) == 0
    shown = capsys.readouterr().out
    assert "KL1-D1UM-AAAAAAB" in shown
    assert "deal number 1" in shown
    assert "draw 1" in shown
    assert "??*24" in shown
    assert main(["deal", "KL1-D1UM-AAAAAAB", "--all"]) == 0
    assert "??" not in capsys.readouterr().out


def test_it_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "acerace_client", "deal", "RU1-C-AAAAAAB"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "russian" in done.stdout
    assert done.stderr == ""


def test_the_default_server_is_this_machines() -> None:
    assert URL == "ws://127.0.0.1:8080/ws"


def test_a_duel_tells_each_game_as_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["duel", "greedy", "patient", "--games", "4", "--seed", "7", "--parallel", "2", "--json"]) == 0
    shown = capsys.readouterr()
    games = [json.loads(line) for line in shown.out.splitlines()]
    assert len(games) == 4
    for game in games:
        assert set(game) == {"winner", "contributions", "reason", "moves", "races", "duration_ms"}
        assert game["winner"] in {0, 1, None}
        assert len(game["contributions"]) == 2
    assert "4 games" in shown.err


def test_a_duel_shows_the_table_and_who_contributed_what(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["duel", "greedy", "greedy", "--seed", "3", "--alternating", "--draw", "3"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("\nfoundations ") + shown.startswith("foundations ") == 2
    assert "greedy A" in shown
    assert "cards:" in shown


def test_a_seeded_duel_in_alternating_pace_can_be_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[list[dict[str, object]]] = []
    for _ in range(2):
        assert main(["duel", "random", "greedy", "--games", "2", "--seed", "5", "--alternating", "--json"]) == 0
        games = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        told.append([{**game, "duration_ms": 0} for game in games])
    assert told[0] == told[1]
