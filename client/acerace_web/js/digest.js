/** The digest of a position (PROTOCOL.md, section 10). @import {Card, Foundation, Seat} from './mirror.js' */

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/**
 * CRC-32, the one of zlib, of a text in ASCII.
 * @param {string} text
 */
export function crc32(text) {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i += 1) {
    crc = /** @type {number} */ (TABLE[(crc ^ text.charCodeAt(i)) & 0xff]) ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** @param {Card[]} cards */
const faces = (cards) => cards.map((card) => card.face ?? '').join('');

/**
 * @param {Seat[]} seats
 * @param {Foundation[]} foundations
 */
export function digest(seats, foundations) {
  let sum = 0;
  const add = (/** @type {string} */ text) => {
    sum = (sum + crc32(text)) >>> 0;
  };
  seats.forEach((seat, s) => {
    seat.columns.forEach((cards, c) => {
      const down = cards.filter((card) => card.face === null).length;
      add(`${s}c${c + 1}:${down}:${faces(cards)}`);
    });
    add(`${s}s:${seat.stock.length}`);
    add(`${s}w:${faces(seat.waste)}`);
  });
  foundations.forEach((foundation, k) => add(`f${k}:${foundation.cards.map((card) => card.owner).join('')}`));
  return sum;
}
