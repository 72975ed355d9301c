/** The text of moves (PROTOCOL.md, section 6), and the sources and targets in a list of legal ones. */

/**
 * @typedef {object} Move
 * @property {'draw' | 'recycle' | 'move'} kind
 * @property {string} from w, c3, f:h or f:h2; for a draw and a recycle empty
 * @property {string} to c3 or f
 * @property {number} count cards that move; 1 where the text does not say
 */

const PATTERN = /^(w|c[1-9]|f:[shdc][12]?)(?::([1-9][0-9]?))?>(f|c[1-9])$/;

/**
 * @param {string} text
 * @returns {Move}
 */
export function parseMove(text) {
  if (text === 'd') return { kind: 'draw', from: '', to: '', count: 0 };
  if (text === 'r') return { kind: 'recycle', from: '', to: '', count: 0 };
  const found = PATTERN.exec(text);
  if (!found) throw new RangeError(`no move: ${text}`);
  return { kind: 'move', from: found[1] ?? '', to: found[3] ?? '', count: Number(found[2] ?? 1) };
}

/**
 * What is lifted: a pile, and how many of its last cards.
 * @typedef {{pile: string, count: number}} Lift
 */

/**
 * @param {Lift} lift
 * @param {string} to
 */
export function moveText({ pile, count }, to) {
  return pile.startsWith('c') && to !== 'f' ? `${pile}:${count}>${to}` : `${pile}>${to}`;
}

/**
 * How a move names a foundation: by suit, and by slot where each suit has two.
 * @param {{suit: string}[]} foundations of the table
 * @param {string} name f0 ...
 */
export function foundationText(foundations, name) {
  const slot = Number(name.slice(1));
  const suit = foundations[slot]?.suit ?? '';
  return foundations.length > 4 ? `f:${suit}${(slot % 2) + 1}` : `f:${suit}`;
}

/**
 * Whether a legal move moves exactly what is lifted. A slot may be left out by the server when only one has cards.
 * @param {Lift} lift
 * @param {Move} move
 */
function isOf(lift, move) {
  if (move.kind !== 'move' || move.count !== lift.count) return false;
  return move.from === lift.pile || (move.from.length === 3 && lift.pile.startsWith(move.from));
}

/**
 * The legal moves of what is lifted.
 * @param {Iterable<string>} legal
 * @param {Lift} lift
 * @returns {string[]}
 */
export function movesOf(legal, lift) {
  return [...legal].filter((text) => isOf(lift, parseMove(text)));
}

/**
 * The targets of what is lifted: columns, and f for the foundations.
 * @param {Iterable<string>} legal
 * @param {Lift} lift
 * @returns {Set<string>}
 */
export function targetsOf(legal, lift) {
  return new Set(movesOf(legal, lift).map((text) => parseMove(text).to));
}
