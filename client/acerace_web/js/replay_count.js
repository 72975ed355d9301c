/**
 * What the numbers of a finished game must be: scores, whose turn it is, and the end (PROTOCOL.md, section 11). As the
 * deal, the page knows this only to check a game that is over.
 *
 * @import {Card, Mirror, Seat} from './mirror.js'
 * @import {Ended, Options, Played, TableEvent, Undone} from './wire.js'
 */

import { RANKS, rankOf } from './cards.js';
import { parseMove } from './moves.js';

const US = 1e6;
const TICK_S = 10;
const BONUS_FROM_S = 30;

/** @typedef {{foundation?: number, toColumn?: number, turned?: number, takeBack?: number, recycle?: number, free?: number, tick?: number, bonus?: number, floor?: number}} Pay */

/** @type {Pay} */
const NORMAL = { foundation: 10, toColumn: 5, turned: 5, recycle: -100 };
const VEGAS = { foundation: 5, floor: -Infinity };

/** @param {string} game @param {Options} options @returns {Pay} */
function payOf(game, options) {
  if (game === 'double-klondike') return { foundation: 1 };
  if (game === 'russian' || game === 'yukon') return { foundation: 10, turned: 5 };
  if (game === 'easy-harp') return { ...NORMAL, recycle: 0 };
  const windows = { ...NORMAL, takeBack: -15, tick: -2, bonus: 700_000, ...(options['draw'] === 1 ? {} : { recycle: -20, free: 2 }) };
  const kinds = /** @type {Record<string, Pay>} */ ({ none: {}, normal: NORMAL, microsoft: { ...NORMAL, recycle: -2 }, windows, vegas: VEGAS });
  return kinds[String(options['scoring'])] ?? {};
}

/** Throws RangeError at the first number that is not true. */
export class Count {
  #pay;
  #options;
  /** Of each move that may be taken back: the score before it, and the time charged by then. @type {{score: number, ticks: number}[]} */
  #before = [];
  #ticks = 0;
  /** @type {number | null} */
  #firstUs = null;
  #scores;
  #mayPlayDrawn = false;
  /** Who emptied the own columns first. @type {number | null} */
  #cleared = null;
  /** Who played to a foundation last. @type {number | null} */
  #lastUp = null;

  /** @param {Mirror} mirror the position at the deal */
  constructor(mirror) {
    this.#options = mirror.options;
    this.#pay = payOf(mirror.game, mirror.options);
    this.#scores = mirror.seats.map(({ score }) => score);
  }

  get #inTurns() {
    return this.#options['pace'] === 'alternating';
  }

  /** Who begins: the lower last card, column by column. @param {Mirror} mirror as dealt @param {number} coin if all are equal */
  first({ seats: [one, other], turn }, coin) {
    const ranks = (/** @type {Seat | undefined} */ seat) => (seat?.columns ?? []).map((cards) => rankOf(cards.at(-1)?.face));
    const [mine, yours] = [ranks(one), ranks(other)];
    const c = mine.findIndex((rank, i) => rank !== yours[i]);
    agree(turn, !this.#inTurns ? null : c < 0 ? coin : Number((yours[c] ?? 0) < (mine[c] ?? 0)));
  }

  /** @param {Mirror} mirror after the event @param {TableEvent} event @param {number | null} turn before it @param {number} by the seat it came from */
  take(mirror, event, turn, by) {
    if (event.type === 'played') this.#played(mirror, event, turn);
    else if (event.type === 'undone') this.#undone(event);
    else if (event.type === 'passed') this.#passed(mirror, event.seat, turn);
    else if (event.type === 'ended') this.#ended(mirror, event, by);
  }

  /** @param {Mirror} mirror @param {Played} event @param {number | null} turn */
  #played(mirror, event, turn) {
    const { seat, at_us: at } = event;
    const move = parseMove(event.move);
    const me = mirror.seat(seat);
    this.#firstUs ??= at;
    const charged = this.#charge(this.#scores[seat] ?? 0, at);
    this.#before.push({ score: charged, ticks: this.#ticks });
    let score = charged + (move.to === 'f' ? (this.#pay.foundation ?? 0) : 0) + (event.turned ? (this.#pay.turned ?? 0) : 0);
    if (move.kind === 'recycle' && me.recycles > (this.#pay.free ?? 0)) score += this.#pay.recycle ?? 0;
    if (move.from === 'w' && move.to !== 'f') score += this.#pay.toColumn ?? 0;
    if (move.from.startsWith('f')) score += this.#pay.takeBack ?? 0;
    score = this.#clamp(score);
    const seconds = this.#seconds(at);
    if (isWon(mirror) && seconds >= BONUS_FROM_S) score += Math.floor((this.#pay.bonus ?? 0) / seconds);
    this.#scores[seat] = agree(event.score, score);
    if (move.to === 'f') this.#lastUp = seat;
    if (me.columns.every((cards) => !cards.length)) this.#cleared ??= seat;
    if (this.#inTurns) agree(turn, seat);
    agree(mirror.turn, this.#inTurns ? this.#turnAfter(mirror, seat, move) : null);
  }

  /** A draw ends the turn, unless the drawn card may still be played. @param {Mirror} mirror @param {number} seat @param {import('./moves.js').Move} move */
  #turnAfter(mirror, seat, { kind, from }) {
    if (this.#mayPlayDrawn && from !== 'w') throw new RangeError('only the drawn card');
    this.#mayPlayDrawn = kind === 'draw' && this.#options['turn'] === 'bicycle' && wasteFits(mirror, seat);
    return kind === 'draw' && !this.#mayPlayDrawn ? 1 - seat : seat;
  }

  /** @param {Mirror} mirror @param {number} seat @param {number | null} turn */
  #passed(mirror, seat, turn) {
    agree(turn, seat);
    agree(mirror.turn, 1 - seat);
    this.#mayPlayDrawn = false;
  }

  /** @param {Undone} event */
  #undone({ seat, at_us: at, score }) {
    const before = this.#before.pop();
    if (!before) throw new RangeError('nothing to undo');
    this.#ticks = before.ticks;
    this.#scores[seat] = agree(score, this.#charge(before.score, at));
  }

  /** @param {Mirror} mirror @param {Ended} ended @param {number} by */
  #ended({ seats, foundations, players }, ended, by) {
    if (!ended.moves.length) return; // it was never dealt
    const bonus = this.#options['clear_bonus'] === 'cards' ? Number(this.#options['clear_bonus_cards']) : 0;
    const scores = this.#scores.map((score, seat) => score + (seat === this.#cleared ? bonus : 0));
    scores.forEach((score, seat) => agree(ended.scores[seat], score));
    seats.forEach(({ moves }, seat) => agree(ended.moves[seat], moves));
    players.forEach((_, seat) => agree(ended.contributions[seat], foundations.flatMap(({ cards }) => cards).filter(({ owner }) => owner === seat).length));
    const winner = this.#winner(ended.reason, scores, by);
    if (winner !== undefined) agree(ended.winner ?? null, winner);
  }

  /** @param {string} reason @param {number[]} scores @param {number} by @returns {number | null | undefined} undefined: the file does not say */
  #winner(reason, scores, by) {
    if (scores.length === 1) return reason === 'won' ? 0 : null;
    if (reason === 'resigned') return 1 - by;
    if (reason === 'cleared') return this.#cleared;
    if (reason === 'absent') return undefined;
    const [first = 0, second = 0] = scores;
    return first === second ? this.#lastUp : Number(second > first);
  }

  // --- time ---

  /** Full seconds since the first move. @param {number} at */
  #seconds(at) {
    return Math.floor(Math.round((at - (this.#firstUs ?? at)) * 1000) / 1000 / US);
  }

  /** @param {number} score @param {number} at */
  #charge(score, at) {
    const due = Math.floor(this.#seconds(at) / TICK_S) - this.#ticks;
    if (due <= 0 || !this.#pay.tick) return score;
    this.#ticks += due;
    return this.#clamp(score + due * this.#pay.tick);
  }

  /** @param {number} score */
  #clamp(score) {
    return Math.max(score, this.#pay.floor ?? 0);
  }
}

/** @template T @param {T | undefined} said @param {T} found @returns {T} */
function agree(said, found) {
  if (said !== found) throw new RangeError(`${said} is said, ${found} is true`);
  return found;
}

/** @param {Card | undefined} card */
const isRed = (card) => 'hd'.includes(card?.face?.[1] ?? '?');

/** @param {Mirror} mirror */
const isWon = ({ seats, foundations }) => seats.length === 1 && foundations.every(({ cards }) => cards.length === RANKS.length);

/** Whether the top of the waste goes anywhere. @param {Mirror} mirror @param {number} s */
function wasteFits(mirror, s) {
  const { waste, columns } = mirror.seat(s);
  const card = waste.at(-1);
  const rank = rankOf(card?.face);
  const up = mirror.foundations.some(({ suit, cards }) => suit === card?.face?.[1] && cards.length === rank - 1);
  return up || columns.some((cards) => (cards.length ? rankOf(cards.at(-1)?.face) === rank + 1 && isRed(cards.at(-1)) !== isRed(card) : rank === RANKS.length));
}
