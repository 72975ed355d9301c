"""Whether results, ratings, series and statistics are what the journal leads to: recomputed from the tables alone."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from openskill.models import BradleyTerryFull

from tests.e2e.week.ledger import Json, Ledger, TableRow
from tests.e2e.week.referee import Referee

_MODEL = BradleyTerryFull()
_STAKES = {"vegas": -52}


@dataclass(frozen=True)
class Rating:
    """What a player is worth in a pool."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    games: int = 0
    updated: int = 0

    @property
    def shown(self) -> int:
        return round(1500 + 30 * (self.mu - _MODEL.mu))

    def told(self, pool: str) -> Json:
        """As it is on the wire."""
        info: Json = {"pool": pool, "rating": self.shown, "deviation": round(30 * self.sigma), "games": self.games}
        return info | ({"provisional": True} if self.sigma > 5 else {})


class Books:
    """All that follows from the journal, by way of the referees' ends and the order in which games were over."""

    def __init__(self, ledger: Ledger, referees: Mapping[str, Referee]) -> None:
        self.ledger = ledger
        self.referees = referees
        self.rows = {row.number: row for row in ledger.tables}
        self.ratings: dict[tuple[str, str], Rating] = {}
        """By player and pool."""
        self.rated: dict[str, list[Json]] = {}
        """By table: the seats of the message ``rated``."""
        self.wrong_before: list[str] = []
        for result in ledger.results:
            row = self.rows[result["table_number"]]
            if row.rated:
                self._rate(row)

    def ended(self, row: TableRow) -> Json | None:
        """How a table ended, by the journal."""
        return self.referees[row.id].ended if row.id in self.referees else None

    # --- results ---

    def wrong_results(self) -> Iterator[str]:
        """Each table that is over has one result with the right numbers, and nothing else has one."""
        numbers = [result["table_number"] for result in self.ledger.results]
        over = [row.number for row in self.ledger.tables if self.ended(row) or self._was_left(row)]
        if sorted(numbers) != over:
            yield f"result: tables {sorted(numbers)} have one, by the journal {over} are over"
        finished = [result["finished_us"] for result in self.ledger.results]
        if finished != sorted(finished):
            yield "result: they are not in the order of their time"
        for result in self.ledger.results:
            row = self.rows[result["table_number"]]
            yield from self._wrong_result(result, row)

    def _wrong_result(self, result: Json, row: TableRow) -> Iterator[str]:
        ended = self.ended(row)
        true = {
            "reason": ended["reason"] if ended else "left",
            "winner": ended.get("winner") if ended else None,
            "duration_ms": ended["duration_ms"] if ended else None,
            "races": len(ended.get("races", [])) if ended else 0,
            "ended": ended,
            "seats": [*_seats(row, ended)],
        }
        kept = {key: result[key] for key in true} | {"ended": json.loads(result["ended"] or "null")}
        kept["seats"] = [{key: seat[key] for key in seat if key != "result_number"} for seat in result["seats"]]
        for key, value in true.items():
            if kept[key] != value:
                yield f"result: {key} of table {row.id} is {kept[key]}, by the journal {value}"
        if ended and result["finished_us"] < row.opened_us + ended["at_us"] - 1_000_000:
            yield f"result: table {row.id} was over before its last event"
        if row.state == "live":
            yield f"result: table {row.id} is over, and kept as {row.state}"
        yield from self._wrong_races(row, ended)

    def _wrong_races(self, row: TableRow, ended: Json | None) -> Iterator[str]:
        """The loser's command comes after the winner's in the log, by the margin that was told."""
        referee = self.referees[row.id]
        for race in (ended or {}).get("races", []):
            won = [at for at, verdict in enumerate(referee.verdicts) if _has(verdict.events, race["seq"])]
            lost = [at for at, verdict in enumerate(referee.verdicts) if verdict.race == race]
            stamps = [row.entries[at].at for at in (won[0], lost[0])]
            if not (won[0] < lost[0] and (stamps[1] - stamps[0]) // 1000 == race["margin_us"] >= 0):
                yield f"race: {race} of table {row.id}: the stamps are {stamps}"

    @staticmethod
    def _was_left(row: TableRow) -> bool:
        """A solo game that was begun and put away."""
        begun = any(entry.told["type"] == "play" for entry in row.entries)
        return row.code is not None and row.state == "put away" and begun

    # --- ratings ---

    def _rate(self, row: TableRow) -> None:
        ended = self.ended(row)
        if ended is None:
            return
        people = [player["player"] for player in row.players]
        pool = f"{'bots' if row.players[0].get('bot') else 'people'}-{row.options['pace']}"
        before = [self.ratings.get((player, pool)) for player in people]
        for player, rating in zip(row.players, before, strict=True):
            if player.get("rating") != (rating.shown if rating else None):
                self.wrong_before.append(f"rating: {player} of table {row.id}, by the journal {rating}")
        known = [rating or Rating() for rating in before]
        winner = ended.get("winner")
        ranks = [1.0 if winner in {None, seat} else 2.0 for seat in (0, 1)]
        teams = [[_MODEL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in known]
        new = _MODEL.rate(teams, ranks=ranks)
        updated = 1 + max(rating.updated for rating in known)
        for player, old, (belief,) in zip(people, known, new, strict=True):
            self.ratings[player, pool] = Rating(belief.mu, belief.sigma, old.games + 1, updated)
        self.rated[row.id] = [
            {"seat": seat, "before": old.shown, "after": self.ratings[people[seat], pool].told(pool)}
            for seat, old in enumerate(known)
        ]

    def wrong_ratings(self) -> Iterator[str]:
        yield from self.wrong_before
        kept = {
            (row["player"], row["pool"]): Rating(row["mu"], row["sigma"], row["games"], row["updated_seq"])
            for row in self.ledger.ratings
        }
        for key in kept.keys() | self.ratings.keys():
            if kept.get(key) != self.ratings.get(key):
                yield f"rating: of {key} is {kept.get(key)}, by the journal {self.ratings.get(key)}"

    # --- series ---

    def stands(self, row: TableRow) -> Json | None:
        """Where a series stands after a match of it, by the seats of that match (RULES.md 6, D55)."""
        series, ended = row.series, self.ended(row)
        if series is None or ended is None:
            return None
        winner, scores = ended.get("winner"), [*ended["scores"]]
        if ended["reason"] in {"resigned", "absent"}:
            assert winner is not None
            scores[1 - winner], scores[winner] = 0, max(52, scores[winner])
        wins = [have + (winner == seat) for seat, have in enumerate(series["wins"])]
        totals = [have + score for have, score in zip(series["totals"], scores, strict=True)]
        left = max(0, series["games"] - series["number"])
        one, other = wins if series["kind"] == "best" else totals
        over = abs(one - other) > left if series["kind"] == "best" else one != other and not left
        stands = series | {"wins": wins, "totals": totals}
        return stands | ({"over": True, "winner": int(other > one)} if over else {})

    def wrong_series(self) -> Iterator[str]:
        """Each match but the first continues one that left the series open, with the seats exchanged."""
        open_ones: dict[str, Json] = {}
        """What the next match must begin with, by its players."""
        for row in self.ledger.tables:
            if row.series is None:
                continue
            key = str(sorted(player["player"] for player in row.players))
            options = row.options
            first = {"kind": options["series"], "games": options["series_games"], "number": 1}
            fresh = {"players": None, "series": first | {"wins": [0, 0], "totals": [0, 0]}}
            due = open_ones.pop(key, fresh)
            players = [player["player"] for player in row.players]
            if row.series != due["series"] or due["players"] not in (None, players):
                yield f"series: table {row.id} begins with {row.series} of {players}, due was {due}"
            stands = self.stands(row)
            if stands and not stands.get("over"):
                turned = {"wins": stands["wins"][::-1], "totals": stands["totals"][::-1]}
                after = stands | turned | {"number": stands["number"] + 1}
                open_ones[key] = {"players": players[::-1], "series": after}
        for key, due in open_ones.items():
            yield f"series: {key} had another match to play: {due}"

    # --- solo games ---

    def statistics(self, player: str) -> list[Json]:
        """As the message ``statistics`` has them (RULES.md 5)."""
        played: dict[tuple[str, str], list[Json | None]] = defaultdict(list)
        for result in self.ledger.results:
            row = self.rows[result["table_number"]]
            if row.code is not None and row.players[0]["player"] == player:
                played[row.game, row.options_text].append(self.ended(row))
        return [_statistics(game, json.loads(options), ends) for (game, options), ends in sorted(played.items())]

    def day(self, code: str) -> list[Json]:
        """As the message ``day`` has it: each player's best by strict score, time, moves, and who was first."""
        lines: list[tuple[tuple[int, ...], Json]] = []
        for result in self.ledger.results:
            row = self.rows[result["table_number"]]
            ended = self.ended(row)
            if row.code != code or ended is None:
                continue
            (player,) = row.players
            strict, ms, moves = ended["strict"][0], ended["duration_ms"], ended["moves"][0]
            line = {"player": player["player"], "name": player["name"], "table": row.id, "strict": strict}
            line |= {"won": ended["reason"] == "won", "duration_ms": ms, "moves": moves}
            line |= {"bot": True} if player.get("bot") else {}
            lines.append(((-strict, ms, moves, result["number"]), line))
        best: dict[str, Json] = {}
        for _, line in sorted(lines, key=lambda each: each[0]):
            best.setdefault(line["player"], line)
        return [*best.values()]

    def results_of(self, player: str) -> list[Json]:
        """As the message ``results`` has them: the newest first."""
        return [
            self._told_result(result)
            for result in reversed(self.ledger.results)
            if player in {each["player"] for each in self.rows[result["table_number"]].players}
        ]

    def _told_result(self, result: Json) -> Json:
        row = self.rows[result["table_number"]]
        ended = self.ended(row)
        told: Json = {"number": result["number"], "table": row.id, "game": row.game, "options": row.options}
        told |= {"finished_us": result["finished_us"], "reason": ended["reason"] if ended else "left"}
        told["seats"] = [
            {key: value for key, value in seat.items() if value is not None and key not in {"seat", "bot"}}
            | ({"bot": True} if seat["bot"] else {})
            for seat in _seats(row, ended)
        ]
        more = {
            "winner": (ended or {}).get("winner"),
            "duration_ms": (ended or {}).get("duration_ms"),
            "code": row.code,
        }
        return told | {key: value for key, value in more.items() if value is not None}

    def ranking(self, pool: str) -> list[Json]:
        """As the message ``ranking`` has it."""
        within = [(player, rating) for (player, of_pool), rating in self.ratings.items() if of_pool == pool]
        within.sort(key=lambda each: (-(each[1].mu - 3 * each[1].sigma), each[0]))
        known = self.ledger.players
        return [
            {"player": player, "name": known[player]["name"], "rating": rating.told(pool)}
            | ({"bot": True} if known[player]["bot"] else {})
            for player, rating in within
        ]


def _has(events: list[Json], seq: int) -> bool:
    return any(event["seq"] == seq for event in events)


def _seats(row: TableRow, ended: Json | None) -> Iterator[Json]:
    for seat, player in enumerate(row.players):
        line: Json = {"seat": seat, "player": player["player"], "name": player["name"], "bot": player.get("bot", False)}
        line["won"] = ended is not None and ended.get("winner") == seat
        many = {"score": "scores", "contribution": "contributions", "moves": "moves", "strict": "strict"}
        for one, all_of_them in many.items():
            numbers = (ended or {}).get(all_of_them, [])
            line[one] = numbers[seat] if seat < len(numbers) else None
        yield line


def _statistics(game: str, options: Json, ends: list[Json | None]) -> Json:
    wins = [ended is not None and ended["reason"] == "won" for ended in ends]
    runs = [len([*run]) if won else 0 for won, run in groupby(wins)]
    won = [ended for ended in ends if ended is not None and ended["reason"] == "won"]
    told: Json = {"game": game, "options": options, "games": len(ends), "wins": sum(wins), "streak": runs[-1]}
    told["longest_streak"] = max(runs)
    if won:
        told["best_time_ms"] = min(ended["duration_ms"] for ended in won)
        told["fewest_moves"] = min(ended["moves"][0] for ended in won)
    if stricts := [ended["strict"][0] for ended in ends if ended is not None]:
        told["best_strict"] = max(stricts)
    if options.get("scoring") in _STAKES:
        stake = _STAKES[options["scoring"]]
        told["balance"] = sum(stake if ended is None else ended["scores"][0] for ended in ends)
    return told
