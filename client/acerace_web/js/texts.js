/** Texts for people: those the server shares (refusals, games, cards) and those of this page, in one map. */

import { rankOf } from './cards.js';
import { settings } from './settings.js';

const LANGUAGES = ['en', 'it', 'ca'];

/** @type {Record<string, string>} */
let texts = {};
export let language = 'en';
/** How this language is written where the browser is: dates. */
export let locale = 'en';
let plurals = new Intl.PluralRules(language);

/** Load the chosen language, or the first of the browser's that there is. */
export async function loadTexts() {
  const wanted = [settings.language, ...navigator.languages].map((tag) => tag?.slice(0, 2).toLowerCase());
  language = wanted.find((tag) => tag && LANGUAGES.includes(tag)) ?? 'en';
  locale = navigator.languages.find((tag) => tag.toLowerCase().startsWith(language)) ?? language;
  const parts = await Promise.all(
    [`texts/${language}.json`, `ui/${language}.json`].map(async (path) => (await fetch(path)).json()),
  );
  texts = Object.assign({}, ...parts);
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = language;
}

/**
 * The text with its {places} filled in; the key itself if there is none, so that nothing new from a server is fatal.
 * Of one thing (`count`) it is the text for one, where there is such.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const one = 'count' in values && plurals.select(Number(values['count'])) === 'one' ? texts[`${key}.one`] : undefined;
  const text = one ?? texts[key];
  if (text === undefined) console.warn(`no text ${key}`);
  return (text ?? key).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** @param {string} key */
export const hasText = (key) => key in texts;

/** @param {string} face such as Th */
export function cardName(face) {
  return t('card', { rank: t(`rank.${rankOf(face)}`), suit: t(`suit.${face[1]}`) });
}

/** @param {string[]} faces */
export const cardNames = (faces) => faces.map(cardName).join(', ');

/** @param {string} game a game or a preset */
export const gameName = (game) => t(hasText(`game.${game}`) ? `game.${game}` : `preset.${game}`);

/** A margin as people read it: whole milliseconds, small ones with a decimal. @param {number} us */
export function milliseconds(us) {
  const maximumFractionDigits = us < 10_000 ? 1 : 0;
  return new Intl.NumberFormat(language, { maximumFractionDigits, minimumFractionDigits: maximumFractionDigits }).format(us / 1000);
}

/** A score as people read it; empty where none is kept. @param {number} score @param {import('./wire.js').Options} options of the game */
export function scoreText(score, { scoring }) {
  return scoring === 'none' ? '' : `${score}${scoring === 'vegas' ? ' $' : ''}`;
}

/** @param {number} seconds */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
