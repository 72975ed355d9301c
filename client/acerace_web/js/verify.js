/**
 * Checks a deal after the match (PROTOCOL.md, section 12): the secret is what was committed to, and the cards follow
 * from it. Nothing is taken from the server but the bytes themselves.
 *
 * @import {Mirror} from './mirror.js'
 */

import { dealtPlaces, matchDecks } from './deal.js';
import { bytes, hex, sha256 } from './sha256.js';

/** @typedef {'fair' | 'unfair' | 'unknown'} Verdict */

/**
 * @param {Pick<Mirror, 'ended' | 'commitment' | 'witnessed' | 'options'>} mirror of a match that is over
 * @param {string | null} ownSeed what we added, if we played
 * @returns {Verdict}
 */
export function verifyMatch({ ended, commitment, witnessed, options }, ownSeed) {
  if (!ended?.secret || !commitment) return 'unknown';
  const secret = bytes(ended.secret);
  const seeds = ended.seeds ?? [];
  if (hex(sha256(secret)) !== commitment || (ownSeed !== null && !seeds.includes(ownSeed))) return 'unfair';
  if (!witnessed.size) return 'unknown';
  const places = new Map(matchDecks(secret, seeds, options).flatMap((deck, seat) => [...dealtPlaces(deck, seat)]));
  return [...witnessed].every(([place, face]) => places.get(place) === face) ? 'fair' : 'unfair';
}
