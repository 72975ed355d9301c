/**
 * One table that is followed: its copy, our seat, our legal moves, and our commands that wait for their answer.
 *
 * @import {Connection} from './connection.js'
 * @import {Advice, CompanyMessage, LegalMoves, Problem, Rated, Refused, SeriesInfo, TableEvent, TableMessage} from './wire.js'
 */

import { Mirror } from './mirror.js';

/**
 * A command on its way. `cards` are the ids of what it moves, shown as pending until the answer is there.
 * @typedef {{message: import('./wire.js').ClientMessage, cards: number[], to: string, refused?: () => void}} Pending
 */

/**
 * What a listener hears of a session, besides "something has changed" (null).
 * @typedef {TableEvent | Refused | CompanyMessage | Problem | {type: 'table'} | {type: 'gone', text: string} | null} News
 */

const REMATCH_MS = 60_000; // PROTOCOL.md, rematch_ms

const EVENTS = new Set(['readied', 'dealt', 'played', 'undone', 'passed', 'said_done', 'presence', 'warned', 'ended']);

export class Session {
  /** @type {Mirror | null} */
  mirror = null;
  /** Our seat; null: we watch. @type {number | null} */
  seat = null;
  /** @type {{seq: number, moves: Set<string>, undo: boolean, redo: boolean} | null} */
  legal = null;
  /** @type {Map<number, Pending>} */
  pending = new Map();
  /** Spared the emotes of this table. */
  muted = false;
  /** How many seconds later than others we are told, if we watch. */
  delay = 0;
  /** Until when the other's absence costs the match. @type {number | null} */
  claimAt = null;
  /** When the match ends for lack of progress. @type {number | null} */
  warnedUntil = null;
  /** Who wants another match; 'server': it proposes one itself, after a draw. @type {Set<number | 'server'>} */
  rematch = new Set();
  /** When it is too late to ask for one; the server has the last word. */
  rematchUntil = Infinity;
  #rematchNonce = -1;
  #rematchWanted = false;
  /** @type {SeriesInfo | null} */
  series = null;
  /** The table where the same two play on. @type {string | null} */
  next = null;
  /** How the match changed the ratings. @type {Rated | null} */
  rated = null;
  /** The table is no more; the last position stays to be seen. */
  gone = false;
  /** @type {Map<number, (moves: string[]) => void>} */
  #asks = new Map();
  /** @type {Set<(news: News) => void>} */
  #listeners = new Set();
  /** How often the copy was not the server's and had to be fetched anew: to be 0. */
  drifts = 0;
  #refreshing = false;

  /** @param {Connection} connection @param {string} table */
  constructor(connection, table) {
    this.connection = connection;
    this.table = table;
  }

  /** @param {(news: News) => void} listener @returns {() => void} ends it */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ask for the table, or for what was missed; after that send again what was not answered. */
  follow() {
    const { connection, table, mirror } = this;
    if (this.gone) return;
    this.#refreshing = false;
    connection.send(mirror && !this.delay ? { type: 'resume', table, seen: mirror.seq } : this.#watching);
    if (this.muted) connection.send({ type: 'mute', table });
    if (this.seat !== null) {
      connection.send({ type: 'legal', table });
      for (const { message } of this.pending.values()) connection.send(message);
    }
    this.rematch.clear(); // an offer goes with its player's line; those that stand are told again
    if (this.#rematchWanted && !this.next) this.wantRematch();
    for (const answer of this.#asks.values()) answer([]);
    this.#asks.clear();
  }

  get #watching() {
    return { type: 'watch', table: this.table, ...(this.delay ? { delay_s: this.delay } : {}) };
  }

  /** Watch so much later than the others; until then nothing is shown. @param {number} seconds */
  watchLater(seconds) {
    if (this.seat !== null || this.gone) return;
    this.delay = seconds;
    this.mirror = null;
    this.follow();
    this.#tell(null);
  }

  /** @param {boolean} on whether to be spared the emotes here */
  mute(on) {
    this.muted = on;
    this.connection.send({ type: 'mute', table: this.table, on });
    this.#tell(null);
  }

  leave() {
    this.connection.send({ type: 'leave', table: this.table });
  }

  // --- what we do -----------------------------------------------------------------------------------------

  /**
   * @param {string} type
   * @param {Record<string, unknown>} [fields]
   * @param {{cards?: number[], to?: string, refused?: () => void}} [shown]
   */
  command(type, fields = {}, { cards = [], to = '', refused } = {}) {
    if (this.gone || this.seat === null) return;
    const nonce = this.connection.nextNonce();
    const message = { type, table: this.table, nonce, ...fields };
    this.pending.set(nonce, { message, cards, to, ...(refused ? { refused } : {}) });
    this.connection.send(message); // if it cannot be sent now, it is after the next welcome
    this.#tell(null);
  }

  /**
   * @param {string} move
   * @param {{cards?: number[], card?: string | null, to?: string, refused?: () => void}} [shown] card: the deepest one
   */
  play(move, { cards = [], card = null, to = '', refused } = {}) {
    const meant = card ? { card } : {};
    const shown = { cards, to, ...(refused ? { refused } : {}) };
    this.command('play', { move, seen: this.mirror?.seq ?? 0, ...meant }, shown);
  }

  /**
   * Ask the referee; the answer is moves, best first, and none when it has no answer.
   * @param {string} about
   * @param {string | null} [pile]
   * @returns {Promise<string[]>}
   */
  ask(about, pile = null) {
    const nonce = this.connection.nextNonce();
    return new Promise((resolve) => {
      const asked = { type: 'ask', table: this.table, about, nonce, ...(pile ? { pile } : {}) };
      if (this.connection.send(asked)) this.#asks.set(nonce, resolve);
      else resolve([]);
    });
  }

  /** @param {string} emote */
  say(emote) {
    this.connection.send({ type: 'say', table: this.table, emote });
  }

  /** Ask for another match, or agree to one. */
  wantRematch() {
    this.#rematchWanted = true;
    this.#rematchNonce = this.connection.nextNonce();
    this.connection.send({ type: 'rematch', table: this.table, nonce: this.#rematchNonce });
  }

  /** Our legal moves, as the server told them after the newest event; null: not told yet. */
  get choices() {
    return this.legal && this.legal.seq === this.mirror?.seq ? this.legal.moves : null;
  }

  /** Whether we may act at all: seated, dealt, not over. */
  get active() {
    return this.seat !== null && this.mirror?.phase === 'playing' && !this.gone;
  }

  /** Ids of the cards that are on their way. */
  get pendingCards() {
    return new Set([...this.pending.values()].flatMap(({ cards }) => cards));
  }

  // --- what the server says -------------------------------------------------------------------------------

  /** @param {TableMessage} message @param {string} me our public id */
  receive(message, me) {
    switch (message.type) {
      case 'table':
        this.#restore(message, me);
        break;
      case 'refused':
        this.#refused(message);
        break;
      case 'legal_moves':
        this.#told(message);
        break;
      case 'advice':
        this.#answer(message.nonce, message);
        break;
      case 'watchers':
        if (this.mirror) this.mirror.watchers = message.count;
        this.#tell(null);
        break;
      case 'rematch_offered':
      case 'series':
      case 'next_match':
      case 'rated':
      case 'said':
        this.#company(message);
        break;
      default: // a later version may say more; only what is known is an event
        if (EVENTS.has(message.type)) this.#event(/** @type {TableEvent} */ (message));
    }
  }

  /** @param {CompanyMessage} message */
  #company(message) {
    if (message.type === 'rematch_offered') this.rematch.add(message.seat ?? 'server');
    else if (message.type === 'series') this.series = message.series;
    else if (message.type === 'next_match') this.next = message.next;
    else if (message.type === 'rated') this.rated = message;
    this.#tell(message);
  }

  /** @param {import('./wire.js').Snapshot} snapshot @param {string} me */
  #restore(snapshot, me) {
    this.#refreshing = false;
    if (!this.mirror) this.mirror = new Mirror(snapshot);
    else if (this.mirror.restore(snapshot) === 'drifted') this.drifts += 1;
    this.series = snapshot.series ?? this.series;
    const seat = snapshot.players.findIndex(({ player }) => player === me);
    const wasSeated = this.seat !== null;
    this.seat = seat < 0 ? null : seat;
    if (this.seat !== null && !wasSeated) this.connection.send({ type: 'legal', table: this.table });
    this.warnedUntil = null;
    const claim = snapshot.claim_in_ms ?? null;
    this.claimAt = claim === null ? null : performance.now() + claim;
    this.#tell({ type: 'table' });
  }

  /** @param {TableEvent} event */
  #event(event) {
    if (!this.mirror) return;
    const outcome = this.mirror.apply(event);
    if (outcome === 'repeated') return;
    if (outcome !== 'applied') {
      this.drifts += outcome === 'drifted' ? 1 : 0;
      this.#refresh(outcome);
      return;
    }
    if ('nonce' in event && event.nonce) this.pending.delete(event.nonce);
    this.#timers(event);
    this.#tell(event);
  }

  /** @param {TableEvent} event */
  #timers(event) {
    if (event.type === 'presence') {
      this.claimAt = event.away && typeof event.claim_in_ms === 'number' ? performance.now() + event.claim_in_ms : null;
    } else if (event.type === 'warned') {
      this.warnedUntil = performance.now() + event.ends_in_ms;
    } else if (event.type === 'ended' || (event.type === 'played' && event.move !== 'd' && event.move !== 'r')) {
      this.warnedUntil = null;
    }
    if (event.type === 'ended') this.rematchUntil = performance.now() + REMATCH_MS;
  }

  /** @param {'gap' | 'drifted'} why */
  #refresh(why) {
    if (this.#refreshing || !this.mirror) return;
    this.#refreshing = true; // one question is enough, however many events follow before the answer
    const { table } = this;
    const again = why === 'gap' && !this.delay ? { type: 'resume', table, seen: this.mirror.seq } : this.#watching;
    this.connection.send(again);
    if (why === 'gap') this.#refreshing = false;
  }

  /** @param {Refused} refused */
  #refused(refused) {
    if (this.#asks.has(refused.nonce)) {
      this.#answer(refused.nonce, null);
      return;
    }
    const pending = this.pending.get(refused.nonce);
    this.pending.delete(refused.nonce);
    pending?.refused?.();
    this.#tell(refused);
  }

  /** @param {LegalMoves} legal */
  #told(legal) {
    const { seq, moves, undo = false, redo = false } = legal;
    this.legal = { seq, moves: new Set(moves), undo, redo };
    this.#tell(null);
  }

  /** @param {number} nonce @param {Advice | null} advice */
  #answer(nonce, advice) {
    const answer = this.#asks.get(nonce);
    this.#asks.delete(nonce);
    answer?.(advice?.moves ?? []);
  }

  /** A problem that carries one of our nonces, or ends the table. @param {Problem} problem @returns {boolean} ours */
  problem(problem) {
    const nonce = problem.nonce ?? -1;
    if (this.#asks.has(nonce)) {
      this.#answer(nonce, null);
      return true;
    }
    if (nonce === this.#rematchNonce) this.#rematchWanted = false;
    if (nonce === this.#rematchNonce && problem.code === 'not_allowed') {
      this.rematchUntil = 0;
      this.#tell(null);
      return true;
    }
    const pending = this.pending.get(nonce);
    if (!pending) return false;
    this.pending.delete(nonce);
    pending.refused?.();
    this.#tell(problem);
    return true;
  }

  /** The table is put away, or the server has forgotten it. @param {string} text */
  end(text) {
    if (this.gone) return;
    this.gone = true;
    this.pending.clear();
    this.#tell({ type: 'gone', text });
  }

  /** @param {News} news */
  #tell(news) {
    for (const listener of [...this.#listeners]) listener(news);
  }
}
