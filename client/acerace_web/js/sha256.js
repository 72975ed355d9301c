/**
 * SHA-256 and its HMAC (FIPS 180-4, RFC 2104). The browser's own are there only for pages that came over HTTPS, and a
 * deal is to be checked on the server in the next room as well.
 */

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

const BLOCK = 64;
const PRIMES = [...primes(64)];
/** The first 32 bits of the fractional part of a root. @param {number} root */
const fraction = (root) => Math.floor((root % 1) * 2 ** 32) >>> 0;
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));

/** @param {number} count */
function* primes(count) {
  for (let n = 2, found = 0; found < count; n += 1) {
    let prime = true;
    for (let i = 2; i * i <= n; i += 1) if (n % i === 0) prime = false;
    if (!prime) continue;
    found += 1;
    yield n;
  }
}

/** @param {number} value @param {number} by */
const turn = (value, by) => (value >>> by) | (value << (32 - by));

/** @param {ArrayLike<number>} list @param {number} i */
const at = (list, i) => /** @type {number} */ (list[i]);

/** @param {Uint8Array} data @returns {Bytes} */
export function sha256(data) {
  const padded = new Uint8Array(Math.ceil((data.length + 9) / BLOCK) * BLOCK);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(data.length) * 8n);
  const state = Uint32Array.from(START);
  for (let from = 0; from < padded.length; from += BLOCK) compress(state, view, from);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setUint32(i * 4, word));
  return new Uint8Array(digest.buffer);
}

/** @param {Uint32Array} state @param {DataView} view @param {number} from */
function compress(state, view, from) {
  const w = new Uint32Array(64);
  for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(from + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const [a, b] = [at(w, i - 15), at(w, i - 2)];
    const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    w[i] = at(w, i - 16) + s0 + at(w, i - 7) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + at(ROUND, i) + at(w, i)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = at(state, i) + word));
}

/** @param {Uint8Array} key @param {Uint8Array} data @returns {Bytes} */
export function hmac(key, data) {
  const short = key.length > BLOCK ? sha256(key) : key;
  const mask = (/** @type {number} */ byte) => Uint8Array.from({ length: BLOCK }, (_, i) => (short[i] ?? 0) ^ byte);
  return sha256(join([mask(0x5c), sha256(join([mask(0x36), data]))]));
}

/** @param {Uint8Array[]} parts @returns {Bytes} */
export function join(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}

/** @param {string} text hex @returns {Bytes} */
export function bytes(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** @param {Uint8Array} data */
export const hex = (data) => Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('');
