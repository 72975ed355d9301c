/**
 * One table as a page: board, players, buttons, notices, and the result.
 *
 * @import {Client} from './client.js'
 * @import {News, Session} from './session.js'
 * @import {Played, Refused} from './wire.js'
 */

import { AceBoard } from './board.js';
import { Clocks } from './clocks.js';
import { h, keyIsTaken, setText } from './dom.js';
import { Hands } from './hands.js';
import { Keys } from './keys.js';
import { Players } from './players.js';
import { ResultPanel } from './result.js';
import { onSettings, settings } from './settings.js';
import { hex } from './sha256.js';
import { sound } from './sound.js';
import { announce } from './speech.js';
import { clock, milliseconds, t } from './texts.js';
import { Tools } from './tools.js';

/** @typedef {{toast: (text: string, kind?: string) => void, hush: () => void, go: (hash: string) => void}} PageHooks */

const SEED_BYTES = 16;
const START_MS = 5000;

export class TableView {
  element = h('div', { class: 'table' });
  board = new AceBoard();
  /** What we added to the deal, in hex. @type {string | null} */
  seed = null;
  #notice = h('div', { class: 'notice', role: 'status', 'aria-live': 'polite' });
  #log = h('div', { class: 'sr', role: 'log', 'aria-live': 'polite', 'aria-atomic': 'false' });
  #readied = false;
  /** Whether we had said that we see nothing more. */
  #wasDone = false;
  /** Until when it is said that the match has begun, and what counts in it. */
  #startUntil = 0;
  /** @type {(() => void)[]} */
  #stop = [];

  /** @param {Client} client @param {Session} session @param {PageHooks} hooks */
  constructor(client, session, hooks) {
    this.client = client;
    this.session = session;
    this.hooks = hooks;
    this.board.session = session;
    this.hands = new Hands(this.board, session, hooks.toast);
    this.keys = new Keys(this.board, session, this.hands);
    this.players = new Players(this);
    this.tools = new Tools(this);
    this.result = new ResultPanel(this);
    this.clocks = new Clocks(() => this.#tick());
    const stage = h('div', { class: 'stage' }, this.board, this.#notice, this.result.element);
    this.element.append(h('h1', { class: 'sr' }, 'Ace Race'), this.players.element, stage, this.tools.element, this.#log);
    this.#stop = [
      session.listen((news) => this.#hear(news)),
      client.listen(() => this.#draw()),
      onSettings(() => this.board.redraw()),
      () => this.clocks.stop(),
    ];
    this.board.addEventListener('drawn', () => this.keys.settle());
    this.board.addEventListener('pointerdown', () => {
      this.#startUntil = 0; // who plays has read it
      this.#drawNotice();
    });
    this.#draw();
    this.#agreeToDeal(); // the table may have been followed, unseen, before
    document.addEventListener('visibilitychange', this.#readyWhenSeen);
    document.addEventListener('keydown', this.#press);
  }

  /** @param {boolean} [again] whether the same table is about to be shown anew */
  close(again = false) {
    document.removeEventListener('visibilitychange', this.#readyWhenSeen);
    document.removeEventListener('keydown', this.#press);
    for (const stop of this.#stop) stop();
    if (!again) this.client.drop(this.session);
  }

  /** Keys play wherever the focus is: who has just come by a click has it nowhere. */
  #press = (/** @type {KeyboardEvent} */ event) => {
    if (keyIsTaken(event)) return;
    this.keys.hear(event);
    if (!event.defaultPrevented) this.tools.press(event);
  };

  #readyWhenSeen = () => this.#agreeToDeal();

  /** Both have to be there: who looks at another page is not ready. */
  #agreeToDeal() {
    const { mirror, seat } = this.session;
    if (mirror?.phase !== 'waiting' || seat === null || mirror.ready[seat] || this.#readied) return;
    if (document.visibilityState !== 'visible') return;
    this.#readied = true;
    const random = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
    this.seed = hex(random);
    this.session.command('ready', { seed: this.seed });
    sound('found');
  }

  /** A match has been opened: if it is the next one of our series, it waits. @param {string} table @returns {boolean} */
  waitWith(table) {
    const { mirror, series } = this.session;
    if (mirror?.phase !== 'over' || !series || series.over) return false;
    this.result.offer(table);
    return true;
  }

  /** @param {News} news */
  #hear(news) {
    const { mirror, seat, table } = this.session;
    if (news?.type === 'gone' && !mirror) {
      location.replace(`#replay=${table}`); // a link to a match that has been put away: what is kept of it is its replay
      return;
    }
    this.hands.afterEvent();
    if (news && mirror) {
      if (news.type === 'played') this.#played(news);
      if (news.type === 'refused') this.#refused(news);
      if (news.type === 'problem') this.hooks.toast(t(`fault.${news.code}`), 'bad');
      if (news.type === 'warned') this.hooks.toast(t('event.warned', { seconds: Math.round(news.ends_in_ms / 1000) }), 'bad');
      if (news.type === 'ended') this.#ended();
      if (news.type === 'dealt' && mirror.seats.length > 1 && seat !== null) this.#startUntil = performance.now() + START_MS;
      if (news.type === 'said_done') this.#saidDone(news.seat);
      if (news.type === 'said') this.#said(news.seat, news.emote);
      const words = 'seq' in news ? announce(/** @type {import('./wire.js').TableEvent} */ (news), mirror, seat) : null;
      if (words) this.say(words);
    }
    this.#wasDone = seat !== null && Boolean(mirror?.done[seat]);
    this.tools.afterEvent(news);
    this.#agreeToDeal();
    this.#draw();
  }

  #ended() {
    this.hooks.hush(); // what was said of the play would lie over the result
    sound('won');
  }

  /** What it means that the other player sees nothing more: we are to say so too, or to play. @param {number} by a seat */
  #saidDone(by) {
    const { mirror, seat } = this.session;
    if (!mirror || seat === null || by === seat || mirror.turn !== null || mirror.done.every(Boolean)) return;
    this.hooks.toast(t('ui.other_done', { name: mirror.players[by]?.name ?? '', button: t('ui.done') }));
  }

  /** What is waited for, as long as it is: we see nothing more, and the other plays on. */
  get #waitsFor() {
    const { mirror, seat } = this.session;
    const waits = mirror?.phase === 'playing' && mirror.turn === null && seat !== null && mirror.done[seat] && !mirror.done[1 - seat];
    return waits ? t('ui.done_about', { name: mirror.players[1 - seat]?.name ?? '' }) : null;
  }

  /** @param {number} seat @param {string} emote */
  #said(seat, emote) {
    const words = t(`emote.${emote}`);
    this.players.say(seat, words);
    this.say(`${this.session.mirror?.players[seat]?.name ?? ''}: ${words}`);
  }

  /** For screen readers. @param {string} words */
  say(words) {
    this.#log.append(h('p', {}, words));
    while (this.#log.children.length > 6) this.#log.firstChild?.remove();
  }

  /** @param {Played} event */
  #played(event) {
    const { mirror, seat } = this.session;
    const own = event.seat === seat;
    if (seat !== null && !own && this.#wasDone && !mirror?.done[seat]) this.hooks.toast(t('ui.done_undone', { button: t('ui.done') }));
    sound(!own ? 'other' : event.move.endsWith('>f') ? 'up' : event.move === 'd' || event.move === 'r' ? 'draw' : 'move');
    if (own || !mirror) return;
    const faces = new Set(event.cards ?? []);
    const moved = [...mirror.seat(event.seat).columns, mirror.seat(event.seat).waste, ...mirror.foundations.map(({ cards }) => cards)]
      .flatMap((cards) => cards.slice(-faces.size))
      .filter((card) => card.owner === event.seat && card.face && faces.has(card.face));
    requestAnimationFrame(() => this.board.glow(moved.map(({ id }) => id), 'moved'));
  }

  /** @param {Refused} refused */
  #refused(refused) {
    const { race, reason } = refused;
    if (race) {
      this.hooks.toast(t('lost_race', { margin_ms: milliseconds(race.margin_us) }), 'race');
      this.say(t('lost_race', { margin_ms: milliseconds(race.margin_us) }));
      const { mirror } = this.session;
      const winners = (mirror?.foundations ?? []).flatMap(({ suit, cards }) => {
        const card = cards[race.rank - 1];
        return suit === race.suit && card?.owner === race.winner ? card.id : [];
      });
      mirror?.races.push(race);
      this.board.glow(winners, 'raced');
      sound('race');
      return;
    }
    sound('refused');
    const cancelled = reason === 'game_over';
    if (settings.explain || cancelled) this.hooks.toast(t(`reason.${reason}`), 'bad');
  }

  #draw() {
    this.board.redraw();
    this.players.draw();
    this.tools.draw();
    this.result.draw();
    this.#drawNotice();
  }

  #drawNotice() {
    const { session, client } = this;
    const { mirror } = session;
    const lines = [];
    if (session.gone) lines.push(t('ui.table_gone'));
    else if (client.connection.status !== 'online') lines.push(t('ui.lost_about'));
    if (mirror?.phase === 'waiting') lines.push(t('ui.waiting_ready'));
    if (mirror?.phase === 'playing' && mirror.blocked) lines.push(t('event.blocked'));
    if (mirror?.phase === 'playing' && performance.now() < this.#startUntil) lines.push(t('ui.go'));
    if (this.#waitsFor) lines.push(this.#waitsFor);
    if (!mirror && session.delay && !session.gone) lines.push(t('ui.delay_about', { time: clock(session.delay) }));
    else if (!mirror && client.connection.status === 'online') lines.push(t('ui.opening'));
    setText(this.#notice, lines.join(' '));
    this.#notice.hidden = !lines.length;
  }

  #tick() {
    this.players.tick();
    this.tools.tick();
    this.result.tick();
    this.result.draw();
    this.#drawNotice();
  }
}
