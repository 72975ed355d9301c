/**
 * One socket to the server that comes back by itself: greets with the token, measures the way there and back, notices
 * silence, and looks again when the page was hidden, frozen or came out of the back-forward cache.
 *
 * @import {ClientMessage, ServerMessage, Welcome} from './wire.js'
 */

import { settings } from './settings.js';

/** @typedef {'connecting' | 'online' | 'lost'} Status */

const SUBPROTOCOL = 'acerace.1.json';
const AGENT = 'acerace-web/1';
const PING_EVERY_MS = 4000;
const PONG_WITHIN_MS = 6000;
const PONG_WITHIN_AFTER_SLEEP_MS = 2000;
const OPEN_WITHIN_MS = 8000;
const RETRY_FIRST_MS = 250;
const RETRY_MOST_MS = 8000;
/** After which close codes the next attempt waits (PROTOCOL.md 16): a flood, and what would only happen again. */
const WAIT_MS = new Map([[4006, 60_000], [4002, 60_000], [1002, 60_000], [1007, 60_000], [1009, 60_000]]);
/** Why a greeting may be refused now and accepted in a moment (PROTOCOL.md 2). */
const PASSES = new Set(['too_many', 'too_fast', 'store_failed', 'server_closing']);
const RTT_WEIGHT = 0.3;

export class Connection {
  /** @type {Status} */
  status = 'connecting';
  /** @type {Welcome | null} */
  welcome = null;
  /** Milliseconds there and back, smoothed; null: not measured yet. @type {number | null} */
  rtt = null;
  #nonce = firstNonce();
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<number, number>} pings that wait, with the time they were sent */
  #pings = new Map();
  #retryMs = RETRY_FIRST_MS;
  /** @type {number | undefined} */
  #retry;
  /** @type {number | undefined} */
  #alarm;
  /**
   * A name and its password on their way, kept for no longer; answered with the server's problem, or null.
   * @type {{name: string, password: string, answer: (fault: string | null) => void} | null}
   */
  #login = null;

  /**
   * @param {string} url
   * @param {{status: (status: Status) => void, message: (message: ServerMessage) => void, rtt: () => void}} hooks
   */
  constructor(url, hooks) {
    this.#url = url;
    this.#hooks = hooks;
  }

  #url;
  #hooks;

  start() {
    this.#open();
    setInterval(() => this.#ping(PONG_WITHIN_MS), PING_EVERY_MS);
    const look = () => document.visibilityState === 'visible' && this.check();
    document.addEventListener('visibilitychange', look);
    document.addEventListener('resume', look);
    addEventListener('online', look);
    addEventListener('pageshow', look);
    // An open socket keeps a page out of the back-forward cache; it comes back with pageshow.
    addEventListener('pagehide', () => this.#drop());
  }

  /** A number for a command that this player has not used before. */
  nextNonce() {
    this.#nonce += 1;
    return this.#nonce;
  }

  /** @param {ClientMessage} message @returns {boolean} whether it was sent */
  send(message) {
    if (this.status !== 'online' || this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Connect anew, as after a loss: a greeting is said once a connection. */
  greetAgain() {
    this.#drop();
    this.#again(0);
  }

  /**
   * Come in anew as the owner of a name. If that fails we come in as who we were.
   * @param {string} name
   * @param {string} password
   * @returns {Promise<string | null>} the code of the server's problem, or `lost`; null: we are in
   */
  login(name, password) {
    this.greetAgain();
    return new Promise((answer) => (this.#login = { name, password, answer }));
  }

  /** @param {string | null} fault @returns {boolean} whether somebody was logging in */
  #answerLogin(fault) {
    const login = this.#login;
    this.#login = null;
    login?.answer(fault);
    return login !== null;
  }

  /** Find out now whether the connection still lives, and mend it if not. */
  check() {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#ping(PONG_WITHIN_AFTER_SLEEP_MS);
    else if (this.#socket?.readyState !== WebSocket.CONNECTING) this.#again(0);
  }

  #open() {
    const socket = new WebSocket(this.#url, [SUBPROTOCOL]);
    this.#socket = socket;
    this.#watchFor(OPEN_WITHIN_MS);
    socket.onopen = () => this.#greet(settings.token);
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#receive(/** @type {ServerMessage} */ (JSON.parse(data)));
    };
    socket.onclose = ({ code }) => {
      if (socket === this.#socket) this.#lost(WAIT_MS.get(code) ?? 0);
    };
  }

  /** @param {string | null} token */
  #greet(token) {
    if (this.#login) {
      const { name, password } = this.#login;
      this.#socket?.send(JSON.stringify({ type: 'login', name, password }));
      return;
    }
    const name = settings.name ? { name: settings.name } : {};
    this.#socket?.send(JSON.stringify({ type: 'hello', agent: AGENT, ...name, ...(token ? { token } : {}) }));
  }

  /** @param {ServerMessage} message */
  #receive(message) {
    if (message.type === 'welcome') {
      this.#welcomed(message);
    } else if (message.type === 'pong') {
      this.#measured(message.nonce);
      return;
    } else if (message.type === 'problem' && this.status !== 'online' && this.#answerLogin(message.code)) {
      this.#greet(settings.token);
      return;
    } else if (message.type === 'problem' && message.code === 'unknown_token' && this.status !== 'online') {
      settings.token = null;
      settings.account = null;
      this.#greet(null);
    } else if (message.type === 'problem' && PASSES.has(message.code) && this.status !== 'online') {
      this.#drop();
      this.#lost(0);
    }
    this.#hooks.message(message);
  }

  /** @param {Welcome} welcome */
  #welcomed(welcome) {
    clearTimeout(this.#alarm);
    this.welcome = welcome;
    settings.token = welcome.token;
    if (this.#answerLogin(null)) settings.account = settings.name = welcome.name;
    this.#retryMs = RETRY_FIRST_MS;
    this.#become('online');
    this.#ping(PONG_WITHIN_MS);
  }

  /** @param {number} withinMs */
  #ping(withinMs) {
    if (this.status !== 'online' || (this.#pings.size && withinMs === PONG_WITHIN_MS)) return;
    const nonce = this.nextNonce();
    this.#pings.set(nonce, performance.now());
    if (this.send({ type: 'ping', nonce })) this.#watchFor(withinMs);
  }

  /** @param {number} nonce */
  #measured(nonce) {
    const sent = this.#pings.get(nonce);
    this.#pings.clear();
    clearTimeout(this.#alarm);
    if (sent === undefined) return;
    const took = performance.now() - sent;
    this.rtt = this.rtt === null ? took : this.rtt + RTT_WEIGHT * (took - this.rtt);
    this.#hooks.rtt();
  }

  /** @param {number} ms until this socket is given up if nothing is heard */
  #watchFor(ms) {
    clearTimeout(this.#alarm);
    this.#alarm = setTimeout(() => {
      this.#drop();
      this.#again(0);
    }, ms);
  }

  /** Let go of the socket without waiting for its close: on a dead network that takes minutes. */
  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#forget();
  }

  /** @param {number} leastMs until another attempt */
  #lost(leastMs) {
    this.#socket = null;
    this.#forget();
    this.#again(Math.max(leastMs, this.#retryMs * (0.75 + Math.random() / 2)));
    this.#retryMs = Math.min(this.#retryMs * 1.7, RETRY_MOST_MS);
  }

  #forget() {
    clearTimeout(this.#alarm);
    this.#pings.clear();
    this.rtt = null;
    this.#answerLogin('lost');
    this.#become('lost');
  }

  /** @param {number} ms */
  #again(ms) {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      if (!this.#socket) this.#open();
    }, ms);
  }

  /** @param {Status} status */
  #become(status) {
    if (status === this.status) return;
    this.status = status;
    this.#hooks.status(status);
  }
}

/** Connections of one player share their nonces, so each begins at a place of its own. */
function firstNonce() {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high % 2 ** 19) * 2 ** 32 + low;
}
