/**
 * A local copy of one table, kept by the events the server numbers (PROTOCOL.md, section 7). It knows how an event
 * changes the piles and nothing of what is allowed. Cards are objects that keep their identity as they move, so that
 * the board can let them fly.
 *
 * @import {Ended, Options, Phase, Played, PlayerInfo, RaceInfo, Snapshot, TableEvent, TableState, Undone} from './wire.js'
 */

import { faceOf } from './cards.js';
import { digest } from './digest.js';
import { parseMove } from './moves.js';

/**
 * @typedef {{id: number, face: string | null, owner: number}} Card A face of null: it lies face down.
 * @typedef {{columns: Card[][], stock: Card[], waste: Card[], draw: number, recycles: number, moves: number,
 *   score: number}} Seat
 * @typedef {{suit: string, cards: Card[]}} Foundation
 * @typedef {'applied' | 'repeated' | 'gap' | 'drifted'} Outcome
 */

/** In a match, where it is witnessed: 52 cards less 28 in the columns. */
const FULL_STOCK = 24;
let lastId = 0;

export class Mirror {
  /** @type {Seat[]} */
  seats = [];
  /** @type {Foundation[]} */
  foundations = [];
  seq = 0;
  atUs = 0;
  /** By our own clock, when atUs was told. */
  receivedAt = 0;
  game = '';
  /** @type {Options} */
  options = {};
  /** @type {PlayerInfo[]} */
  players = [];
  /** @type {Phase} */
  phase = 'waiting';
  /** @type {string | null} */
  commitment = null;
  /** @type {string | null} */
  code = null;
  /** @type {boolean[]} */
  ready = [];
  /** @type {number | null} */
  turn = null;
  /** @type {boolean[]} */
  done = [];
  /** @type {boolean[]} */
  away = [];
  /** @type {RaceInfo[]} */
  races = [];
  blocked = false;
  watchers = 0;
  /** @type {Ended | null} */
  ended = null;
  /**
   * What was seen of the order in which the cards were dealt, for verifying it at the end: the face by `seat c3 depth`
   * for a card of a column, by `seat s n` for the n-th of the stock.
   * @type {Map<string, string>}
   */
  witnessed = new Map();
  /** When its time began, by the table's clock: with the deal, or with a solo game's first move. @type {number | null} */
  startedUs = null;

  /** @param {Snapshot} snapshot */
  constructor(snapshot) {
    this.table = snapshot.table;
    this.restore(snapshot);
  }

  /**
   * Forget everything and begin again from a snapshot. Cards that lie as before stay the same objects.
   * @param {Snapshot} snapshot
   * @returns {Outcome}
   */
  restore(snapshot) {
    const none = snapshot.players.map(() => false);
    this.seq = snapshot.seq;
    this.atUs = snapshot.at_us;
    this.receivedAt = performance.now();
    this.game = snapshot.game;
    this.options = snapshot.options;
    this.players = snapshot.players;
    this.phase = snapshot.phase;
    this.commitment = snapshot.commitment ?? null;
    this.code = snapshot.code ?? null;
    this.ready = orElse(snapshot.ready, none);
    this.turn = snapshot.turn ?? null;
    this.done = orElse(snapshot.done, none);
    this.away = orElse(snapshot.away, none);
    this.races = [...(snapshot.races ?? [])];
    this.blocked = snapshot.blocked ?? false;
    this.watchers = snapshot.watchers ?? 0;
    this.startedUs = snapshot.started_us ?? null;
    this.ended = snapshot.ended ?? null;
    if (!snapshot.state) return 'applied';
    this.#place(snapshot.state);
    return this.#agrees(snapshot.check ?? null);
  }

  /**
   * Take one event. After 'gap' nothing has changed; after 'drifted' only a snapshot helps.
   * @param {TableEvent} event
   * @returns {Outcome}
   */
  apply(event) {
    if (event.seq <= this.seq) return 'repeated';
    if (event.seq !== this.seq + 1) return 'gap';
    try {
      this.#take(event);
    } catch {
      return 'drifted';
    }
    this.seq = event.seq;
    this.atUs = event.at_us;
    this.receivedAt = performance.now();
    return 'check' in event ? this.#agrees(event.check) : 'applied';
  }

  /** @param {TableEvent} event */
  #take(event) {
    switch (event.type) {
      case 'readied':
        this.ready[event.seat] = true;
        break;
      case 'dealt':
        this.phase = 'playing';
        this.turn = event.turn ?? null;
        this.startedUs = event.at_us;
        this.#place(event.state);
        break;
      case 'played':
        this.startedUs ??= event.at_us;
        this.#played(event);
        break;
      case 'undone':
        this.#undone(event);
        break;
      case 'passed':
        this.turn = event.turn;
        break;
      case 'said_done':
        this.done[event.seat] = true;
        break;
      case 'presence':
        this.away[event.seat] = event.away;
        break;
      case 'ended':
        this.phase = 'over';
        this.ended = event;
        this.races = event.races ?? [];
        break;
      default: // 'warned', and what later versions add
    }
  }

  /** @param {Played} event */
  #played(event) {
    const me = this.seat(event.seat);
    const move = parseMove(event.move);
    const cards = event.cards ?? [];
    const moved = this.#lift(me, move, event.slot ?? 0, cards.length);
    moved.forEach((card, i) => {
      card.face = cards[i] ?? card.face;
    });
    if (move.kind === 'draw') {
      if (!me.recycles) moved.forEach((card, i) => this.#witness(event.seat, 's', FULL_STOCK - me.stock.length - moved.length + i, card));
      me.waste.push(...moved);
    }
    else if (move.kind === 'recycle') {
      moved.forEach((card) => (card.face = null));
      me.stock = moved.reverse();
      me.recycles += 1;
    } else if (move.to === 'f') this.#foundation(event.slot).push(...moved);
    else this.#column(me, move.to).push(...moved);
    if (event.turned) {
      const column = this.#column(me, move.from);
      top(column).face = event.turned;
      this.#witness(event.seat, move.from, column.length - 1, top(column));
    }
    me.moves += 1;
    me.score = event.score;
    this.turn = event.turn ?? this.turn;
    this.done[event.seat] = false;
    if (move.to === 'f') this.done = this.done.map(() => false);
    this.blocked = event.blocked ?? this.blocked;
  }

  /**
   * Take the cards of a move off their pile; drawn cards come in drawing order.
   * @param {Seat} me
   * @param {import('./moves.js').Move} move
   * @param {number} slot
   * @param {number} count how many the event names
   */
  #lift(me, move, slot, count) {
    if (move.kind === 'draw') return takeOff(me.stock, count).reverse();
    if (move.kind === 'recycle') return takeOff(me.waste, me.waste.length);
    if (move.from === 'w') return takeOff(me.waste, 1);
    if (move.from.startsWith('f')) return takeOff(this.#foundation(slot), 1);
    return takeOff(this.#column(me, move.from), move.count);
  }

  /** @param {Undone} event */
  #undone(event) {
    const me = this.seat(event.seat);
    const move = parseMove(event.move);
    const cards = event.cards ?? [];
    if (event.turned) top(this.#column(me, move.from)).face = null;
    if (move.kind === 'draw') {
      const back = takeOff(me.waste, cards.length).reverse();
      back.forEach((card) => (card.face = null));
      me.stock.push(...back);
    } else if (move.kind === 'recycle') {
      me.waste = takeOff(me.stock, me.stock.length).reverse();
      me.waste.forEach((card, i) => (card.face = cards[i] ?? null));
      me.recycles -= 1;
    } else {
      const target = move.to === 'f' ? this.#foundation(event.slot) : this.#column(me, move.to);
      const moved = takeOff(target, move.count);
      if (move.from === 'w') me.waste.push(...moved);
      else if (move.from.startsWith('f')) this.#foundation(event.slot).push(...moved);
      else this.#column(me, move.from).push(...moved);
    }
    me.moves = event.moves;
    me.score = event.score;
    this.blocked = event.blocked ?? this.blocked;
  }

  /** @param {number} seat @param {string} pile @param {number} index @param {Card | undefined} card */
  #witness(seat, pile, index, card) {
    if (card?.face) this.witnessed.set(`${seat} ${pile} ${index}`, card.face);
  }

  /** @param {number} number */
  seat(number) {
    const seat = this.seats[number];
    if (!seat) throw new RangeError(`no seat ${number}`);
    return seat;
  }

  /** @param {Seat} seat @param {string} name such as c3 */
  #column(seat, name) {
    const column = seat.columns[Number(name.slice(1)) - 1];
    if (!column) throw new RangeError(`no column ${name}`);
    return column;
  }

  /** @param {number | null | undefined} slot */
  #foundation(slot) {
    const foundation = this.foundations[slot ?? -1];
    if (!foundation) throw new RangeError(`no foundation ${slot}`);
    return foundation.cards;
  }

  /** @param {TableState} state */
  #place(state) {
    const known = new Pool(this.seats, this.foundations);
    const several = state.seats.length > 1;
    this.seats = state.seats.map((seat, s) => {
      const owner = several ? s : 0;
      return {
        columns: seat.columns.map((column, c) => [
          ...known.hidden(`${s}c${c}`, column.down, owner),
          ...column.up.map((face) => known.open(face, owner)),
        ]),
        stock: known.hidden(`${s}s`, seat.stock, owner),
        waste: seat.waste.map((face) => known.open(face, owner)),
        draw: seat.draw,
        recycles: seat.recycles,
        moves: seat.moves,
        score: seat.score,
      };
    });
    this.seats.forEach((seat, s) => {
      seat.columns.forEach((cards, c) => {
        // what lies on a face-down card was dealt there; without one below it may have come from elsewhere
        const first = cards.findIndex(({ face }) => face !== null);
        if (first > 0) this.#witness(s, `c${c + 1}`, first, cards[first]);
      });
    });
    this.foundations = state.foundations.map(({ suit, owners }) => ({
      suit,
      cards: owners.map((owner, i) => known.open(faceOf(i + 1, suit), owner)),
    }));
  }

  /**
   * @param {number | null} check
   * @returns {Outcome}
   */
  #agrees(check) {
    return check === null || check === digest(this.seats, this.foundations) ? 'applied' : 'drifted';
  }
}

/** A copy of the list, or of the other if there is none. @param {boolean[] | undefined} list @param {boolean[]} other */
const orElse = (list, other) => [...(list?.length ? list : other)];

/** The card objects of an old position, for a new one to use again. */
class Pool {
  /** @type {Map<string, Card[]>} */
  #open = new Map();
  /** @type {Map<string, Card[]>} */
  #hidden = new Map();

  /** @param {Seat[]} seats @param {Foundation[]} foundations */
  constructor(seats, foundations) {
    seats.forEach((seat, s) => {
      seat.columns.forEach((cards, c) => this.#keep(`${s}c${c}`, cards));
      this.#keep(`${s}s`, seat.stock);
      this.#keep(`${s}w`, seat.waste);
    });
    foundations.forEach((foundation, k) => this.#keep(`f${k}`, foundation.cards));
  }

  /** @param {string} pile @param {Card[]} cards */
  #keep(pile, cards) {
    this.#hidden.set(
      pile,
      cards.filter((card) => card.face === null),
    );
    for (const card of cards) {
      const key = `${card.owner}${card.face}`;
      if (card.face) this.#open.set(key, [...(this.#open.get(key) ?? []), card]);
    }
  }

  /** @param {string} face @param {number} owner @returns {Card} */
  open(face, owner) {
    return this.#open.get(`${owner}${face}`)?.shift() ?? newCard(face, owner);
  }

  /** @param {string} pile @param {number} count @param {number} owner @returns {Card[]} */
  hidden(pile, count, owner) {
    const old = this.#hidden.get(pile) ?? [];
    return Array.from({ length: count }, (_, i) => old[i] ?? newCard(null, owner));
  }
}

/** @param {string | null} face @param {number} owner @returns {Card} */
function newCard(face, owner) {
  lastId += 1;
  return { id: lastId, face, owner };
}

/** @param {Card[]} pile @param {number} count */
function takeOff(pile, count) {
  if (pile.length < count) throw new RangeError('too few cards');
  return count ? pile.splice(-count) : [];
}

/** @param {Card[]} pile */
function top(pile) {
  const card = pile.at(-1);
  if (!card) throw new RangeError('an empty pile has no last card');
  return card;
}
