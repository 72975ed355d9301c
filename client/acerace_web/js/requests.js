/**
 * Questions whose answers carry our nonce. They are asked one after the other: of those to its archive the server
 * takes only one at a time.
 *
 * @import {Connection} from './connection.js'
 * @import {Answers, ServerMessage} from './wire.js'
 */

import { t } from './texts.js';

/** Why there is no answer; the message is for people. */
export class Fault extends Error {
  /** @param {string} code of the server's problem, or `lost` */
  constructor(code) {
    super(t(code === 'lost' ? 'ui.request_lost' : `fault.${code}`));
    this.code = code;
  }
}

/** @typedef {{message: import('./wire.js').ClientMessage, nonce: number, resolve: (answer: any) => void, reject: (why: Fault) => void}} Request */

export class Requests {
  #connection;
  /** The first has been asked. @type {Request[]} */
  #queue = [];
  #asked = false;

  /** @param {Connection} connection */
  constructor(connection) {
    this.#connection = connection;
  }

  /**
   * Rejects with a {@link Fault}.
   * @template {keyof Answers} K
   * @param {K} type
   * @param {Record<string, unknown>} [fields]
   * @returns {Promise<Answers[K]>}
   */
  ask(type, fields = {}) {
    return new Promise((resolve, reject) => {
      const nonce = this.#connection.nextNonce();
      this.#queue.push({ message: { type, nonce, ...fields }, nonce, resolve, reject });
      this.#next();
    });
  }

  #next() {
    const [first] = this.#queue;
    if (first && !this.#asked) this.#asked = this.#connection.send(first.message);
  }

  /** @param {ServerMessage} message @returns {boolean} whether it is an answer to what was asked here */
  hear(message) {
    const [first] = this.#queue;
    if (!first || !this.#asked || !('nonce' in message) || message.nonce !== first.nonce) return false;
    this.#queue.shift();
    this.#asked = false;
    if (message.type === 'problem') first.reject(new Fault(message.code));
    else first.resolve(message);
    this.#next();
    return true;
  }

  /** The connection is gone: what only asks is asked again on the next one, what changes something is not. */
  lost() {
    const [first] = this.#queue;
    if (first && this.#asked && !/^(get|list)_/.test(first.message.type)) {
      this.#queue.shift();
      first.reject(new Fault('lost'));
    }
    this.#asked = false;
  }

  /** We are greeted. */
  resume() {
    this.#next();
  }
}
