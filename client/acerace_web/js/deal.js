/**
 * Deals (PROTOCOL.md, section 12): from bytes to shuffled decks, and to where each card lies. This is all the page
 * knows of the games, and it knows it only to check a deal that is over.
 *
 * @import {Options, TableState} from './wire.js'
 */

import { RANKS, SUITS } from './cards.js';
import { bytes, hex, hmac, join } from './sha256.js';

const DECK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const LAST_PART = 7;
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const LAST_NUMBER = 999999n;
const DAY_MS = 86_400_000;
/** Whose deals are known again: a month's. */
const DAYS_KNOWN = 31;
const encoder = new TextEncoder();

/** @typedef {{down: number, up: number}} Column */
/** @typedef {{columns: Column[], decks: number, stock: boolean}} Shape */

/** @param {number} count @returns {Column[]} */
const staircase = (count) => Array.from({ length: count }, (_, down) => ({ down, up: 1 }));
const KLONDIKE = { columns: staircase(7), decks: 1, stock: true };
const TWO_DECKS = { columns: staircase(9), decks: 2, stock: true };
const OPEN = { columns: staircase(7).map(({ down }) => ({ down, up: down ? 5 : 1 })), decks: 1, stock: false };

/** @type {Record<string, Shape>} */
const SHAPES = {
  'double-klondike': KLONDIKE,
  klondike: KLONDIKE,
  'double-solitaire': TWO_DECKS,
  'easy-harp': TWO_DECKS,
  russian: OPEN,
  yukon: OPEN,
};

/** An endless row of bytes. @param {Uint8Array} key @param {string} label */
function* stream(key, label) {
  for (let i = 0; ; i += 1) {
    const counter = new DataView(new ArrayBuffer(8));
    counter.setBigUint64(0, BigInt(i));
    yield* hmac(key, join([encoder.encode(label), new Uint8Array(counter.buffer)]));
  }
}

/** @param {Uint8Array} key @param {string} label @param {number} [decks] @returns {string[]} the shuffled cards */
export function shuffled(key, label, decks = 1) {
  const deck = Array.from({ length: decks }, () => DECK).flat();
  const source = stream(key, label);
  for (let i = deck.length - 1; i > 0; i -= 1) {
    const n = i + 1;
    const limit = 256 - (256 % n);
    let byte = 256;
    while (byte >= limit) byte = /** @type {number} */ (source.next().value);
    const j = byte % n;
    [deck[i], deck[j]] = [/** @type {string} */ (deck[j]), /** @type {string} */ (deck[i])];
  }
  return deck;
}

/** @param {Uint8Array} secret @param {string[]} seeds in hex */
export function matchKey(secret, seeds) {
  const parts = seeds.flatMap((seed) => {
    const data = bytes(seed);
    return [Uint8Array.of(data.length >> 8, data.length & 255), data];
  });
  return hmac(secret, join([encoder.encode('acerace/match/1'), ...parts]));
}

/** Who begins a match in turns in which all last cards are equal. @param {Uint8Array} secret @param {string[]} seeds */
export function coin(secret, seeds) {
  return (hmac(matchKey(secret, seeds), encoder.encode('acerace/first/'))[0] ?? 0) & 1;
}

/** The decks of a match, by seat. @param {Uint8Array} secret @param {string[]} seeds @param {Options} options */
export function matchDecks(secret, seeds, options) {
  const key = matchKey(secret, seeds);
  return seeds.map((_, seat) => shuffled(key, `acerace/deck/${options['mirror'] === true ? 0 : seat}/`));
}

/** The cards of a solo game. @param {string} game @param {string} code as the server writes it */
export function soloDeck(game, code) {
  const [first] = code.split('-');
  return shuffled(encoder.encode('acerace/solo'), `${first}/${numberOf(code)}/`, shape(game, {}).decks);
}

/** @param {string} code */
function numberOf(code) {
  const letters = code.split('-')[2];
  if (letters?.length !== LAST_PART) throw new RangeError(`no deal code: ${code}`);
  return [...letters].reduce((sum, letter) => sum * ALPHABET.length + ALPHABET.indexOf(letter), 0);
}

/**
 * The UTC date whose deal of the day this is, if it is one of late: from tomorrow on, as our own clock may be behind.
 * @param {string} game
 * @param {string} code
 * @param {number} now in milliseconds
 * @returns {string | null} as in `2026-11-30`
 */
export function dayOf(game, code, now) {
  const number = numberOf(code);
  const days = Array.from({ length: DAYS_KNOWN }, (_, i) => new Date(now + (1 - i) * DAY_MS).toISOString().slice(0, 10));
  return days.find((day) => dayNumber(game, day) === number) ?? null;
}

/** @param {string} game @param {string} day */
function dayNumber(game, day) {
  const digest = hmac(encoder.encode('acerace/day'), encoder.encode(`${game}/${day}`));
  return Number(BigInt(`0x${hex(digest)}`) % LAST_NUMBER) + 1;
}

/** @param {string} game @param {Options} options @returns {Shape} */
function shape(game, options) {
  const found = SHAPES[game];
  if (!found) throw new RangeError(`no game ${game}`);
  if (!options['thoughtful']) return found;
  return { ...found, columns: found.columns.map(({ down, up }) => ({ down: 0, up: down + up })) };
}

/**
 * Where each card of a deck lies when it is dealt row by row, as the mirror names places: by `seat c3 depth`, and
 * `seat s n` for the n-th card of the stock.
 * @param {string[]} deck
 * @param {number} seat
 * @param {Column[]} [columns]
 */
export function dealtPlaces(deck, seat, columns = KLONDIKE.columns) {
  /** @type {Map<string, string>} */
  const places = new Map();
  const cards = deck[Symbol.iterator]();
  const deepest = Math.max(...columns.map(({ down, up }) => down + up));
  for (let depth = 0; depth < deepest; depth += 1) {
    columns.forEach(({ down, up }, c) => {
      if (depth < down + up) places.set(`${seat} c${c + 1} ${depth}`, cards.next().value ?? '');
    });
  }
  for (const [i, card] of [...cards].entries()) places.set(`${seat} s ${i}`, card);
  return places;
}

/**
 * A game as it is dealt: the position that everybody sees, and where which card lies.
 * @param {string} game
 * @param {Options} options
 * @param {string[][]} decks by seat
 */
export function deal(game, options, decks) {
  const { columns, stock, decks: each } = shape(game, options);
  /** @type {Map<string, string>} */
  const places = new Map();
  const seats = decks.map((deck, seat) => {
    for (const [place, face] of dealtPlaces(deck, seat, columns)) places.set(place, face);
    const dealt = columns.map(({ down, up }, c) => ({
      down,
      up: Array.from({ length: up }, (_, i) => places.get(`${seat} c${c + 1} ${down + i}`) ?? ''),
    }));
    const left = deck.length - columns.reduce((sum, { down, up }) => sum + down + up, 0);
    const score = options['scoring'] === 'vegas' ? -deck.length : 0; // a dollar a card is paid for the deck
    const draw = Number((seat && options['second_draw']) || options['draw'] || 1);
    return { columns: dealt, stock: left, waste: [], draw: stock ? draw : 0, recycles: 0, moves: 0, score };
  });
  const copies = decks.length * each;
  const foundations = [...SUITS].flatMap((suit) => Array.from({ length: copies }, () => ({ suit, owners: [] })));
  return { state: /** @type {TableState} */ ({ seats, foundations }), places };
}
