/**
 * Checks a deal after the match (PROTOCOL.md, section 12): the secret is what was committed to, and the cards follow
 * from it. Nothing is taken from the server but the bytes themselves.
 *
 * @import {Mirror} from './mirror.js'
 */

const RANKS = 'A23456789TJQK';
const SUITS = 'shdc';
const DECK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const COLUMNS = 7;
const HMAC = { name: 'HMAC', hash: 'SHA-256' };
const encoder = new TextEncoder();

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/** @param {string} text hex @returns {Bytes} */
export function bytes(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** @param {Uint8Array} data */
const hex = (data) => Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param {Bytes} key @param {Bytes} data @returns {Promise<Bytes>} */
async function hmac(key, data) {
  const imported = await crypto.subtle.importKey('raw', key, HMAC, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign(HMAC, imported, data));
}

/** @param {Uint8Array[]} parts @returns {Bytes} */
function join(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** An endless row of bytes. @param {Bytes} key @param {string} label */
async function* stream(key, label) {
  for (let i = 0; ; i += 1) {
    const counter = new DataView(new ArrayBuffer(8));
    counter.setBigUint64(0, BigInt(i));
    yield* await hmac(key, join([encoder.encode(label), new Uint8Array(counter.buffer)]));
  }
}

/** @param {Bytes} key @param {string} label @returns {Promise<string[]>} the shuffled deck */
export async function shuffled(key, label) {
  const deck = [...DECK];
  const source = stream(key, label);
  for (let i = deck.length - 1; i > 0; i -= 1) {
    const n = i + 1;
    const limit = 256 - (256 % n);
    let byte = 256;
    while (byte >= limit) byte = /** @type {number} */ ((await source.next()).value);
    const j = byte % n;
    [deck[i], deck[j]] = [/** @type {string} */ (deck[j]), /** @type {string} */ (deck[i])];
  }
  return deck;
}

/** @param {Bytes} secret @param {string[]} seeds in hex */
export async function matchKey(secret, seeds) {
  const parts = seeds.flatMap((seed) => {
    const data = bytes(seed);
    return [Uint8Array.of(data.length >> 8, data.length & 255), data];
  });
  return hmac(secret, join([encoder.encode('acerace/match/1'), ...parts]));
}

/** Where each card of a deck lies when it is dealt row by row, as the mirror names places. @param {string[]} deck @param {number} seat */
export function dealtPlaces(deck, seat) {
  /** @type {Map<string, string>} */
  const places = new Map();
  const cards = deck[Symbol.iterator]();
  for (let depth = 0; depth < COLUMNS; depth += 1) {
    for (let column = depth + 1; column <= COLUMNS; column += 1) places.set(`${seat} c${column} ${depth}`, cards.next().value ?? '');
  }
  for (const [i, card] of [...cards].entries()) places.set(`${seat} s ${i}`, card);
  return places;
}

/**
 * @param {Mirror} mirror of a match that is over
 * @param {string | null} ownSeed what we added, if we played
 * @returns {Promise<'fair' | 'unfair' | 'unknown'>}
 */
export async function verifyMatch(mirror, ownSeed) {
  const { ended, commitment, witnessed, options } = mirror;
  if (!ended?.secret || !commitment || !crypto.subtle) return 'unknown';
  const secret = bytes(ended.secret);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', secret));
  const seeds = ended.seeds ?? [];
  if (hex(digest) !== commitment || (ownSeed !== null && !seeds.includes(ownSeed))) return 'unfair';
  if (!witnessed.size) return 'unknown';
  const key = await matchKey(secret, seeds);
  /** @type {Map<string, string>} */
  const places = new Map();
  for (const seat of mirror.players.keys()) {
    const deck = await shuffled(key, `acerace/deck/${options['mirror'] === true ? 0 : seat}/`);
    for (const [place, face] of dealtPlaces(deck, seat)) places.set(place, face);
  }
  return [...witnessed].every(([place, face]) => places.get(place) === face) ? 'fair' : 'unfair';
}
