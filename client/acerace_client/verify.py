"""Whether the deal was fair: what was promised before it, told after it, and seen in between, must agree. Pure.

Before the deal the server tells a hash of its secret, and each player may add a seed of its own. The secret told at the
end must have that hash, and the secret with the seeds must give exactly the cards that were dealt and turned up.
"""

from collections.abc import Sequence

from acerace_protocol.messages import Dealt, Ended, Played, Snapshot
from acerace_protocol.state import TableState
from acerace_rules.cards import face_text
from acerace_rules.catalogue import GAMES
from acerace_rules.deal import deal_match, first_mover
from acerace_rules.moves import IllegalMoveError, Move
from acerace_rules.play import play
from acerace_rules.shuffle import commitment, match_key
from acerace_rules.table import Table
from acerace_rules.terms import Terms
from acerace_rules.view import view


def deal_fault(
    before: Snapshot, dealt: Dealt, played: Sequence[Played], ended: Ended, *, own: tuple[int, str] | None = None
) -> str | None:
    """What is wrong with the deal of a match, in one sentence; ``None``: it was fair.

    ``before`` is a snapshot from before the deal, ``played`` every move since; ``own`` is one's seat and the seed one
    added, in hex. Raises ``acerace_rules.options.UnknownChoiceError`` for a game that does not exist here.
    """
    promise = _promise_fault(before, ended, own)
    if promise or ended.secret is None:
        return promise
    secret = bytes.fromhex(ended.secret)
    seeds = [bytes.fromhex(seed) for seed in ended.seeds]
    game = GAMES[before.game]
    terms = Terms.of(game.chosen(before.options))
    table = deal_match(game.variant(before.options), secret, seeds, mirror=terms.mirror)
    if TableState.of(view(table)) != dealt.state:
        return "the secret and the seeds give another deal than the one on the table"
    if terms.alternating and dealt.turn != first_mover(table, match_key(secret, seeds)):
        return "the deal gives the first turn to the other seat"
    return _replay_fault(table, played)


def _promise_fault(before: Snapshot, ended: Ended, own: tuple[int, str] | None) -> str | None:
    if before.commitment is None or ended.secret is None:
        return "there was no commitment, or the secret was not told"
    try:
        told = commitment(bytes.fromhex(ended.secret))
        seeds = [bytes.fromhex(seed) for seed in ended.seeds]
    except ValueError:
        return "the secret or a seed is not in hex"
    if told != before.commitment:
        return "the secret is not the one that was committed to"
    if own is not None and (own[0] >= len(seeds) or seeds[own[0]] != bytes.fromhex(own[1])):
        return "our own seed was not used"
    return None


def _replay_fault(table: Table, played: Sequence[Played]) -> str | None:
    for event in played:
        try:
            done = play(table, event.seat, Move.parse(event.move))
        except IllegalMoveError as error:
            return f"event {event.seq}, {event.move}, is illegal in that deal: {error}"
        cards = tuple(map(face_text, done.cards))
        turned = face_text(done.turned) if done.turned else None
        if (cards, turned) != (event.cards, event.turned):
            return f"event {event.seq}, {event.move}, showed {event.cards} {event.turned}, not {cards} {turned}"
    return None
