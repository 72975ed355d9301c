/**
 * Words for what is on the table and what happens to it: labels of piles, and announcements of events.
 *
 * @import {PileBox} from './layout.js'
 * @import {Mirror} from './mirror.js'
 * @import {TableEvent, Played} from './wire.js'
 */

import { parseMove } from './moves.js';
import { cardName, cardNames, t } from './texts.js';

/** @param {PileBox} box @param {Mirror} mirror */
export function pileLabel(box, mirror) {
  const whose = box.seat >= 0 && mirror.seats.length > 1 ? `${mirror.players[box.seat]?.name ?? ''}, ` : '';
  return whose + pileText(box, mirror);
}

/** @param {PileBox} box @param {Mirror} mirror */
function pileText({ name, cards }, mirror) {
  const top = cards.at(-1)?.face;
  if (name === 's') return `${t('pile.stock')}: ${cards.length}`;
  if (name === 'w') return `${t('pile.waste')}: ${top ? cardName(top) : t('ui.empty')}`;
  if (name.startsWith('f')) {
    const suit = t(`suit.${mirror.foundations[Number(name.slice(1))]?.suit}`);
    return `${t('pile.foundation', { suit })}: ${top ? cardName(top) : t('ui.empty')}`;
  }
  const number = name.slice(1);
  if (!cards.length) return t('pile.empty_column', { number });
  const hidden = cards.filter((card) => card.face === null).length;
  const parts = hidden ? [t('pile.hidden', { count: hidden })] : [];
  const open = cards.flatMap((card) => card.face ?? []);
  return `${t('pile.column', { number })}: ${[...parts, ...open.map(cardName)].join(', ')}`;
}

/** @param {Played | import('./wire.js').Undone} event */
function moveWords(event) {
  const { kind, from, to } = parseMove(event.move);
  const cards = cardNames(event.cards ?? []);
  if (kind === 'draw') return t('move.draw', { cards });
  if (kind === 'recycle') return t('move.recycle');
  const values = { cards, from: from.slice(1), to: to.slice(1) };
  if (from === 'w') return t(to === 'f' ? 'move.waste_to_foundation' : 'move.waste_to_column', values);
  if (from.startsWith('f')) return t('move.foundation_to_column', values);
  return t(to === 'f' ? 'move.column_to_foundation' : 'move.column_to_column', values);
}

/**
 * What a screen reader says of an event; null: nothing.
 * @param {TableEvent} event
 * @param {Mirror} mirror after the event
 * @param {number | null} me
 */
export function announce(event, mirror, me) {
  const name = 'seat' in event ? (mirror.players[event.seat]?.name ?? '') : '';
  switch (event.type) {
    case 'played': {
      const who = mirror.players.length > 1 && event.seat !== me ? `${name}: ` : '';
      const turned = event.turned ? ` ${t('event.turned', { cards: cardName(event.turned) })}` : '';
      return who + moveWords(event) + turned;
    }
    case 'undone':
      return `${t('event.undone')} ${moveWords(event)}`;
    case 'passed':
      return t('event.passed', { name });
    case 'said_done':
      return t('event.said_done', { name });
    case 'presence':
      return t(event.away ? 'event.away' : 'event.back', { name });
    case 'warned':
      return t('event.warned', { seconds: Math.round(event.ends_in_ms / 1000) });
    case 'dealt':
      return t('ui.dealt');
    case 'ended':
      return `${resultText(mirror)} ${t(`end.${event.reason}`)}`;
    default:
      return null;
  }
}

/** @param {Mirror} mirror whose game is over */
export function resultText(mirror) {
  const winner = mirror.ended?.winner ?? null;
  if (mirror.players.length === 1) return t(winner === null ? 'result.given_up' : 'result.solved');
  return winner === null ? t('result.drawn') : t('result.won', { name: mirror.players[winner]?.name ?? '' });
}
