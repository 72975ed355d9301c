/**
 * The keyboard on the board. Arrows walk over the piles, Enter lifts and lays down, up and down in a column say how
 * many cards; digits, w and f name piles directly, so that "3 5" moves from the third column to the fifth.
 *
 * @import {AceBoard} from './board.js'
 * @import {Hands} from './hands.js'
 * @import {Session} from './session.js'
 */

import { pileKey } from './board.js';
import { foundationText, moveText, parseMove } from './moves.js';

export class Keys {
  /** The pile that has the focus, by key. */
  #at = '';
  /** How many cards of it are meant. */
  #count = 1;
  /** @type {{pile: string, count: number, exact: boolean} | null} */
  #lifted = null;
  #board;
  #session;
  #hands;

  /** @param {AceBoard} board @param {Session} session @param {Hands} hands */
  constructor(board, session, hands) {
    this.#board = board;
    this.#session = session;
    this.#hands = hands;
    board.addEventListener('keydown', (event) => this.hear(event));
    board.addEventListener('focusin', (event) => {
      const key = /** @type {HTMLElement} */ (event.target).dataset['pile'];
      if (key) this.#at = key;
    });
    board.addEventListener('focusout', () => this.#show());
  }

  /** A key that is pressed on the board, or where nothing else wants it. @param {KeyboardEvent} event */
  hear(event) {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && this.press(event.key)) event.preventDefault();
  }

  /** @param {string} key @returns {boolean} whether it means something here */
  press(key) {
    if (key === 'Escape') return this.#escape();
    if (!this.#session.active) return key.startsWith('Arrow') && this.#walk(key);
    if (key.startsWith('Arrow')) return this.#walk(key);
    if (key === 'Enter' || key === ' ') return this.#enter();
    if (key === 'd' || key === 's') return this.#turn();
    if (/^[1-9wf]$/.test(key)) return this.#name(key);
    return false;
  }

  /** The one pile that Tab reaches. */
  settle() {
    const boxes = this.#board.layout?.piles ?? [];
    const known = boxes.some((box) => pileKey(box) === this.#at);
    const first = boxes.find((box) => box.seat === (this.#session.seat ?? 0) && box.name === 'c1');
    if (!known && first) this.#at = pileKey(first);
    for (const box of boxes) this.#board.pileElement(pileKey(box))?.setAttribute('tabindex', pileKey(box) === this.#at ? '0' : '-1');
  }

  #turn() {
    this.#hands.turnStock();
    return true;
  }

  #escape() {
    const had = this.#lifted !== null || this.#hands.grip !== null;
    this.#hands.cancel();
    this.#lay();
    return had;
  }

  /** @param {string} key */
  #walk(key) {
    const box = this.#box(this.#at);
    const vertical = key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0;
    if (box && vertical && !this.#lifted && box.name.startsWith('c') && box.seat === this.#session.seat) {
      const open = box.cards.filter((card) => card.face !== null).length;
      const count = this.#count + vertical;
      if (count >= 1 && count <= open) {
        this.#count = count;
        this.#show();
        return true;
      }
    }
    const next = this.#neighbour(key);
    if (next) this.focus(pileKey(next));
    return true;
  }

  /** The nearest pile in a direction, by where the piles lie. @param {string} key */
  #neighbour(key) {
    const from = this.#box(this.#at);
    if (!from) return null;
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
    let best = null;
    let least = Infinity;
    for (const box of this.#board.layout?.piles ?? []) {
      const [x, y] = [box.x - from.x, box.y - from.y];
      const along = x * (dx ?? 0) + y * (dy ?? 0);
      const across = Math.abs(x * (dy ?? 0)) + Math.abs(y * (dx ?? 0));
      const distance = along + 2.5 * across;
      if (box !== from && along > from.width * 0.3 && distance < least) [best, least] = [box, distance];
    }
    return best;
  }

  /** @param {string} key */
  focus(key) {
    this.#at = key;
    this.#count = 1;
    this.settle();
    this.#board.pileElement(key)?.focus();
    this.#show();
  }

  #enter() {
    const box = this.#box(this.#at);
    if (!box) return true;
    if (box.name === 's' && box.seat === this.#session.seat) return this.#turn();
    const pile = box.seat < 0 ? foundationText(this.#session.mirror?.foundations ?? [], box.name) : box.name;
    if (this.#lifted) {
      this.#to(box.seat < 0 ? 'f' : pile);
    } else if (box.cards.length && (box.seat < 0 || box.seat === this.#session.seat)) {
      this.#lift(pile, this.#count, true);
    }
    return true;
  }

  /** @param {string} key 1 to 9, w, f */
  #name(key) {
    if (key === 'f') {
      const box = this.#box(this.#at);
      if (!this.#lifted && box && box.seat === this.#session.seat) this.#lift(box.name, 1, true);
      this.#to('f');
      return true;
    }
    const pile = key === 'w' ? 'w' : `c${key}`;
    if (this.#lifted && pile !== 'w') this.#to(pile);
    else {
      this.focus(`${this.#session.seat}${pile}`);
      this.#lift(pile, 1, false);
    }
    return true;
  }

  /** @param {string} pile @param {number} count @param {boolean} exact whether just so many; else the referee's list says */
  #lift(pile, count, exact) {
    this.#lifted = { pile, count, exact };
    this.#hands.showPlaces({ pile, count });
    this.#show();
  }

  /** @param {string} to */
  #to(to) {
    const lifted = this.#lifted;
    this.#lay();
    if (!lifted || lifted.pile === to) return;
    const legal = [...(this.#session.choices ?? [])].map(parseMove);
    const fits = legal.find(({ from, to: target }) => from === lifted.pile && target === to);
    const count = lifted.exact || !fits ? lifted.count : fits.count;
    const cards = this.#ids(lifted.pile, count);
    this.#session.play(moveText({ pile: lifted.pile, count }, to), { cards, to });
  }

  /** @param {string} pile @param {number} count */
  #ids(pile, count) {
    const box = this.#box(`${this.#session.seat}${pile}`);
    return (box?.cards ?? []).slice(-count).map((card) => card.id);
  }

  #lay() {
    this.#lifted = null;
    this.#count = 1;
    this.#board.targets = new Set();
    this.#show();
  }

  /** Mark the cards that are meant. */
  #show() {
    const box = this.#box(this.#at);
    const focused = box && this.#board.contains(document.activeElement) && document.activeElement !== this.#board;
    const count = this.#lifted ? this.#lifted.count : focused && this.#count > 1 ? this.#count : 0;
    const ids = this.#lifted ? this.#ids(this.#lifted.pile, count) : count ? (box?.cards ?? []).slice(-count).map((card) => card.id) : [];
    this.#board.picked = new Set(ids);
    this.#board.redraw();
  }

  /** @param {string} key */
  #box(key) {
    return this.#board.layout?.piles.find((box) => pileKey(box) === key);
  }
}
