/** The cards: our own vector drawing, as symbols that each card on the table uses. */

import { setAttribute, svg } from './dom.js';

const SUITS = /** @type {const} */ ({
  s: '<path d="M50 4C58 26 94 42 94 64C94 77 83 84 73 84C65 84 58 80 54 73C54 83 58 91 67 96H33C42 91 46 83 46 73C42 80 35 84 27 84C17 84 6 77 6 64C6 42 42 26 50 4Z"/>',
  h: '<path d="M50 93C20 67 5 50 5 31C5 16 16 8 28 8C39 8 46 15 50 25C54 15 61 8 72 8C84 8 95 16 95 31C95 50 80 67 50 93Z"/>',
  d: '<path d="M50 3Q65 29 88 50Q65 71 50 97Q35 71 12 50Q35 29 50 3Z"/>',
  c: '<circle cx="50" cy="27" r="22"/><circle cx="26" cy="60" r="22"/><circle cx="74" cy="60" r="22"/><path d="M42 40H58L54 66C55 82 59 90 68 96H32C41 90 45 82 46 66Z"/>',
});

/** Each rank as one stroke in a box 20 wide (the ten 27) and 32 high. */
const RANKS = /** @type {Record<string, string>} */ ({
  A: 'M1 31L10 2L19 31M4.5 21H15.5',
  2: 'M2 10C2 -1 18 -1 18 10C18 17 2 23 2 31H19',
  3: 'M2 2H17L9 13C21 12 22 31 9 31C5 31 2 29 1 26',
  4: 'M14 31V2L1 22H19',
  5: 'M16 2H4L3 15C9 11 18 13 18 21.500C18 32 6 33 1 27',
  6: 'M15 2C7 6 2 14 2 21.500C2 34 18 34 18 21.500C18 11 5 11 2.500 19',
  7: 'M1 2H18L7 31',
  8: 'M10 2C0 2 0 14.500 10 14.500C21.500 14.500 21.500 31 10 31C-1.500 31 -1.500 14.500 10 14.500C20 14.500 20 2 10 2Z',
  9: 'M5 31C13 27 18 19 18 11.500C18 -1 2 -1 2 11.500C2 22 15 22 17.500 14',
  T: 'M1 7L6 2V31M12 16.500C12 -3 26 -3 26 16.500C26 36 12 36 12 16.500Z',
  J: 'M15 2V22C15 34 3 33 2 24',
  Q: 'M10 2C-2 2 -2 31 10 31C22 31 22 2 10 2ZM11 22L19 32',
  K: 'M3 2V31M18 2L3 19M8.500 13L19 31',
});

/** Where the pips lie, in columns and rows of the middle of a card; those past the middle stand on their heads. */
const PIPS = /** @type {Record<string, [number, number][]>} */ ({
  2: [[50, 40], [50, 100]],
  3: [[50, 40], [50, 70], [50, 100]],
  4: [[37, 40], [63, 40], [37, 100], [63, 100]],
  5: [[37, 40], [63, 40], [50, 70], [37, 100], [63, 100]],
  6: [[37, 40], [63, 40], [37, 70], [63, 70], [37, 100], [63, 100]],
  7: [[37, 40], [63, 40], [50, 55], [37, 70], [63, 70], [37, 100], [63, 100]],
  8: [[37, 40], [63, 40], [50, 55], [37, 70], [63, 70], [50, 85], [37, 100], [63, 100]],
  9: [[37, 38], [63, 38], [37, 59], [63, 59], [50, 70], [37, 81], [63, 81], [37, 102], [63, 102]],
  T: [[37, 38], [63, 38], [50, 48.5], [37, 59], [63, 59], [37, 81], [63, 81], [50, 91.5], [37, 102], [63, 102]],
});

/** Half of a court card, above the middle at (50, 70); the other half is the same turned round. */
const COURTS = /** @type {Record<string, string>} */ ({
  K:
    '<path class="ink" d="M27 70C28 61 38 59 43 57H57C62 59 72 61 73 70Z"/><path class="gold" d="M45 57L50 70L55 57Z"/>' +
    '<path class="skin" d="M41 40H59V52C59 60 41 60 41 52Z"/><path class="hair" d="M41 49C44 53 47 50 50 50C53 50 56 53 59 49V54C59 64 41 64 41 54Z"/>' +
    '<path class="gold" d="M38 41L35 26L43 33L50 23L57 33L65 26L62 41Z"/><circle class="ink" cx="50" cy="36" r="2.500"/>' +
    '<path class="line" d="M45.500 45.500V46.500M54.500 45.500V46.500M69 64V36M65.500 41H72.500"/>',
  Q:
    '<path class="hair" d="M36 58C34 36 42 30 50 30C58 30 66 36 64 58Z"/><path class="ink" d="M27 70C29 61 38 60 44 57H56C62 60 71 61 73 70Z"/>' +
    '<path class="skin" d="M42 42C42 36 58 36 58 42V50C58 58 42 58 42 50ZM46 54H54L50 62Z"/>' +
    '<path class="gold" d="M39 38L37 27L44 32L50 25L56 32L63 27L61 38C54 34 46 34 39 38Z"/><circle class="ink" cx="50" cy="24" r="2.500"/>' +
    '<path class="line" d="M46 45V46M54 45V46M48 51.500H52"/><circle class="gold" cx="50" cy="65" r="2.500"/>',
  J:
    '<path class="hair" d="M38 54C35 38 42 33 50 33C58 33 65 38 62 54Z"/><path class="ink" d="M27 70C29 62 38 60 44 58H56C62 60 71 62 73 70Z"/>' +
    '<path class="skin" d="M42 41H58V50C58 58 42 58 42 50Z"/><path class="ink" d="M36 40C36 28 48 27 56 29C63 31 65 36 64 40C56 36 44 37 36 40Z"/>' +
    '<path class="gold" d="M58 33C60 24 67 21 71 24C68 26 69 30 61 36Z"/><path class="line" d="M46 45V46M54 45V46"/>' +
    '<path class="gold" d="M44 58L50 66L56 58L56 61L50 70L44 61Z"/>',
});

/** @param {string} suit @param {number} x middle @param {number} y middle @param {number} size @param {boolean} [turned] */
function suitAt(suit, x, y, size, turned = false) {
  const half = size / 2;
  const turn = turned ? ` rotate(180 ${x} ${y})` : '';
  const inner = SUITS[/** @type {keyof typeof SUITS} */ (suit)];
  return `<g class="suit" transform="${turn.trim()} translate(${x - half} ${y - half}) scale(${size / 100})">${inner}</g>`;
}

/** @param {string} rank @param {number} x left @param {number} y top @param {number} height */
function rankAt(rank, x, y, height) {
  return `<path class="rank" transform="translate(${x} ${y}) scale(${height / 33})" d="${RANKS[rank]}"/>`;
}

/** @param {string} part */
const both = (part) => `${part}<g transform="rotate(180 50 70)">${part}</g>`;

const PAPER = '<rect class="paper" x="1" y="1" width="98" height="138" rx="9"/>';

/** @param {string} rank @param {string} suit */
function middle(rank, suit) {
  if (rank === 'A') return suitAt(suit, 50, 70, 52);
  const court = COURTS[rank];
  if (court) {
    const panel = '<rect class="panel" x="25" y="22" width="50" height="96" rx="5"/>';
    return `${panel}<g class="court">${both(court)}</g><path class="line" d="M26 70H74"/>${both(suitAt(suit, 34, 31, 13))}`;
  }
  return (PIPS[rank] ?? []).map(([x, y]) => suitAt(suit, x, y, 19, y > 70)).join('');
}

/** @param {string} rank @param {string} suit */
function face(rank, suit) {
  const index = `${rankAt(rank, rank === 'T' ? 4 : 7, 8, 22)}${suitAt(suit, 13.5, 43, 15)}`;
  return PAPER + both(index) + middle(rank, suit);
}

/** For small cards: an index that can still be read when a card is 30 pixels wide. @param {string} rank @param {string} suit */
function smallFace(rank, suit) {
  return `${PAPER}${rankAt(rank, rank === 'T' ? 6 : 9, 9, 38)}${suitAt(suit, 75, 28, 36)}${suitAt(suit, 50, 93, 62)}`;
}

/** Two sets of slanting lines. */
function lattice() {
  const lines = [];
  for (let at = -7; at < 16; at += 1) lines.push(`M8 ${at * 10 + 3}L92 ${at * 10 + 45}`, `M92 ${at * 10 + 3}L8 ${at * 10 + 45}`);
  return lines.join('');
}

/** The backs of the two seats differ in pattern and mark, not by colour alone. */
const BACKS = [
  `<path class="weave" d="${lattice()}"/><circle class="seal" cx="50" cy="70" r="16"/>`,
  '<path class="weave" d="M14 8V132M23 8V132M32 8V132M41 8V132M50 8V132M59 8V132M68 8V132M77 8V132M86 8V132"/><path class="seal" d="M50 50L70 84H30Z"/>',
];

/** The marks on foundation cards: whose deck they came from. */
const MARKS = ['<circle cx="50" cy="50" r="38"/>', '<path d="M50 10L92 86H8Z"/>'];

const ICONS = /** @type {Record<string, string>} */ ({
  undo: 'M9 5L4 10L9 15M4 10H14C22 10 22 20 14 20H10',
  redo: 'M15 5L20 10L15 15M20 10H10C2 10 2 20 10 20H14',
  hint: 'M9 17H15M10 20.500H14M12 3C6.500 3 4.500 9 8 12.500C9 13.500 9 14 9 15H15C15 14 15 13.500 16 12.500C19.500 9 17.500 3 12 3Z',
  finish: 'M5 21V4H18L15 8.500L18 13H5',
  fresh: 'M12 5V19M5 12H19',
  same: 'M19 12A7 7 0 1 1 16 6.300M16 2.500V6.500H12',
  home: 'M4 11L12 4L20 11M6 10V20H18V10',
  settings: 'M4 7H14M18 7H20M4 12H6M10 12H20M4 17H14M18 17H20M16 5V9M8 10V14M16 15V19',
  pass: 'M5 5L13 12L5 19M17 5V19',
  done: 'M4 13L9 18L20 6',
  resign: 'M6 21V3M6 4L18 7L6 11',
  link: 'M9 15L15 9M8 11L5 14C1 18 6 23 10 19L13 16M16 13L19 10C23 6 18 1 14 5L11 8',
  watch: 'M2 12C7 4 17 4 22 12C17 20 7 20 2 12ZM12 9A3 3 0 1 0 12 15A3 3 0 1 0 12 9Z',
  bot: 'M5 9H19V19H5ZM12 9V4M9 13V14M15 13V14',
  close: 'M6 6L18 18M18 6L6 18',
  first: 'M6 5V19M19 5L9 12L19 19Z',
  back: 'M16 5L7 12L16 19',
  play: 'M7 4L20 12L7 20Z',
  pause: 'M8 5V19M16 5V19',
  forward: 'M8 5L17 12L8 19',
  last: 'M18 5V19M5 5L15 12L5 19Z',
  race_back: 'M20 20V4L12 8L20 12M8 8L3 12L8 16',
  race_next: 'M4 20V4L12 8L4 12M16 8L21 12L16 16',
  records: 'M7 4H17V10A5 5 0 0 1 7 10ZM7 6H3C3 10 5 11 7 11M17 6H21C21 10 19 11 17 11M12 15V20M8 20H16',
  account: 'M12 4A4 4 0 1 0 12 12A4 4 0 1 0 12 4ZM4 20C5 15 8 14 12 14S19 15 20 20',
  others: 'M4 12A1 1 0 1 0 6 12A1 1 0 1 0 4 12ZM11 12A1 1 0 1 0 13 12A1 1 0 1 0 11 12ZM18 12A1 1 0 1 0 20 12A1 1 0 1 0 18 12Z',
  mute: 'M4 5H20V16H11L6 20V16H4ZM3 3L21 21',
  say: 'M4 5H20V16H11L6 20V16H4Z',
});

/** On an empty stock: whether the waste may be turned over. */
const RECYCLES = /** @type {Record<string, string>} */ ({
  free: '<path class="sign" d="M70 52A26 26 0 1 0 76 72M76 40V56H60"/>',
  barred: '<path class="sign" d="M32 52L68 88M68 52L32 88"/>',
});

/** @param {string} seat */
function back(seat) {
  const ground = '<rect class="ground" x="7" y="7" width="86" height="126"/>';
  return `${PAPER}<svg x="7" y="7" width="86" height="126" viewBox="7 7 86 126">${ground}${BACKS[Number(seat)]}</svg>`;
}

/** By the first part of a symbol's name: its box, and what the second part puts into it. */
const DRAWINGS = /** @type {Record<string, [string, (what: string) => string | undefined]>} */ ({
  suit: ['100 100', (suit) => SUITS[/** @type {keyof typeof SUITS} */ (suit)]],
  face: ['100 140', ([rank = '', suit = '']) => face(rank, suit)],
  small: ['100 140', ([rank = '', suit = '']) => smallFace(rank, suit)],
  back: ['100 140', back],
  mark: ['100 100', (seat) => MARKS[Number(seat)]],
  recycle: ['100 140', (how) => RECYCLES[how]],
  icon: ['24 24', (name) => `<path d="${ICONS[name]}"/>`],
});

const drawn = /** @type {Set<string>} */ (new Set());
const art = svg('svg', { class: 'art', 'aria-hidden': 'true' });

/** Put a drawing into the page, when it is first wanted: all of them are thousands of elements. @param {string} name */
function draw(name) {
  if (drawn.has(name)) return;
  drawn.add(name);
  const [kind = '', what = ''] = name.split('-');
  const [box, fill] = DRAWINGS[kind] ?? ['', () => ''];
  const source = `<symbol xmlns="http://www.w3.org/2000/svg" id="${name}" viewBox="0 0 ${box}">${fill(what)}</symbol>`;
  art.append(new DOMParser().parseFromString(source, 'image/svg+xml').documentElement);
  if (!art.isConnected) document.body.prepend(art);
}

/**
 * An svg element that shows a drawing: icon-home, face-As, back-0 ...
 * @param {string} name
 * @param {string} [style] class
 */
export function use(name, style = '') {
  const made = svg('svg', { class: style, 'aria-hidden': 'true' }, svg('use'));
  show(made, name);
  return made;
}

/** Have an element of {@link use} show another drawing. @param {Element} made @param {string} name */
export function show(made, name) {
  draw(name);
  setAttribute(made.firstElementChild ?? made, 'href', `#${name}`);
}
