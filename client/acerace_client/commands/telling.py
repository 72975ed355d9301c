"""Events and results as lines of text for people."""

from collections.abc import Container, Sequence

from acerace_client.mirror import Mirror
from acerace_protocol.messages import (
    Dealt,
    Ended,
    Passed,
    Played,
    Presence,
    RaceInfo,
    SaidDone,
    SeriesInfo,
    ServerMessage,
    Warned,
    Watchers,
)
from acerace_protocol.people import NextMatch, Rated, Said, SeriesStands
from acerace_protocol.texts import text
from acerace_rules.cards import SUIT_LETTERS, copy_of, face_text, make_card
from acerace_rules.diagram import draw_table
from acerace_rules.table import Table


def picture(view: Table) -> str:
    """A view drawn without what it does not know: the referee's own bookkeeping."""
    shown = view.copy()
    shown.arrived = sum(1 << card for pile in shown.foundations for card in pile)
    for seat in shown.seats:
        seat.strict = seat.score
    return draw_table(shown)


def columns(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Container[str] = ()) -> str:
    """A table of text, each column as wide as it must be; those under the heads in ``right`` keep to the right."""
    every = [heads, *rows]
    widths = [max(map(len, column)) for column in zip(*every, strict=True)]
    lines: list[str] = []
    for row in every:
        placed = zip(heads, widths, row, strict=True)
        cells = (f"{cell:{'>' if head in right else '<'}{width}}" for head, width, cell in placed)
        lines.append("  ".join(cells))
    return "\n".join(line.rstrip() for line in lines)


def said(mirror: Mirror, news: ServerMessage) -> str | None:
    """One line about an event; ``None`` for what is not worth one."""
    match news:
        case Dealt() if mirror.view:
            return picture(mirror.view).rstrip()
        case Played():
            turned = f", turns up {news.turned}" if news.turned else ""
            cards = " ".join(news.cards)
            return f"{news.seq:>5}  {_name(mirror, news.seat):<12} {news.move:<8} {cards}{turned}"
        case SaidDone():
            return f"{news.seq:>5}  {_name(mirror, news.seat):<12} sees nothing more"
        case Passed():
            return f"{news.seq:>5}  {_name(mirror, news.seat):<12} passes"
        case Presence():
            return f"{news.seq:>5}  {_name(mirror, news.seat):<12} {'is away' if news.away else 'is back'}"
        case Warned():
            return f"{news.seq:>5}  without progress the match ends in {news.ends_in_ms / 1000:g} s"
        case _:
            return _said_beside(mirror, news)


def _said_beside(mirror: Mirror, news: ServerMessage) -> str | None:
    """One line about what is told to a table and is no event."""
    match news:
        case Watchers():
            return f"{'':>5}  {news.count} watching"
        case Said():
            return f"{'':>5}  {_name(mirror, news.seat):<12} says: {text('en', f'emote.{news.emote}')}"
        case Rated():
            return "\n".join(
                f"{_name(mirror, seat.seat):<12} is rated {seat.after.rating} now, after {seat.before}"
                for seat in news.seats
            )
        case SeriesStands(series=series):
            return series_between(mirror, series)
        case NextMatch(next=table):
            return f"the next match is at table {table}"
        case _:
            return None


def result_text(mirror: Mirror, ended: Ended) -> str:
    """How a match ended, and who contributed what."""
    lines = [_race_text(mirror, race) for race in ended.races]
    if mirror.view and len(mirror.players) > 1:
        lines += [
            f"{_name(mirror, seat):<12} {count:>2} cards: {contributed(mirror.view, seat)}"
            for seat, count in enumerate(ended.contributions)
        ]
    scores = ":".join(map(str, ended.scores))
    winner = "nobody wins" if ended.winner is None else f"{_name(mirror, ended.winner)} wins"
    lines.append(f"{winner} {scores} ({ended.reason}) after {ended.duration_ms / 1000:.1f} s")
    return "\n".join(lines)


def series_text(series: SeriesInfo, seat: int) -> str:
    """Where a series stands, the seat's own side first; ``totals`` decide one that adds up scores."""
    counts = series.wins if series.kind == "best" else series.totals
    stands = f"{counts[seat]}:{counts[1 - seat]}"
    if not series.over:
        return f"the series stands {stands} after match {series.number} of {series.games}"
    outcome = "given up" if series.winner is None else "won" if series.winner == seat else "lost"
    return f"the series is {outcome} {stands}"


def series_between(mirror: Mirror, series: SeriesInfo) -> str:
    """Where a series stands, by the players' names."""
    first, second = (_name(mirror, seat) for seat in (0, 1))
    one, other = series.wins if series.kind == "best" else series.totals
    stands = f"{first} {one} : {other} {second}"
    if not series.over:
        return f"the series after match {series.number} of {series.games}: {stands}"
    winner = "nobody wins" if series.winner is None else f"{_name(mirror, series.winner)} wins"
    return f"{winner} the series: {stands}"


def contributed(view: Table, seat: int) -> str:
    """The cards of a seat's deck on the foundations, by suit, ranges shortened: ``As..4s 9s | Ah``."""
    suits: list[str] = []
    for suit in range(len(SUIT_LETTERS)):
        piles = view.foundations[suit * view.variant.copies : (suit + 1) * view.variant.copies]
        ranks = sorted(rank for pile in piles for rank, card in enumerate(pile, 1) if copy_of(card) == seat)
        if ranks:
            suits.append(" ".join(_ranges(ranks, suit)))
    return " | ".join(suits) or "none"


def _ranges(ranks: list[int], suit: int) -> list[str]:
    runs: list[list[int]] = []
    for rank in ranks:
        if runs and runs[-1][-1] == rank - 1:
            runs[-1].append(rank)
        else:
            runs.append([rank])
    texts: list[str] = []
    for run in runs:
        first, last = (face_text(make_card(rank, suit)) for rank in (run[0], run[-1]))
        texts.append(first if first == last else f"{first}..{last}")
    return texts


def _race_text(mirror: Mirror, race: RaceInfo) -> str:
    card = face_text(make_card(race.rank, SUIT_LETTERS.index(race.suit)))
    return (
        f"race for {card}: {_name(mirror, race.winner)} was first, "
        f"{race.margin_us / 1000:.3f} ms before {_name(mirror, race.loser)}"
    )


def _name(mirror: Mirror, seat: int) -> str:
    return mirror.players[seat].name
