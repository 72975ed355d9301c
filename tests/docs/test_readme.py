import asyncio
import re
import subprocess
import sys
from pathlib import Path

from acerace_client.bots.registry import make_bot
from acerace_client.commands.server import throwaway_server
from acerace_client.runner import run_bot

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BOT = ROOT / "examples" / "twenty_line_bot.py"


def test_the_bot_in_the_readme_is_the_one_in_the_examples() -> None:
    [shown] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    lines = [line for line in BOT.read_text(encoding="utf-8").splitlines() if not line.startswith("# ruff")]
    assert shown.splitlines() == lines
    assert len([line for line in lines if line.strip()]) <= 20


async def test_it_plays_a_whole_match_on_a_real_server() -> None:
    async with throwaway_server(["--commands-per-second", "10000"]) as url:
        program = await asyncio.create_subprocess_exec(
            sys.executable, BOT, url, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        [opponent] = [result async for result in run_bot(url, lambda: make_bot("greedy"))]
        out, err = await program.communicate()
    assert program.returncode == 0, err.decode()
    said = out.decode().split(maxsplit=1)[0]
    assert said == ("lost" if opponent.won else "won")


def test_the_match_it_shows_can_be_played_again() -> None:
    [file] = re.findall(r"\.venv/bin/acerace replay (\S+)", README)
    replay = subprocess.run(
        [sys.executable, "-m", "acerace_client", "replay", file], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (replay.returncode, replay.stderr) == (0, "")
    assert "race for " in replay.stdout
    assert replay.stdout.splitlines()[-1].startswith("verified: ")


def test_every_command_it_shows_is_one() -> None:
    shown = set(re.findall(r"\.venv/bin/acerace (\w+)", README))
    assert shown >= {"serve", "duel", "solo", "games", "deal", "watch", "bot"}
    usage = subprocess.run(
        [sys.executable, "-m", "acerace_client", "--help"], capture_output=True, text=True, check=True
    )
    assert {command for command in shown if command not in usage.stdout} == set()


def test_the_make_targets_it_shows_exist() -> None:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"^make (\w+)", README, re.MULTILINE)) <= set(targets)


def test_every_page_it_links_to_is_there() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
