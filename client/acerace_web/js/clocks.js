/** One timer for all that counts seconds on a page. */

const EVERY_MS = 250;

export class Clocks {
  #timer;

  /** @param {() => void} tick */
  constructor(tick) {
    this.#timer = setInterval(tick, EVERY_MS);
  }

  stop() {
    clearInterval(this.#timer);
  }
}
