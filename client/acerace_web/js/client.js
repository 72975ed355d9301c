/**
 * What this page knows of the server: the catalogue, who seeks, what is played, and the tables it follows.
 *
 * @import {GameInfo, Options, Problem, SeekInfo, ServerMessage, TableInfo} from './wire.js'
 */

import { Connection } from './connection.js';
import { Requests } from './requests.js';
import { Session } from './session.js';
import { settings } from './settings.js';
import { t } from './texts.js';

/** @typedef {'status' | 'lists' | 'rtt' | 'seek'} Change */

const LIST_EVERY_MS = 3000;
const SOLO_KEPT = 3;

export class Client {
  /** @type {GameInfo[]} */
  games = [];
  /** @type {SeekInfo[]} */
  seeks = [];
  /** @type {TableInfo[]} */
  tables = [];
  /** The table to watch if one does not know which. @type {string | null} */
  featured = null;
  /** Levels of house bots that are there, weakest first. @type {string[]} */
  levels = [];
  /** Our own open seek or invitation. @type {{seek: string, private: boolean} | null} */
  seeking = null;
  /** Live tables where we have a seat, from earlier. @type {string[]} */
  mine = [];
  player = '';
  name = '';
  /** @type {Map<string, Session>} */
  sessions = new Map();
  /** @type {Set<(change: Change) => void>} */
  #listeners = new Set();
  /** @type {(table: string) => void} */
  #seated;
  /** @type {(text: string) => void} */
  #complain;
  /** Sent once we are greeted. @type {import('./wire.js').ClientMessage[]} */
  #waiting = [];
  #listing = false;
  /** Whoever is welcomed next may be somebody else, with other tables. */
  #changing = false;
  /** How late one watches the next match of those one has watched late, by its table. @type {Map<string, number>} */
  #delays = new Map();
  /** An invitation or seek to put up again after a reconnect. @type {Record<string, unknown> | null} */
  #seekAgain = null;

  /** @param {{seated: (table: string) => void, complain: (text: string) => void}} hooks */
  constructor({ seated, complain }) {
    this.#seated = seated;
    this.#complain = complain;
    const url = new URL('ws', location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    url.hash = '';
    this.connection = new Connection(url.href, {
      status: (status) => {
        if (status === 'lost') this.requests.lost();
        this.#tell('status');
      },
      message: (message) => this.#receive(message),
      rtt: () => this.#tell('rtt'),
    });
    this.requests = new Requests(this.connection);
  }

  start() {
    this.connection.start();
    setInterval(() => this.#list(), LIST_EVERY_MS);
  }

  /** @param {(change: Change) => void} listener @returns {() => void} ends it */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether the lists of seeks and tables are looked at, and so kept fresh. @param {boolean} on */
  keepLists(on) {
    this.#listing = on;
    this.#list();
  }

  // --- what the person wants ------------------------------------------------------------------------------

  /**
   * Be greeted again, with another name. The server gives a player's name once and for all: so it is a new player, and
   * while there are seats to lose the name waits for the next visit.
   */
  rename() {
    if (this.mine.length) return;
    settings.token = null;
    this.connection.greetAgain();
  }

  /** Come in as the owner of a name. @param {string} name @param {string} password @returns {Promise<string | null>} what is wrong */
  login(name, password) {
    this.#changing = true;
    return this.connection.login(name, password);
  }

  /** Be a new guest: the token is forgotten here, and with it the way back but by the password. */
  logout() {
    settings.token = settings.account = settings.name = null;
    this.#changing = true;
    this.connection.greetAgain();
  }

  /** @param {string} game @param {Options} options @param {boolean} hidden only for who has the code @param {boolean} [rated] */
  seek(game, options, hidden, rated = false) {
    this.#seekAgain = { game, options, private: hidden, ...(rated ? { rated } : {}), nonce: this.connection.nextNonce() };
    this.#send({ type: 'seek', ...this.#seekAgain });
  }

  unseek() {
    this.#seekAgain = null;
    this.#send({ type: 'unseek' });
  }

  /** Play a bot of the house. @param {string} level @param {Options} options */
  challenge(level, options) {
    this.#send({ type: 'challenge', level, options });
  }

  /** @param {string} seek an id, or the code of an invitation */
  accept(seek) {
    this.#send({ type: 'accept', seek });
  }

  /** @param {Record<string, unknown>} what game and options, or a code, or daily */
  solo(what) {
    this.#tidy();
    this.#send({ type: 'solo', ...what });
  }

  /** Follow a table; the same session again if it is followed already. @param {string} table */
  follow(table) {
    const known = this.sessions.get(table);
    if (known) return known;
    const session = new Session(this.connection, table);
    session.delay = this.#delays.get(table) ?? 0;
    this.sessions.set(table, session);
    if (this.connection.status === 'online') session.follow();
    return session;
  }

  /** The page shows this table no more. Where there is a seat to keep it is still followed: to leave is to be away. @param {Session} session */
  drop(session) {
    if (session.seat !== null && session.mirror?.phase !== 'over' && !session.gone) return;
    this.#leave(session);
  }

  /** @param {Session} session */
  #leave(session) {
    if (session.next && session.delay) this.#delays.set(session.next, session.delay);
    if (!session.gone) session.leave();
    this.sessions.delete(session.table);
    this.mine = this.mine.filter((table) => table !== session.table);
  }

  /** Put the oldest unfinished solo games away before there are too many. */
  #tidy() {
    const solo = [...this.sessions.values()].filter(({ seat, mirror }) => seat !== null && mirror?.players.length === 1);
    for (const session of solo.slice(0, -SOLO_KEPT)) this.#leave(session);
  }

  // --- what the server says -------------------------------------------------------------------------------

  /** @param {import('./wire.js').ClientMessage} message */
  #send(message) {
    if (!this.connection.send(message)) this.#waiting.push(message);
  }

  #list() {
    if (!this.#listing || document.visibilityState === 'hidden') return;
    this.connection.send({ type: 'list_seeks' });
    this.connection.send({ type: 'list_tables' });
    if (!this.levels.length) this.connection.send({ type: 'list_levels' });
  }

  /** @param {ServerMessage} message */
  #receive(message) {
    if (this.requests.hear(message)) return;
    switch (message.type) {
      case 'welcome':
        this.#welcomed(message);
        break;
      case 'games':
        this.games = message.games;
        this.#tell('lists');
        break;
      case 'seeks':
        this.seeks = message.seeks;
        this.#tell('lists');
        break;
      case 'tables':
        this.tables = message.tables;
        this.featured = message.featured ?? null;
        this.#tell('lists');
        break;
      case 'levels':
        this.levels = message.levels;
        this.#tell('lists');
        break;
      case 'seeking':
        this.seeking = { seek: message.seek, private: message.private ?? false };
        this.#tell('seek');
        break;
      case 'unsought':
        this.seeking = null;
        this.#tell('seek');
        break;
      case 'seated':
        this.#seat(message.table);
        break;
      case 'closing':
        if (message.table) this.sessions.get(message.table)?.end(t('ui.table_closed'));
        break;
      case 'problem':
        this.#problem(message);
        break;
      default:
        this.#pass(message);
    }
  }

  /** @param {import('./wire.js').Welcome} welcome */
  #welcomed(welcome) {
    if (this.#changing && this.player !== welcome.player) this.sessions.clear();
    this.#changing = false;
    this.player = welcome.player;
    this.name = welcome.name;
    this.mine = welcome.tables ?? [];
    this.connection.send({ type: 'list_games' });
    this.connection.send({ type: 'list_levels' });
    for (const session of this.sessions.values()) session.follow();
    const waiting = this.#waiting;
    this.#waiting = [];
    if (this.seeking && this.#seekAgain) waiting.push({ type: 'seek', ...this.#seekAgain });
    this.seeking = null;
    for (const message of waiting) this.connection.send(message);
    this.requests.resume();
    this.#list();
    this.#tell('lists');
  }

  /** @param {string} table */
  #seat(table) {
    this.seeking = null;
    this.#seekAgain = null;
    this.mine = [...new Set([...this.mine, table])];
    if (!this.sessions.has(table)) this.sessions.set(table, new Session(this.connection, table));
    this.#tell('seek');
    this.#seated(table);
  }

  /** @param {Problem} problem */
  #problem(problem) {
    // the connection greets again by itself; an older server knows less than this page asks for
    if (problem.code === 'unknown_token' || problem.code === 'unknown_type') return;
    for (const session of this.sessions.values()) if (session.problem(problem)) return;
    const text = t(`fault.${problem.code}`);
    if (problem.code === 'token_revoked') settings.token = settings.account = null;
    const session = problem.table ? this.sessions.get(problem.table) : undefined;
    if (session && (problem.code === 'no_such_table' || problem.code === 'not_seated')) session.end(text);
    else this.#complain(text);
  }

  /** @param {ServerMessage} message */
  #pass(message) {
    const table = 'table' in message && typeof message.table === 'string' ? message.table : null;
    const session = table === null ? undefined : this.sessions.get(table);
    // A later version of the server may say things this page does not know; a session ignores those.
    if (session) session.receive(/** @type {import('./wire.js').TableMessage} */ (message), this.player);
  }

  /** @param {Change} change */
  #tell(change) {
    for (const listener of [...this.#listeners]) listener(change);
  }
}
