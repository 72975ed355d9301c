/**
 * How many cards each side has on the foundations, as curves over the time of the game.
 *
 * @import {ReplayGame} from './replay_game.js'
 */

import { svg } from './dom.js';

const WIDE = 1000;
const HIGH = 100;

export class Curve {
  element = svg('svg', { class: 'curve', viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
  #now = svg('line', { class: 'now', y1: 0, y2: HIGH });
  #game;

  /** @param {ReplayGame} game @param {(step: number) => void} go */
  constructor(game, go) {
    this.#game = game;
    const most = Math.max(1, ...game.contributions.flat());
    const y = (/** @type {number} */ cards) => HIGH - 4 - (cards / most) * (HIGH - 8);
    const lines = game.headers.players.map((_, s) => {
      const points = game.contributions.flatMap((cards, n) => {
        const now = y(cards[s] ?? 0);
        return [`${this.#x(n)},${n ? y(game.contributions[n - 1]?.[s] ?? 0) : now}`, `${this.#x(n)},${now}`]; // a step, no slope
      });
      return svg('polyline', { class: `owner-${s}`, points: points.join(' ') });
    });
    const races = game.raceSteps.map((n) => svg('line', { class: 'race', x1: this.#x(n), x2: this.#x(n), y1: 0, y2: HIGH }));
    this.element.append(...races, ...lines, this.#now);
    this.element.addEventListener('pointerdown', (event) => {
      const { left, width } = this.element.getBoundingClientRect();
      const x = ((/** @type {PointerEvent} */ (event).clientX - left) / width) * WIDE;
      const after = game.contributions.findIndex((_, n) => this.#x(n) > x);
      go(after < 0 ? game.steps.length : Math.max(0, after - 1));
    });
  }

  /** @param {number} n @returns {number} */
  #x(n) {
    return (this.#game.seconds(n) / Math.max(this.#game.seconds(this.#game.steps.length), 1e-6)) * WIDE;
  }

  /** @param {number} n */
  show(n) {
    this.#now.setAttribute('x1', String(this.#x(n)));
    this.#now.setAttribute('x2', String(this.#x(n)));
  }
}
