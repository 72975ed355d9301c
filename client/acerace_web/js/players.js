/**
 * Who plays, and how it stands: names, presence, scores, counts, clocks.
 *
 * @import {Mirror} from './mirror.js'
 * @import {TableView} from './table.js'
 */

import { use } from './art.js';
import { h, setText } from './dom.js';
import { clock, gameName, scoreText, t } from './texts.js';

const BUBBLE_MS = 4000;

export class Players {
  element = h('div', { class: 'players' });
  #clock = h('span', { class: 'clock', role: 'timer', 'aria-live': 'off' });
  /** @type {HTMLElement[]} */
  #boxes = [];
  #extra = h('span', { class: 'extra' });
  #bubbles = h('div');
  #view;
  #table = '';

  /** @param {TableView} view */
  constructor(view) {
    this.#view = view;
  }

  draw() {
    const { mirror, seat } = this.#view.session;
    if (!mirror) return;
    const front = seat ?? 0;
    const order = mirror.players.length > 1 ? [front, 1 - front] : [0];
    if (this.#table !== mirror.table) {
      this.#table = mirror.table;
      this.#boxes = mirror.players.map((_, s) => h('div', { class: `player owner-${s}` }));
      const [first, second] = order.map((s) => /** @type {HTMLElement} */ (this.#boxes[s]));
      this.element.replaceChildren(...[first, h('div', { class: 'middle' }, this.#clock, this.#extra, this.#bubbles), second].flatMap((box) => box ?? []));
    }
    for (const s of order) this.#drawPlayer(s);
    this.#drawExtra();
    this.tick();
  }

  /** A bubble for some seconds. @param {number} s @param {string} words */
  say(s, words) {
    const right = s !== (this.#view.session.seat ?? 0);
    const bubble = h('div', { class: right ? 'bubble right' : 'bubble', 'aria-hidden': 'true' }, words);
    this.#bubbles.querySelectorAll(right ? '.right' : ':not(.right)').forEach((old) => old.remove());
    this.#bubbles.append(bubble);
    setTimeout(() => bubble.remove(), BUBBLE_MS);
  }

  /** @param {number} s */
  #drawPlayer(s) {
    const { mirror, seat } = this.#view.session;
    const box = this.#boxes[s];
    if (!mirror || !box) return;
    const me = mirror.seats[s];
    const duel = mirror.players.length > 1;
    const player = mirror.players[s];
    const up = mirror.foundations.reduce((sum, { cards }) => sum + cards.filter(({ owner }) => owner === s).length, 0);
    const score = duel ? String(up) : scoreText(me?.score ?? 0, mirror.options);
    const state = stateOf(mirror, s);
    const parts = duel
      ? [use(`mark-${s}`, `mark owner-${s}`), h('span', { class: 'name' }, player?.name ?? ''), player?.bot ? h('span', { class: 'tag' }, t('ui.bot')) : null]
      : [h('span', { class: 'name' }, gameName(mirror.game))];
    const key = JSON.stringify([score, state, me?.moves, player, mirror.turn]);
    if (box.dataset['state'] === key) return;
    box.dataset['state'] = key;
    box.classList.toggle('away', Boolean(mirror.away[s]));
    box.classList.toggle('turn', mirror.turn === s);
    box.classList.toggle('me', s === seat);
    box.replaceChildren(
      h('div', { class: 'who' }, ...parts),
      h('div', { class: 'numbers' }, h('b', { class: 'score', title: t('ui.score') }, score), h('span', { class: 'moves' }, t('ui.moves', { count: me?.moves ?? 0 })), state ? h('span', { class: 'state' }, state) : null),
    );
  }

  #drawExtra() {
    const { mirror } = this.#view.session;
    if (!mirror) return;
    const races = mirror.races.length ? t('ui.races', { count: mirror.races.length }) : '';
    const { series, seat } = this.#view.session;
    const wins = seat === 1 ? series?.wins.toReversed() : series?.wins; // as the names stand above
    const stands = series ? t('ui.series', { wins: wins?.join(' : ') ?? '', number: series.number, games: series.games }) : '';
    const watchers = mirror.watchers ? t('ui.watching', { count: mirror.watchers }) : '';
    const full = [stands, races, watchers].filter(Boolean).join(' · ');
    if (this.#extra.dataset['full'] === full) return; // the code is the same for the whole game
    this.#extra.dataset['full'] = full;
    const brief = [wins?.join(' : ') ?? '', races ? `⚑ ${mirror.races.length}` : ''].filter(Boolean).join(' · ');
    const seen = watchers ? [use('icon-watch', 'icon'), String(mirror.watchers)] : [];
    this.#extra.replaceChildren(
      mirror.code ?? '',
      h('span', { class: 'full' }, full),
      h('span', { class: 'brief', 'aria-hidden': 'true' }, brief, ...seen),
    );
  }

  /** Seconds of play so far, by the server's clock as far as we know it. */
  get seconds() {
    const { mirror } = this.#view.session;
    if (!mirror) return 0;
    if (mirror.ended) return mirror.ended.duration_ms / 1000;
    if (mirror.startedUs === null) return 0;
    return (mirror.atUs - mirror.startedUs) / 1e6 + (performance.now() - mirror.receivedAt) / 1000;
  }

  tick() {
    const { mirror, claimAt, warnedUntil } = this.#view.session;
    const limit = Number(mirror?.options['clock_s'] ?? 0);
    const left = (/** @type {number} */ until) => clock(Math.max(0, (until - performance.now()) / 1000));
    if (warnedUntil !== null) setText(this.#clock, t('ui.ends_in', { time: left(warnedUntil) }));
    else if (claimAt !== null) setText(this.#clock, t('ui.claim_in', { time: left(claimAt) }));
    else setText(this.#clock, clock(limit ? limit - this.seconds : this.seconds));
    this.#clock.classList.toggle('urgent', warnedUntil !== null || claimAt !== null);
  }
}

/** A word for how it stands with a player; empty if there is nothing to say. @param {Mirror} mirror @param {number} s */
export function stateOf(mirror, s) {
  if (mirror.away[s]) return t('ui.away');
  if (mirror.phase === 'over') return '';
  if (mirror.phase === 'waiting') return mirror.ready[s] ? t('ui.ready') : '';
  if (mirror.done[s]) return t('ui.said_done');
  return mirror.turn === s ? t('ui.turn') : '';
}
