/**
 * Where everything lies: from a position and a size to the place of each pile and card. No element is touched here.
 *
 * @import {Card, Mirror, Seat} from './mirror.js'
 */

/**
 * @typedef {object} PileBox
 * @property {number} seat -1: the foundations, which are everybody's
 * @property {string} name s, w, c1 ... or f0 ...
 * @property {number} x
 * @property {number} y
 * @property {number} width of a card here
 * @property {number} height from the first card's top to the last one's bottom
 * @property {number} scale against the biggest cards on the board
 * @property {Card[]} cards
 */

/**
 * @typedef {{x: number, y: number, scale: number, z: number, shown: boolean, pile: PileBox, index: number}} Place
 * @typedef {{cardWidth: number, cardHeight: number, piles: PileBox[], places: Map<number, Place>, kind: string}} Layout
 * @typedef {{width: number, height: number, front: number, mirrored: boolean}} Frame front: the seat that is nearest
 */

const RATIO = 1.4;
const GAP = 0.13;
const UP = 0.29;
const DOWN = 0.13;
const FAN = 0.27;
const WIDEST = 124;
const OTHER_SCALE = 0.6;
const COLUMN_ROOM = 2.9;
/** Room below a card, in cards, from which on the cards of a column lie further apart. */
const SPACIOUS = 4;
const PAD = 6;
/** Windows lower than this have the foundations at the side. */
const LOW_PX = 430;

/** @param {number} cards @returns {number} the width of a row in card widths */
const row = (cards) => cards * (1 + GAP) - GAP;

/** @typedef {{kind: string, wide: number, high: number, need?: number}} Arrangement sizes in card widths and card
 *   heights; need: how much bigger than before it must make the cards to be taken */

/** @param {Mirror} mirror @param {number} height @returns {Arrangement[]} the better ones first */
function arrangements(mirror, height) {
  const columns = mirror.seats[0]?.columns.length ?? 7;
  const foundations = mirror.foundations.length;
  const stock = (mirror.seats[0]?.draw ?? 0) > 0;
  const pitch = 1 + GAP;
  if (mirror.seats.length > 1) {
    return [
      { kind: 'beside', wide: row(16) + 1.2, high: pitch + COLUMN_ROOM },
      { kind: 'stacked', wide: row(7), high: 2.2 * OTHER_SCALE + 0.3 + 0.84 + pitch + COLUMN_ROOM, need: 1.4 },
    ];
  }
  const side = columns + (stock ? 1.3 : 0) + foundations / 4 + 0.3;
  const inline = Math.max(columns, foundations + (stock ? 3 : 0));
  return [
    { kind: 'above', wide: row(inline), high: pitch + COLUMN_ROOM },
    { kind: 'rows', wide: row(columns), high: (foundations > 4 ? 2 : 1) * pitch + COLUMN_ROOM },
    { kind: 'side', wide: row(side), high: COLUMN_ROOM + 0.6 },
  ].filter(({ kind }) => (kind !== 'rows' || foundations > 4) && (kind !== 'side' || height < LOW_PX));
}

/**
 * @param {Mirror} mirror
 * @param {Frame} frame
 * @returns {Layout}
 */
export function layOut(mirror, frame) {
  let best = { kind: '', wide: 1, width: 0 };
  for (const { kind, wide, high, need = 1.04 } of arrangements(mirror, frame.height)) {
    const width = Math.min((frame.width - 2 * PAD) / wide, (frame.height - 2 * PAD) / (high * RATIO), WIDEST);
    if (width > best.width * need) best = { kind, wide, width };
  }
  const builder = new Builder(mirror, frame, best.width, best.wide);
  if (mirror.seats.length) ARRANGE[/** @type {keyof typeof ARRANGE} */ (best.kind)](builder, mirror, frame);
  return { cardWidth: builder.w, cardHeight: builder.h, piles: builder.piles, places: builder.places, kind: best.kind };
}

class Builder {
  /** @type {PileBox[]} */
  piles = [];
  /** @type {Map<number, Place>} */
  places = new Map();

  /** @param {Mirror} mirror @param {Frame} frame @param {number} width of a card @param {number} wide in cards */
  constructor(mirror, frame, width, wide) {
    this.mirror = mirror;
    this.frame = frame;
    this.w = Math.floor(width);
    this.h = Math.round(this.w * RATIO);
    this.pitch = this.w * (1 + GAP);
    this.left = Math.max(PAD, (frame.width - wide * this.w) / 2);
    this.right = frame.width - this.left;
    this.top = PAD;
    this.bottom = frame.height - PAD;
  }

  /** The x of a card, the n-th from the hand's own side: from the left, or for the left-handed from the right. */
  near(/** @type {number} */ n, scale = 1, left = this.left, right = this.right) {
    return this.frame.mirrored ? right - this.w * scale - n * this.pitch * scale : left + n * this.pitch * scale;
  }

  /** The same from the other side. */
  far(/** @type {number} */ n, scale = 1, left = this.left, right = this.right) {
    return this.frame.mirrored ? left + n * this.pitch * scale : right - this.w * scale - n * this.pitch * scale;
  }

  /**
   * @param {number} seat
   * @param {string} name
   * @param {Card[]} cards
   * @param {{x: number, y: number, scale?: number, steps?: [number, number][], shown?: number}} where steps: the
   *   offset of each card; shown: how many of the last are drawn
   */
  pile(seat, name, cards, { x, y, scale = 1, steps = [], shown = cards.length }) {
    const last = steps.at(-1) ?? [0, 0];
    const box = { seat, name, x, y, width: this.w * scale, height: last[1] + this.h * scale, scale, cards };
    this.piles.push(box);
    cards.forEach((card, index) => {
      const [dx, dy] = steps[index] ?? [0, 0];
      const place = { x: x + dx, y: y + dy, scale, z: index + 1, shown: index >= cards.length - shown, pile: box, index };
      this.places.set(card.id, place);
    });
  }

  /** @param {number} seat @param {number} x @param {number} y @param {number} scale @param {number} bottom */
  columns(seat, x, y, scale, bottom) {
    const high = this.h * scale;
    const room = bottom - y - high;
    const stretch = Math.min(1.45, Math.max(1, room / high / SPACIOUS)); // by the room alone: no jumping as cards come
    this.#seat(seat).columns.forEach((cards, c) => {
      const raw = offsets(cards, high, stretch);
      const need = raw.at(-1) ?? 0;
      const squeeze = need > room && need > 0 ? Math.max(room, 0) / need : 1;
      const steps = raw.map((dy) => /** @type {[number, number]} */ ([0, dy * squeeze]));
      this.pile(seat, `c${c + 1}`, cards, { x: x + c * this.pitch * scale, y, scale, steps });
    });
  }

  /** @param {number} seat @param {number} x @param {number} y @param {number} [scale] */
  stock(seat, x, y, scale = 1) {
    const { stock } = this.#seat(seat);
    const steps = stock.map((_, i) => {
      const up = Math.max(0, i - Math.max(0, stock.length - 3));
      return /** @type {[number, number]} */ ([0, -up * 1.5]);
    });
    this.pile(seat, 's', stock, { x, y, scale, steps, shown: 3 });
  }

  /**
   * The last three of the waste as a fan, each showing its left edge, where its rank is.
   * @param {number} seat @param {number} x @param {number} y
   * @param {'right' | 'left' | 'down'} fan the way it opens from x; to the left, the last card lies at x
   * @param {number} [scale]
   */
  waste(seat, x, y, fan, scale = 1) {
    const { waste } = this.#seat(seat);
    const fanned = Math.min(3, waste.length);
    const [across, down] = fan === 'down' ? [0, UP * this.h * scale] : [FAN * this.w * scale, 0];
    const from = fan === 'left' ? x - Math.max(0, fanned - 1) * across : x;
    const steps = waste.map((_, i) => {
      const n = Math.max(0, i - (waste.length - fanned));
      return /** @type {[number, number]} */ ([n * across, n * down]);
    });
    this.pile(seat, 'w', waste, { x: from, y, scale, steps, shown: 4 });
  }

  /** @param {(k: number) => {x: number, y: number}} where @param {number} [scale] */
  foundations(where, scale = 1) {
    this.mirror.foundations.forEach(({ cards }, k) => this.pile(-1, `f${k}`, cards, { ...where(k), scale, shown: 2 }));
  }

  /** @param {number} seat @returns {Seat} */
  #seat(seat) {
    return this.mirror.seat(seat);
  }

  /** Which way a waste at the hand's side opens: away from the stock. */
  get fan() {
    return this.frame.mirrored ? 'left' : 'right';
  }
}

/** @param {Card[]} cards @param {number} high @param {number} stretch */
function offsets(cards, high, stretch) {
  let y = 0;
  return cards.map((card) => {
    const here = y;
    y += (card.face === null ? DOWN : UP) * high * stretch;
    return here;
  });
}

/** One function for each arrangement. */
const ARRANGE = {
  /** Stock, waste and foundations in one row above the columns. @param {Builder} b @param {Mirror} mirror */
  above(b, mirror) {
    const columns = mirror.seat(0).columns.length;
    if (mirror.seat(0).draw) {
      b.stock(0, b.near(0), b.top + 3);
      b.waste(0, b.near(1), b.top + 3, b.fan);
    }
    const last = mirror.foundations.length - 1;
    b.foundations((k) => ({ x: b.frame.mirrored ? b.far(k) : b.far(last - k), y: b.top + 3 }));
    const x = (b.frame.width - (columns * b.pitch - b.w * GAP)) / 2;
    b.columns(0, x, b.top + 3 + b.h * (1 + GAP), 1, b.bottom);
  },

  /** Foundations, then stock and waste, then the columns: for two decks on a phone. @param {Builder} b */
  rows(b) {
    const count = b.mirror.foundations.length;
    const inset = (b.frame.width - (count * b.pitch - b.w * GAP)) / 2;
    b.foundations((k) => ({ x: inset + k * b.pitch, y: b.top }));
    const second = b.top + 3 + b.h * (1 + GAP);
    b.stock(0, b.near(0), second);
    b.waste(0, b.near(1), second, b.fan);
    b.columns(0, b.left, second + b.h * (1 + GAP), 1, b.bottom);
  },

  /** All at the sides: for wide, low windows. @param {Builder} b @param {Mirror} mirror */
  side(b, mirror) {
    const deep = 4;
    const rowHigh = Math.min(b.h * (1 + GAP), (b.bottom - b.top - b.h) / (deep - 1));
    const across = mirror.foundations.length / deep;
    const stock = mirror.seat(0).draw > 0;
    b.foundations((k) => {
      const at = across - 1 - (k % across);
      return { x: b.frame.mirrored ? b.far(k % across) : b.far(at), y: b.top + Math.floor(k / across) * rowHigh };
    });
    if (stock) {
      b.stock(0, b.near(0), b.top + 3);
      b.waste(0, b.near(0), b.top + 3 + b.h * (1 + GAP), 'down');
    }
    const width = mirror.seat(0).columns.length * b.pitch - b.w * GAP;
    const [before, after] = [stock ? 1.3 * b.pitch : 0, (across + 0.3) * b.pitch];
    const x = b.frame.mirrored ? b.right - before - width : b.left + before;
    b.columns(0, Math.max(x, b.frame.mirrored ? b.left + after : x), b.top, 1, b.bottom);
  },

  /** Two tableaux beside each other, the shared foundations between them. @param {Builder} b @param {Mirror} _mirror @param {Frame} frame */
  beside(b, _mirror, frame) {
    const other = 1 - frame.front;
    const width = 7 * b.pitch - b.w * GAP;
    const seats = frame.mirrored ? [other, frame.front] : [frame.front, other];
    seats.forEach((seat, i) => {
      const x = i ? b.right - width : b.left;
      const at = (/** @type {number} */ n) => (i === 0 ? x + n * b.pitch : x + width - b.w - n * b.pitch);
      b.stock(seat, at(0), b.top + 3);
      b.waste(seat, at(1), b.top + 3, i === 0 ? 'right' : 'left');
      b.columns(seat, x, b.top + 3 + b.h * (1 + GAP), 1, b.bottom);
    });
    const middle = frame.width / 2 - b.w - (b.w * GAP) / 2;
    const rowHigh = Math.min(b.h * (1 + GAP), (b.bottom - b.top - b.h) / 3);
    const top = b.top + 3;
    b.foundations((k) => ({ x: middle + (k % 2) * b.pitch, y: top + Math.floor(k / 2) * rowHigh }));
  },

  /** The other's tableau small on top, the foundations, then ours: for a phone. @param {Builder} b @param {Mirror} mirror @param {Frame} frame */
  stacked(b, mirror, frame) {
    const other = 1 - frame.front;
    const spare = Math.max(0, b.bottom - b.top - b.h * (2.2 * OTHER_SCALE + 0.3 + 0.84 + 1 + GAP + COLUMN_ROOM));
    const otherHigh = b.h * OTHER_SCALE * 2.2 + Math.min(spare * 0.35, b.h * OTHER_SCALE * 1.6);
    const s = OTHER_SCALE;
    const columnsWide = (7 * b.pitch - b.w * GAP) * s;
    const x = frame.mirrored ? b.right - columnsWide : b.left;
    b.columns(other, x, b.top, s, b.top + otherHigh);
    b.stock(other, b.far(0, s), b.top + 3, s);
    b.waste(other, b.far(1, s), b.top + 3, frame.mirrored ? 'right' : 'left', s);
    const count = mirror.foundations.length;
    const fs = Math.min(1, (b.right - b.left) / (count * b.pitch - b.w * GAP));
    const row = b.top + otherHigh + b.h * 0.15;
    const inset = (frame.width - (count * b.pitch - b.w * GAP) * fs) / 2;
    b.foundations((k) => ({ x: inset + k * b.pitch * fs, y: row }), fs);
    const mine = row + b.h * (fs + 0.15);
    b.stock(frame.front, b.near(0), mine);
    b.waste(frame.front, b.near(1), mine, b.fan);
    b.columns(frame.front, b.left, mine + b.h * (1 + GAP), 1, b.bottom);
  },
};
