/**
 * A finished game from its file: what happened step by step, the position at each step, and whether all of it is true
 * to the deal. It knows no rules; it deals, follows the events, and compares.
 *
 * @import {Entry, Happened, ReplayFile} from './replay_file.js'
 * @import {RaceInfo, Snapshot, TableEvent, TableState} from './wire.js'
 */

import { rankOf } from './cards.js';
import { coin, deal, matchDecks, soloDeck } from './deal.js';
import { Mirror } from './mirror.js';
import { parseMove } from './moves.js';
import { Count } from './replay_count.js';
import { ReplayError } from './replay_file.js';
import { bytes, hex, sha256 } from './sha256.js';

const CHECKPOINT_EVERY = 32;

/**
 * One step: an event, or a race that was lost.
 * @typedef {{atUs: number, event: TableEvent | null, race: RaceInfo | null}} Step
 * @typedef {{state: TableState | null, phase: import('./wire.js').Phase, seq: number, turn: number | null, done: boolean[], away: boolean[]}} Checkpoint
 */

export class ReplayGame {
  /** @type {Step[]} */
  steps = [];
  /** By step, from 0 (the deal): cards of each seat's own deck on the foundations. @type {number[][]} */
  contributions = [];
  /** By step: moves of each seat. @type {number[][]} */
  moves = [];
  startUs = 0;
  /** The line that is not true; the game is followed up to it. @type {number | null} */
  falseLine = null;
  /** Whether the secret has the hash that the file says was told. */
  kept = true;
  /** Moves taken back that can be made again. @type {{move: string, slot: number | null}[]} */
  #redo = [];
  /** @type {{move: string, slot: number | null}[]} */
  #made = [];
  /** @type {Checkpoint[]} */
  #checkpoints = [];
  /** Which card lies where, by its id in the scratch copy. @type {Map<number, string>} */
  #truth = new Map();

  /** @param {ReplayFile} file */
  constructor({ headers, entries }) {
    this.headers = headers;
    this.#mirror = new Mirror(this.#start());
    this.#count = new Count(this.#mirror);
    this.#learn();
    this.#follow(entries);
  }

  #mirror;
  #count;
  /** @type {Map<string, string>} */
  #places = new Map();
  /** @type {TableState | null} */
  #dealt = null;

  get duel() {
    return this.headers.players.length > 1;
  }

  /** The position at the deal, made from the secret or the code alone. @returns {Snapshot} */
  #start() {
    const { headers } = this;
    const { secret, seeds = [] } = headers.ended;
    if (headers.commitment !== undefined) this.kept = hex(sha256(bytes(secret ?? ''))) === headers.commitment;
    const decks = headers.code ? [soloDeck(headers.game, headers.code)] : matchDecks(bytes(secret ?? ''), seeds, headers.options);
    const { state, places } = deal(headers.game, headers.options, decks);
    this.#places = places;
    this.#dealt = state;
    return this.#snapshot(state, 0, 0);
  }

  /** @param {TableState | null} state @param {number} seq @param {number} atUs @returns {Snapshot} */
  #snapshot(state, seq, atUs) {
    const { table, game, options, players, code, commitment } = this.headers;
    return {
      type: 'table', table, seq, at_us: atUs, game, options, players, phase: 'playing', state,
      code: code ?? null, commitment: commitment ?? null, started_us: this.startUs,
    };
  }

  /** Remember which card of the scratch copy is which. */
  #learn() {
    this.#mirror.seats.forEach((seat, s) => {
      seat.columns.forEach((cards, c) => cards.forEach(({ id }, d) => this.#truth.set(id, this.#places.get(`${s} c${c + 1} ${d}`) ?? '')));
      seat.stock.forEach(({ id }, i) => this.#truth.set(id, this.#places.get(`${s} s ${seat.stock.length - 1 - i}`) ?? ''));
    });
  }

  /** @param {Entry[]} entries */
  #follow(entries) {
    let dealt = !this.duel;
    this.#note();
    for (const entry of entries) {
      try {
        for (const happened of entry.happened) {
          if (happened.event === 'dealt') {
            dealt = true;
            this.#deal(entry, happened);
          } else if (dealt || happened.event === 'ended') this.#take(entry, happened);
        }
        if (entry.refused?.reason === 'lost_race') this.#lose(entry);
      } catch (error) {
        this.falseLine = error instanceof ReplayError ? error.line : entry.line;
        return;
      }
    }
  }

  /** Of two players: only now the cards are seen, and everything begins. @param {Entry} entry @param {Happened} happened */
  #deal({ atUs }, { seq, turn, check }) {
    this.startUs = atUs;
    if (this.#mirror.restore({ ...this.#snapshot(this.#dealt, seq, atUs), turn, check }) !== 'applied') throw new RangeError('another deal');
    const { secret, seeds = [] } = this.headers.ended;
    this.#count.first(this.#mirror, coin(bytes(secret ?? ''), seeds));
    this.#learn();
    this.steps = [];
    this.#checkpoints = [];
    this.contributions = [];
    this.moves = [];
    this.#note();
  }

  /** @param {Entry} entry @param {Happened} happened */
  #take(entry, happened) {
    const event = this.#event(entry, happened);
    if (this.#mirror.seq === 0 && happened.seq > 1) this.#mirror.seq = happened.seq - 1; // it was never dealt
    const { turn } = this.#mirror;
    if (this.#mirror.apply(event) !== 'applied') throw new RangeError('it leads elsewhere');
    for (const { id, face } of this.#cards()) if (face && this.#truth.get(id) !== face) throw new RangeError('another card');
    this.#count.take(this.#mirror, event, turn, entry.seat);
    if (!this.duel && event.type === 'played' && this.#mirror.seats[0]?.moves === 1) this.startUs = entry.atUs;
    this.steps.push({ atUs: entry.atUs, event, race: null });
    this.#note();
  }

  #cards() {
    const { seats, foundations } = this.#mirror;
    return [...seats.flatMap(({ columns, waste }) => [...columns.flat(), ...waste]), ...foundations.flatMap(({ cards }) => cards)];
  }

  /** @param {Entry} entry */
  #lose(entry) {
    const { seq, marginUs } = entry.refused ?? { seq: null, marginUs: 0 };
    const race = (this.headers.ended.races ?? []).find((one) => one.seq === seq);
    if (!race) throw new RangeError('a race that is not in the end');
    this.steps.push({ atUs: entry.atUs, event: null, race: { ...race, loser: entry.seat, margin_us: marginUs } });
    this.#note();
  }

  /** @param {Entry} entry @param {Happened} happened @returns {TableEvent} */
  #event(entry, { event, seq, cards, turned, score, turn, check }) {
    const { headers } = this;
    const base = { table: headers.table, seq, at_us: entry.atUs };
    const seat = Math.max(entry.seat, 0);
    const nonce = Number(entry.fields['nonce'] ?? 0);
    const moved = { seat, nonce, cards, turned, score: score ?? 0, check: check ?? 0 };
    switch (event) {
      case 'played': {
        const { move, slot } = this.#move(entry, cards);
        return { ...base, ...moved, type: 'played', move, slot, turn };
      }
      case 'undone': {
        const last = this.#made.pop();
        if (!last) throw new RangeError('nothing to undo');
        this.#redo.push(last);
        return { ...base, ...moved, ...last, type: 'undone', moves: this.#mirror.seat(seat).moves };
      }
      case 'passed':
        return { ...base, type: 'passed', seat, nonce, turn: turn ?? 1 - seat };
      case 'said_done':
        return { ...base, type: 'said_done', seat, nonce };
      case 'presence': {
        const own = entry.what === 'away' || entry.what === 'back';
        return { ...base, type: 'presence', seat: own ? seat : 1 - seat, away: entry.what !== 'back' };
      }
      case 'warned':
        return { ...base, type: 'warned', ends_in_ms: this.#endsInMs(entry.atUs) };
      case 'ended':
        return { ...headers.ended, type: 'ended' };
      default:
        throw new ReplayError(entry.line, `no event ${event}`);
    }
  }

  /** Half of the patience is left after the first warning, a quarter after the second. @param {number} atUs */
  #endsInMs(atUs) {
    const last = this.steps.findLast(({ event }) => event?.type === 'warned' || (event?.type === 'played' && event.move !== 'd' && event.move !== 'r'));
    const patience = Number(this.headers.options['no_progress_s'] ?? 0) * 1000;
    return last?.event?.type === 'warned' && atUs - last.atUs < patience * 500 ? patience / 4 : patience / 2;
  }

  /** The move of an entry, with the foundation the referee has picked. @param {Entry} entry @param {string[]} cards */
  #move(entry, cards) {
    if (entry.what === 'redo') {
      const again = this.#redo.pop();
      if (!again) throw new RangeError('nothing to redo');
      this.#made.push(again);
      return again;
    }
    const move = entry.fields['move'] ?? '';
    const made = { move, slot: this.#slot(move, cards[0] ?? '') };
    this.#redo = [];
    this.#made.push(made);
    return made;
  }

  /** @param {string} move @param {string} face @returns {number | null} */
  #slot(move, face) {
    const { from, to } = parseMove(move);
    if (to !== 'f' && !from.startsWith('f')) return null;
    const high = rankOf(face) - (to === 'f' ? 1 : 0);
    const named = from.startsWith('f') && from.length === 4 ? Number(from[3]) - 1 : null;
    const suits = [...this.#mirror.foundations.entries()].filter(([, { suit }]) => suit === face[1]);
    const found = named === null ? suits.find(([, { cards }]) => cards.length === high) : suits[named];
    if (!found) throw new RangeError('no such place');
    return found[0];
  }

  // --- looking at it ----------------------------------------------------------------------------------------

  /** Keep what there is to know of the position after the newest step. */
  #note() {
    const { seats, foundations } = this.#mirror;
    const up = this.headers.players.map((_, s) => foundations.reduce((sum, { cards }) => sum + cards.filter(({ owner }) => owner === s).length, 0));
    this.contributions.push(up);
    this.moves.push(seats.map(({ moves }) => moves));
    if (this.steps.length % CHECKPOINT_EVERY === 0) this.#checkpoints.push(checkpoint(this.#mirror));
  }

  /** All there is to see after so many steps. @param {number} count @returns {Snapshot} */
  snapshot(count) {
    const first = Math.floor(count / CHECKPOINT_EVERY);
    const from = /** @type {Checkpoint} */ (this.#checkpoints[first]);
    const copy = new Mirror({ ...this.#snapshot(null, 0, 0), ...from });
    for (const { event } of this.steps.slice(first * CHECKPOINT_EVERY, count)) if (event) copy.apply(event);
    const { ended } = copy;
    return { ...this.#snapshot(null, 0, this.atUs(count)), ...checkpoint(copy), ended, races: this.races(count) };
  }

  /** The races that were lost by then. @param {number} count @returns {RaceInfo[]} */
  races(count) {
    return this.steps.slice(0, count).flatMap(({ race }) => race ?? []);
  }

  /** Steps after which a race has just been lost. */
  get raceSteps() {
    return this.steps.flatMap(({ race }, i) => (race ? i + 1 : []));
  }

  /** @param {number} count */
  atUs(count) {
    return count ? (this.steps[count - 1]?.atUs ?? this.startUs) : this.startUs;
  }

  /** @param {number} count @returns {number} */
  seconds(count) {
    return Math.max(0, this.atUs(count) - this.startUs) / 1e6;
  }
}

/** @param {Mirror} mirror @returns {Checkpoint} */
function checkpoint({ seats, foundations, phase, seq, turn, done, away }) {
  const faces = (/** @type {import('./mirror.js').Card[]} */ cards) => cards.flatMap(({ face }) => face ?? []);
  const state = {
    seats: seats.map(({ columns, stock, waste, ...counters }) => ({
      ...counters,
      columns: columns.map((cards) => ({ down: cards.length - faces(cards).length, up: faces(cards) })),
      stock: stock.length,
      waste: faces(waste),
    })),
    foundations: foundations.map(({ suit, cards }) => ({ suit, owners: cards.map(({ owner }) => owner) })),
  };
  return { state, phase, seq, turn, done: [...done], away: [...away] };
}
