/**
 * Reads replay files (PROTOCOL.md, section 19).
 *
 * @import {Ended, Options, PlayerInfo} from './wire.js'
 */

const FIRST_LINE = 'acerace replay 1';

/**
 * @typedef {{event: string, seq: number, cards: string[], turned: string | null, score: number | null, turn: number | null,
 *   check: number | null}} Happened
 * @typedef {{reason: string, seq: number | null, marginUs: number}} Denied seq: the event that took the place
 * @typedef {object} Entry one thing the table was told, and what came of it
 * @property {number} line from 1
 * @property {number} atUs since the table was opened
 * @property {number} seat -1: the clock
 * @property {string} what
 * @property {Record<string, string>} fields
 * @property {Happened[]} happened
 * @property {Denied | null} refused
 *
 * @typedef {{table: string, game: string, options: Options, players: PlayerInfo[], rated: boolean, opened_us: number,
 *   commitment?: string, code?: string, ended: Ended, entries: number}} Headers
 * @typedef {{headers: Headers, entries: Entry[]}} ReplayFile
 */

/** A file that cannot be read or is not true; it carries the number of its line. */
export class ReplayError extends Error {
  /** @param {number} line @param {string} why for developers */
  constructor(line, why) {
    super(`line ${line}: ${why}`);
    this.line = line;
  }
}

/**
 * Throws {@link ReplayError}.
 * @param {string} text
 * @returns {ReplayFile}
 */
export function readReplay(text) {
  const lines = text.split('\n');
  if (lines[0] !== FIRST_LINE) throw new ReplayError(1, `expected ${FIRST_LINE}`);
  /** @type {Record<string, unknown>} */
  const headers = {};
  let next = 1;
  while (next < lines.length && !('entries' in headers)) {
    const line = lines[next] ?? '';
    const space = line.indexOf(' ');
    headers[line.slice(0, space)] = attempt(next + 1, () => JSON.parse(line.slice(space + 1)));
    next += 1;
  }
  const count = Number(headers['entries'] ?? 0);
  if (!('ended' in headers) || lines[next + count] !== 'end') throw new ReplayError(next + count + 1, 'expected end');
  const entries = lines.slice(next, next + count).map((line, i) => attempt(next + i + 1, () => readEntry(line, next + i + 1)));
  return { headers: /** @type {Headers} */ (headers), entries };
}

/** @template T @param {number} line @param {() => T} read @returns {T} */
function attempt(line, read) {
  try {
    return read();
  } catch (error) {
    throw new ReplayError(line, String(error));
  }
}

/** @param {string} text @param {number} line @returns {Entry} */
function readEntry(text, line) {
  const [time = '', seat = '', what = '', ...rest] = text.split(' ');
  const middle = rest.indexOf('=');
  if (middle < 0) throw new RangeError('no outcome');
  const outcome = rest.slice(middle + 1);
  const refused = outcome[0] === 'refused';
  return {
    line,
    atUs: Number(time),
    seat: seat === '-' ? -1 : Number(seat),
    what,
    fields: pairs(rest.slice(0, middle)),
    happened: refused || outcome[0] === 'nothing' ? [] : outcome.join(' ').split(' + ').map(readHappened),
    refused: refused ? readDenied(outcome) : null,
  };
}

/** @param {string[]} words @returns {Denied} */
function readDenied([, reason = '', ...rest]) {
  const { seq, margin_us: margin } = pairs(rest);
  return { reason, seq: seq === undefined ? null : Number(seq), marginUs: Number(margin ?? 0) };
}

/** @param {string} text @returns {Happened} */
function readHappened(text) {
  const [event = '', ...rest] = text.split(' ');
  const { seq, cards, turned, score, turn, check } = pairs(rest);
  return {
    event,
    seq: Number(seq),
    cards: cards ? cards.split(',') : [],
    turned: turned ?? null,
    score: numberOf(score),
    turn: numberOf(turn),
    check: numberOf(check),
  };
}

/** @param {string | undefined} word */
const numberOf = (word) => (word === undefined ? null : Number(word));

/** @param {string[]} words each key=value, the value plain or JSON @returns {Record<string, string>} */
function pairs(words) {
  return Object.fromEntries(words.map((word) => {
    const at = word.indexOf('=');
    const value = word.slice(at + 1);
    return [word.slice(0, at), value.startsWith('"') ? JSON.parse(value) : value];
  }));
}
