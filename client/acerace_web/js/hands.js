/**
 * Pointers on the board: drag, tap, double tap. It asks what is legal and never decides it: what is dropped beside all
 * legal places is sent as well, so that the referee can say which rule it breaks.
 *
 * @import {AceBoard} from './board.js'
 * @import {PileBox} from './layout.js'
 * @import {Lift} from './moves.js'
 * @import {Session} from './session.js'
 */

import { pileKey } from './board.js';
import { foundationText, moveText, movesOf, targetsOf } from './moves.js';
import { settings } from './settings.js';
import { t } from './texts.js';

const DRAG_FROM_PX = 6;
const DOUBLE_TAP_MS = 350;
const SHOWN_MS = 1500;
/** The part of a card that must lie over a pile for it to be meant. */
const TOUCHED = 0.08;

/**
 * @typedef {object} Grip what a pointer has got hold of
 * @property {number} pointer
 * @property {PileBox} box
 * @property {number[]} ids
 * @property {Lift} lift
 * @property {number} startX
 * @property {number} startY
 * @property {{x: number, y: number}[]} from
 * @property {boolean} dragging
 */

export class Hands {
  /** @type {Grip | null} */
  grip = null;
  #last = { key: '', at: 0, moved: false };
  /** Whether the person has found out that cards are dragged or tapped twice. */
  #skilled = false;
  #board;
  #session;
  #tell;

  /** @param {AceBoard} board @param {Session} session @param {(text: string, kind?: string) => void} tell the person something */
  constructor(board, session, tell) {
    this.#board = board;
    this.#session = session;
    this.#tell = tell;
    board.addEventListener('pointerdown', (event) => this.#down(event));
    board.addEventListener('pointermove', (event) => this.#move(event));
    board.addEventListener('pointerup', (event) => this.#up(event));
    board.addEventListener('pointercancel', (event) => event.pointerId === this.grip?.pointer && this.cancel());
    board.addEventListener('lostpointercapture', (event) => this.#lost(event));
    board.addEventListener('contextmenu', (event) => this.grip && event.preventDefault());
  }

  /** @param {MouseEvent} event @returns {[number, number]} */
  #point(event) {
    const { left, top } = this.#board.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (this.grip || event.button !== 0 || !event.isPrimary || !this.#session.active) return;
    const [x, y] = this.#point(event);
    const hit = this.#board.hit(x, y);
    const grip = hit && this.#grasp(hit.box, hit.index);
    if (!grip) return;
    event.preventDefault();
    this.grip = { ...grip, pointer: event.pointerId, startX: x, startY: y, dragging: false };
  }

  /** @param {PileBox} box @param {number} index */
  #grasp(box, index) {
    const { name, cards, seat } = box;
    const shared = seat < 0;
    const open = cards[index]?.face ?? null;
    const alone = (this.#session.mirror?.seats.length ?? 0) === 1;
    if (!shared && seat !== this.#session.seat) return null;
    if (name === 's') return { box, ids: [], from: [], lift: { pile: 's', count: 0 } };
    if (open === null || (shared && !alone)) return null;
    const first = name.startsWith('c') ? index : cards.length - 1;
    const lifted = cards.slice(first);
    return {
      box,
      ids: lifted.map((card) => card.id),
      from: lifted.map(({ id }) => ({ x: this.#board.layout?.places.get(id)?.x ?? 0, y: this.#board.layout?.places.get(id)?.y ?? 0 })),
      lift: { pile: shared ? foundationText(this.#session.mirror?.foundations ?? [], name) : name, count: lifted.length },
    };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const { grip } = this;
    if (!grip || event.pointerId !== grip.pointer) return;
    const [x, y] = this.#point(event);
    const [dx, dy] = [x - grip.startX, y - grip.startY];
    if (!grip.dragging) {
      if (!grip.ids.length || Math.hypot(dx, dy) < DRAG_FROM_PX) return;
      this.#begin(grip);
    }
    grip.ids.forEach((id, i) => {
      const from = grip.from[i] ?? { x: 0, y: 0 };
      this.#board.held.set(id, { x: from.x + dx, y: from.y + dy, lifted: true });
    });
    this.#board.moveHeld();
  }

  /** @param {Grip} grip */
  #begin(grip) {
    grip.dragging = this.#skilled = true;
    try {
      this.#board.setPointerCapture(grip.pointer);
    } catch {
      // the pointer is gone already; its end is on the way
    }
    document.addEventListener('keydown', this.#escape);
    if (settings.places) this.showPlaces(grip.lift);
    this.#board.redraw();
  }

  /**
   * A finger is captured by what it first touches: that pile loses it, and says so here, when the board takes it over.
   * @param {PointerEvent} event
   */
  #lost(event) {
    if (event.target === this.#board && event.pointerId === this.grip?.pointer && this.grip.dragging) this.cancel();
  }

  #escape = (/** @type {KeyboardEvent} */ { key }) => {
    if (key === 'Escape') this.cancel();
  };

  /** Mark where what is lifted may go. @param {Lift} lift */
  showPlaces(lift) {
    const { seat, choices, mirror } = this.#session;
    this.#board.targets = new Set(
      [...targetsOf(choices ?? [], lift)].flatMap((to) => {
        if (to !== 'f') return `${seat}${to}`;
        const suit = this.#faceOf(lift)?.[1];
        return (mirror?.foundations ?? []).flatMap((foundation, k) => (foundation.suit === suit ? `f${k}` : []));
      }),
    );
    this.#board.redraw();
  }

  hidePlaces() {
    if (this.grip?.dragging) return;
    this.#board.targets = new Set();
    this.#board.redraw();
  }

  /** The deepest card of what is lifted. @param {Lift} lift */
  #faceOf({ pile, count }) {
    const { mirror, seat } = this.#session;
    const me = mirror?.seats[seat ?? 0];
    const cards = pile === 'w' ? me?.waste : pile.startsWith('c') ? me?.columns[Number(pile.slice(1)) - 1] : null;
    return cards?.at(-count)?.face ?? null;
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const { grip } = this;
    if (!grip || event.pointerId !== grip.pointer) return;
    this.#let();
    if (grip.dragging) this.#drop(grip);
    else this.tap(grip.box, grip.lift, grip.ids);
    this.#board.redraw();
  }

  // --- dropping -------------------------------------------------------------------------------------------

  /** @param {Grip} grip */
  #drop(grip) {
    const wanted = this.#placesUnder(grip);
    const legal = targetsOf(this.#session.choices ?? this.#session.legal?.moves ?? [], grip.lift);
    const source = grip.lift.pile;
    const to = wanted.find((name) => legal.has(name)) ?? wanted.find((name) => name !== source);
    const beside = wanted[0] === source && (to === undefined || !legal.has(to));
    if (settings.automatic && (to === undefined || !legal.has(to))) {
      this.#release(grip);
      void this.placeItself(grip.lift, grip.ids);
    } else if (to === undefined || beside || (to === 'f' && grip.lift.count > 1)) {
      this.#release(grip);
    } else {
      this.#settle(grip, to);
      this.#send(grip.lift, to, grip.ids);
    }
  }

  /** Columns and foundations that the first card of what is held lies over, the most covered first. @param {Grip} grip */
  #placesUnder(grip) {
    const { layout, clientHeight } = this.#board;
    const first = this.#board.held.get(grip.ids[0] ?? -1);
    if (!layout || !first) return [];
    const { cardWidth, cardHeight } = layout;
    const area = (/** @type {number[]} */ [left = 0, top = 0, right = 0, bottom = 0]) =>
      Math.max(0, Math.min(first.x + cardWidth, right) - Math.max(first.x, left)) *
      Math.max(0, Math.min(first.y + cardHeight, bottom) - Math.max(first.y, top));
    /** @type {[string, number][]} */
    const found = [];
    const own = layout.piles.filter((box) => box.seat === this.#session.seat && box.name.startsWith('c'));
    for (const box of own) found.push([box.name, area([box.x, box.y, box.x + box.width, clientHeight])]);
    const shared = layout.piles.filter((box) => box.seat < 0);
    const edges = (/** @type {(box: PileBox) => number} */ of) => shared.map(of);
    found.push([
      'f',
      area([
        Math.min(...edges((box) => box.x)),
        Math.min(...edges((box) => box.y)),
        Math.max(...edges((box) => box.x + box.width)),
        Math.max(...edges((box) => box.y + box.height)),
      ]),
    ]);
    const least = cardWidth * cardHeight * TOUCHED; // a shaking hand is not on its way to the next column
    return found.filter(([, size]) => size > least).sort((a, b) => b[1] - a[1]).map(([name]) => name);
  }

  /** Lay what was held where it is to go, until the server has said yes or no. @param {Grip} grip @param {string} to */
  #settle(grip, to) {
    const { layout, held } = this.#board;
    const box = layout?.piles.find(({ seat, name }) => seat === this.#session.seat && name === to);
    const last = box?.cards.at(-1);
    const under = last && layout?.places.get(last.id);
    grip.ids.forEach((id, i) => {
      const here = held.get(id) ?? { x: 0, y: 0 };
      if (!box || !layout) {
        held.set(id, { ...here, lifted: false });
        return;
      }
      const step = under ? Math.max(under.y - (layout.places.get(box.cards.at(-2)?.id ?? -1)?.y ?? under.y - layout.cardHeight * 0.29), 8) : layout.cardHeight * 0.29;
      const top = under ? under.y + step : box.y;
      held.set(id, { x: box.x, y: top + i * step, lifted: false });
    });
  }

  /** @param {Grip} grip */
  #release(grip) {
    for (const id of grip.ids) this.#board.held.delete(id);
    this.#board.redraw();
  }

  // --- tapping --------------------------------------------------------------------------------------------

  /**
   * One tap, or the second of two. The first sends a last card up; the second, if that did not, to the columns.
   * @param {PileBox} box @param {Lift} lift @param {number[]} ids
   */
  tap(box, lift, ids) {
    if (box.name === 's') {
      this.turnStock();
      return;
    }
    const key = pileKey(box);
    const now = performance.now();
    const second = this.#last.key === key && now - this.#last.at < DOUBLE_TAP_MS;
    if (second) {
      const { moved } = this.#last;
      this.#last = { key: '', at: 0, moved: false };
      this.#skilled = true;
      if (!moved) void this.placeItself(lift, ids);
      return;
    }
    this.#last = { key, at: now, moved: false };
    if (settings.automatic) {
      this.#last.moved = true;
      void this.placeItself(lift, ids);
    } else if (lift.pile[0] !== 'f' && lift.count === 1 && targetsOf(this.#known, lift).has('f')) {
      this.#last.moved = true;
      this.#send(lift, 'f', ids);
    } else setTimeout(() => this.#last.at === now && this.#answerTap(lift, ids), DOUBLE_TAP_MS);
  }

  /** A tap that moved nothing and stayed alone: where the card may go, or that it may go nowhere. @param {Lift} lift @param {number[]} ids */
  #answerTap(lift, ids) {
    if (this.grip || !this.#session.choices || !this.#session.active) return;
    const open = targetsOf(this.#session.choices, lift).size > 0;
    this.#board.glow(ids, settings.places && open ? 'hinted' : 'stuck');
    if (!settings.places) return;
    if (!open) this.#tell(t('ui.tap_nowhere'), 'bad');
    else if (!this.#skilled) this.#tell(t('ui.tap_twice'));
    this.showPlaces(lift);
    setTimeout(() => this.hidePlaces(), SHOWN_MS);
  }

  /** The newest legal moves we know of, though an event may have come since. */
  get #known() {
    return this.#session.legal?.moves ?? new Set();
  }

  turnStock() {
    const { choices, mirror, seat } = this.#session;
    if (!mirror || seat === null) return;
    const told = choices?.has('d') ? 'd' : choices?.has('r') ? 'r' : null;
    this.#session.play(told ?? (mirror.seat(seat).stock.length || !mirror.seat(seat).waste.length ? 'd' : 'r'), { to: 's' });
  }

  /** Send it where a double tap does. @param {Lift} lift @param {number[]} ids @returns {Promise<boolean>} whether it goes anywhere */
  async placeItself(lift, ids) {
    const session = this.#session;
    const alone = (session.mirror?.seats.length ?? 0) === 1;
    const pile = lift.pile.startsWith('c') ? `${lift.pile}:${lift.count}` : lift.pile;
    const [move] = alone ? await session.ask('double_tap', pile) : [this.#longest(lift)];
    if (move) session.play(move, { cards: ids, card: this.#faceOf(lift), to: move.split('>')[1] ?? '' });
    return Boolean(move);
  }

  /** Among the legal moves: to a foundation, else to the longest column, the leftmost of equals. @param {Lift} lift */
  #longest(lift) {
    const { mirror, seat } = this.#session;
    const columns = mirror?.seats[seat ?? 0]?.columns ?? [];
    const length = (/** @type {string} */ move) => {
      const to = move.split('>')[1] ?? '';
      return to === 'f' ? Infinity : (columns[Number(to.slice(1)) - 1]?.length ?? 0);
    };
    const whole = lift.count === columns[Number(lift.pile.slice(1)) - 1]?.length;
    const useful = movesOf(this.#known, lift).filter((move) => length(move) > 0 || !whole);
    return useful.sort((a, b) => length(b) - length(a) || a.localeCompare(b))[0];
  }

  /** @param {Lift} lift @param {string} to @param {number[]} ids */
  #send(lift, to, ids) {
    const known = movesOf(this.#known, lift).find((move) => move.endsWith(`>${to}`));
    this.#session.play(known ?? moveText(lift, to), { cards: ids, card: this.#faceOf(lift), to });
  }

  // --- when the table changes under a drag ------------------------------------------------------------------

  /** After each event: what is held must still be the end of its pile. */
  afterEvent() {
    const { grip } = this;
    if (!grip) return;
    const box = this.#board.layout?.piles.find((pile) => pileKey(pile) === pileKey(grip.box));
    const cards = this.#cardsOf(grip.box);
    const there = cards.slice(-grip.ids.length || cards.length).map((card) => card.id);
    const same = !grip.ids.length || grip.ids.every((id, i) => there[i] === id);
    if (!same || !this.#session.active) {
      this.cancel();
      this.#tell(t('ui.drag_cancelled'));
    } else if (box && grip.dragging && settings.places) this.showPlaces(grip.lift);
  }

  /** The cards of a pile as they lie now, which may be later than the last drawing. @param {PileBox} box */
  #cardsOf({ seat, name }) {
    const { mirror } = this.#session;
    if (!mirror?.seats.length) return [];
    if (seat < 0) return mirror.foundations[Number(name.slice(1))]?.cards ?? [];
    const me = mirror.seat(seat);
    if (name === 's') return me.stock;
    return name === 'w' ? me.waste : (me.columns[Number(name.slice(1)) - 1] ?? []);
  }

  cancel() {
    const { grip } = this;
    this.#let();
    if (grip) this.#release(grip);
  }

  /** Open the hand. */
  #let() {
    this.grip = null;
    this.#board.targets = new Set();
    document.removeEventListener('keydown', this.#escape);
  }
}
