/**
 * The table as elements: one for each pile and each card that can be seen. It draws what the session says, once in an
 * animation frame, and moves cards with transforms alone. It knows no rules.
 *
 * @import {Card, Mirror} from './mirror.js'
 * @import {Layout, PileBox, Place} from './layout.js'
 * @import {Session} from './session.js'
 *
 * @typedef {Pick<Session, 'mirror' | 'seat' | 'active' | 'choices' | 'pendingCards'>} Shown what a board is drawn from
 */

import { show, use } from './art.js';
import { h, setAttribute } from './dom.js';
import { layOut } from './layout.js';
import { reducedMotion, settings } from './settings.js';
import { pileLabel } from './speech.js';

const SMALL_PX = 58;
const FLY_MS = 190;
const GLOW_MS = 900;
const FLYING_Z = 1000;
const HELD_Z = 5000;

/** @typedef {{element: HTMLElement, face: string | null | undefined, small: boolean, at: string}} Drawn */
/** @typedef {{x: number, y: number}} Point */

export class AceBoard extends HTMLElement {
  /** @type {Shown | null} */
  session = null;
  /** @type {Layout | null} */
  layout = null;
  /** Cards that do not lie where they belong: in a hand, or on their way. @type {Map<number, Point & {lifted: boolean}>} */
  held = new Map();
  /** Piles that a lifted card may go to, by seat and name. @type {Set<string>} */
  targets = new Set();
  /** Cards picked up by the keyboard, or shown by a hint. @type {Set<number>} */
  picked = new Set();
  /** @type {Map<number, Drawn>} */
  #drawn = new Map();
  /** @type {Map<string, HTMLElement>} */
  #piles = new Map();
  /** Where each card lay last, seen or not. @type {Map<number, Place>} */
  #before = new Map();
  /** @type {Map<number, number>} flying cards, and when they have landed */
  #flying = new Map();
  #frame = 0;
  #full = false;
  #cards = h('div', { class: 'cards', 'aria-hidden': 'true' });
  #slots = h('div', { class: 'slots' });
  #observer = new ResizeObserver(() => this.redraw());

  connectedCallback() {
    this.append(this.#slots, this.#cards);
    this.#observer.observe(this);
  }

  disconnectedCallback() {
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** Draw everything anew in the next frame. */
  redraw() {
    this.#full = true;
    this.#request();
  }

  /** Draw only what is held in the next frame: all that a drag needs. */
  moveHeld() {
    this.#request();
  }

  #request() {
    if (!this.#frame) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#frame = 0;
    if (this.#full) this.#drawAll();
    else for (const [id, point] of this.held) this.#moveTo(id, point.x, point.y, 1);
  }

  // --- a full redraw --------------------------------------------------------------------------------------

  #drawAll() {
    const mirror = this.session?.mirror;
    this.#full = false;
    if (!this.clientWidth) return;
    this.#cards.hidden = this.#slots.hidden = !mirror;
    if (!mirror) return;
    const front = this.session?.seat ?? 0;
    const frame = { width: this.clientWidth, height: this.clientHeight, front, mirrored: settings.leftHanded };
    this.layout = layOut(mirror, frame);
    this.style.setProperty('--card-width', `${this.layout.cardWidth}px`);
    this.style.setProperty('--card-height', `${this.layout.cardHeight}px`);
    this.dataset['layout'] = this.layout.kind;
    this.#drawPiles(this.layout, mirror);
    this.#drawCards(this.layout, mirror);
    this.#before = this.layout.places;
    this.dispatchEvent(new Event('drawn'));
  }

  /** @param {Layout} layout @param {Mirror} mirror */
  #drawPiles(layout, mirror) {
    const seen = new Set();
    for (const box of layout.piles) {
      const key = pileKey(box);
      seen.add(key);
      const element = this.#piles.get(key) ?? this.#newPile(key, box, mirror);
      element.style.transform = `translate(${box.x}px, ${box.y}px)`;
      element.style.width = `${box.width}px`;
      element.style.height = `${box.height}px`;
      element.style.setProperty('--scale', String(box.scale));
      element.classList.toggle('target', this.targets.has(key));
      element.classList.toggle('empty', !box.cards.length);
      setAttribute(element, 'aria-label', pileLabel(box, mirror));
      if (box.name === 's') this.#drawStockSign(element, box, mirror);
      if (box.seat < 0) this.#drawFoundation(element, box, mirror);
      else if (box.name === 's') element.dataset['count'] = box.cards.length ? String(box.cards.length) : '';
    }
    for (const [key, element] of this.#piles) {
      if (!seen.has(key)) {
        element.remove();
        this.#piles.delete(key);
      }
    }
  }

  /** @param {string} key @param {PileBox} box @param {Mirror} mirror */
  #newPile(key, box, mirror) {
    const kind = box.seat < 0 ? 'foundation' : { s: 'stock', w: 'waste' }[box.name] ?? 'column';
    const element = h('div', { class: `pile ${kind}`, role: 'button', tabindex: '-1', 'data-pile': key });
    const suit = box.seat < 0 ? mirror.foundations[Number(box.name.slice(1))]?.suit : null;
    if (suit) element.append(use(`suit-${suit}`, `ghost suit-${suit}`));
    if (kind === 'stock') element.append(use('recycle-free', 'ghost'));
    if (suit && mirror.seats.length > 1) element.append(h('div', { class: 'owners' }));
    element.classList.toggle('own', box.seat === this.session?.seat);
    this.#piles.set(key, element);
    this.#slots.append(element);
    return element;
  }

  /** The sign on an empty stock: whether it can be turned over, as far as the server has told. @param {HTMLElement} element @param {PileBox} box @param {Mirror} mirror */
  #drawStockSign(element, box, mirror) {
    const own = box.seat === this.session?.seat && this.session.active;
    const choices = this.session?.choices;
    const ours = mirror.turn === null || mirror.turn === box.seat;
    const barred = own && ours && choices && !choices.has('r') && !box.cards.length;
    show(element.querySelector('.ghost') ?? element, barred ? 'recycle-barred' : 'recycle-free');
  }

  /** Whose deck each card of a shared foundation came from, and how often its places were raced for. @param {HTMLElement} element @param {PileBox} box @param {Mirror} mirror */
  #drawFoundation(element, box, mirror) {
    const owners = element.querySelector('.owners');
    if (!owners) return;
    while (owners.children.length > box.cards.length) owners.lastChild?.remove();
    box.cards.forEach((card, i) => {
      const mark = owners.children[i] ?? owners.appendChild(h('i'));
      setAttribute(mark, 'class', `owner-${card.owner}`);
    });
    const slot = Number(box.name.slice(1));
    const suit = mirror.foundations[slot]?.suit;
    const raced = mirror.races.filter((race) => race.suit === suit && box.cards[race.rank - 1]?.owner === race.winner);
    setAttribute(element, 'data-races', raced.length ? String(raced.length) : null);
  }

  /** @param {Layout} layout @param {Mirror} mirror */
  #drawCards(layout, mirror) {
    const pending = this.session?.pendingCards ?? new Set();
    for (const [id, point] of this.held) {
      if (!point.lifted && !pending.has(id)) this.held.delete(id);
    }
    const small = layout.cardWidth < SMALL_PX;
    /** @type {number[]} */
    const arriving = [];
    for (const [id, place] of layout.places) {
      if (!place.shown && !this.held.has(id) && !this.#flying.has(id)) {
        this.#drop(id);
        continue;
      }
      const card = /** @type {Card} */ (place.pile.cards[place.index]);
      const drawn = this.#drawn.get(id) ?? this.#newCard(id, arriving);
      this.#dress(drawn, card, small || layout.cardWidth * place.scale < SMALL_PX, mirror);
      const { classList } = drawn.element;
      classList.toggle('pending', pending.has(id));
      classList.toggle('held', this.held.get(id)?.lifted ?? false);
      classList.toggle('picked', this.picked.has(id));
      classList.toggle('owned', place.pile.seat < 0 && mirror.seats.length > 1);
    }
    for (const id of this.#drawn.keys()) if (!layout.places.has(id)) this.#drop(id);
    if (arriving.length) void this.offsetWidth; // so that a new card flies from where it lay unseen
    for (const [id, place] of layout.places) {
      const point = this.held.get(id);
      if (this.#drawn.has(id)) this.#moveTo(id, point?.x ?? place.x, point?.y ?? place.y, point ? 1 : place.scale, place.z);
    }
  }

  /** @param {number} id @param {number[]} arriving */
  #newCard(id, arriving) {
    const element = h('div', { class: 'card' }, h('div', { class: 'inner' }));
    /** @type {Drawn} */
    const drawn = { element, face: undefined, small: false, at: '' };
    this.#drawn.set(id, drawn);
    this.#cards.append(element);
    const before = this.#before.get(id);
    if (before) {
      this.#moveTo(id, before.x, before.y, before.scale, before.z);
      arriving.push(id);
    }
    return drawn;
  }

  /** @param {number} id */
  #drop(id) {
    this.#drawn.get(id)?.element.remove();
    this.#drawn.delete(id);
  }

  /** @param {Drawn} drawn @param {Card} card @param {boolean} small @param {Mirror} mirror */
  #dress(drawn, card, small, mirror) {
    if (drawn.face === card.face && drawn.small === small) return;
    const inner = /** @type {HTMLElement} */ (drawn.element.firstChild);
    const symbol = card.face ? `${small ? 'small' : 'face'}-${card.face}` : `back-${card.owner}`;
    const parts = [use(symbol, card.face ? `suit-${card.face[1]}` : `back owner-${card.owner}`)];
    if (mirror.seats.length > 1 && card.face) parts.push(use(`mark-${card.owner}`, `mark owner-${card.owner}`));
    inner.replaceChildren(...parts);
    drawn.element.classList.toggle('small', small);
    if (drawn.face !== undefined && (drawn.face === null) !== (card.face === null) && !reducedMotion()) {
      inner.classList.remove('turning');
      void inner.offsetWidth; // starts the animation again
      inner.classList.add('turning');
    }
    drawn.face = card.face;
    drawn.small = small;
  }

  /** @param {number} id @param {number} x @param {number} y @param {number} scale @param {number} [z] */
  #moveTo(id, x, y, scale, z = 0) {
    const drawn = this.#drawn.get(id);
    if (!drawn) return;
    const { element } = drawn;
    const at = `translate(${Math.round(x * 2) / 2}px, ${Math.round(y * 2) / 2}px) scale(${scale})`;
    const held = this.held.get(id)?.lifted ?? false;
    if (drawn.at && drawn.at !== at && !held) this.#fly(id);
    if (drawn.at !== at) element.style.transform = at;
    drawn.at = at;
    const over = held ? HELD_Z : this.#flying.has(id) || this.held.has(id) ? FLYING_Z : 0;
    if (z || over) element.style.zIndex = String(z + over);
  }

  /** A card in flight is above those that lie, and comes down when it has landed. @param {number} id */
  #fly(id) {
    if (reducedMotion()) return;
    const landed = performance.now() + FLY_MS;
    this.#flying.set(id, landed);
    setTimeout(() => {
      if (this.#flying.get(id) !== landed) return;
      this.#flying.delete(id);
      this.redraw();
    }, FLY_MS + 20);
  }

  // --- for hands and eyes -----------------------------------------------------------------------------------

  /** @param {string} key seat and name of a pile */
  pileElement(key) {
    return this.#piles.get(key) ?? null;
  }

  /** The pile and the card at a point of the board; index -1: beside the cards. @param {number} x @param {number} y */
  hit(x, y) {
    for (const box of this.layout?.piles ?? []) {
      for (let index = box.cards.length - 1; index >= 0; index -= 1) {
        const place = this.layout?.places.get(/** @type {Card} */ (box.cards[index]).id);
        if (place?.shown && this.#within(x, y, place.x, place.y, place.scale)) return { box, index };
      }
      if (this.#within(x, y, box.x, box.y, box.scale)) return { box, index: -1 };
    }
    return null;
  }

  /** @param {number} x @param {number} y @param {number} left @param {number} top @param {number} scale */
  #within(x, y, left, top, scale) {
    const { cardWidth = 0, cardHeight = 0 } = this.layout ?? {};
    return x >= left && x < left + cardWidth * scale && y >= top && y < top + cardHeight * scale;
  }

  /** Let cards shine for a moment. @param {number[]} ids @param {string} why class: moved, raced, hinted */
  glow(ids, why) {
    for (const id of ids) {
      const element = this.#drawn.get(id)?.element;
      element?.classList.add(why);
      setTimeout(() => element?.classList.remove(why), GLOW_MS);
    }
  }
}

/** @param {{seat: number, name: string}} box */
export function pileKey({ seat, name }) {
  return seat < 0 ? name : `${seat}${name}`;
}

customElements.define('ace-board', AceBoard);
