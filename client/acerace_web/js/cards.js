/** Cards as texts, rank then suit (PROTOCOL.md, section 6). */

export const RANKS = 'A23456789TJQK';
export const SUITS = 'shdc';

/** @param {number} rank from 1 @param {string} suit */
export const faceOf = (rank, suit) => `${RANKS[rank - 1]}${suit}`;

/** From 1; 0: nobody knows. @param {string | null | undefined} face such as Th */
export const rankOf = (face) => RANKS.indexOf(face?.[0] ?? '?') + 1;
