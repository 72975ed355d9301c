/**
 * What stands at the end: who won and how, each side's cards, the races, and whether the deal was fair.
 *
 * @import {TableView} from './table.js'
 * @import {Ended} from './wire.js'
 */

import { h, setText, use } from './dom.js';
import { milliseconds } from './table.js';
import { resultText } from './speech.js';
import { cardName, clock, scoreText, t } from './texts.js';
import { verifyMatch } from './verify.js';

const RANKS = 'A23456789TJQK';

export class ResultPanel {
  element = h('section', { class: 'result', hidden: true, tabindex: '-1', 'aria-labelledby': 'result-title' });
  #view;
  #shown = false;
  #company = h('div', { class: 'company', 'aria-live': 'polite' });

  /** @param {TableView} view */
  constructor(view) {
    this.#view = view;
  }

  draw() {
    const ended = this.#view.session.mirror?.ended;
    if (ended) this.#drawCompany();
    if (!ended || this.#shown) return;
    this.#shown = true;
    const mirror = /** @type {import('./mirror.js').Mirror} */ (this.#view.session.mirror);
    const close = h('button', { type: 'button', class: 'plain close', 'aria-label': t('ui.close'), click: () => (this.element.hidden = true) }, use('icon-close', 'icon'));
    this.element.replaceChildren(
      close,
      h('h2', { id: 'result-title' }, resultText(mirror)),
      mirror.players.length > 1 || ended.reason !== 'resigned' ? h('p', {}, t(`end.${ended.reason}`)) : '', // its title says it all
      mirror.players.length > 1 ? this.#sides(ended) : this.#solo(ended),
      ...(mirror.players.length > 1 ? this.#match(ended) : []),
      this.#company,
      this.#buttons(),
    );
    this.element.hidden = false;
    this.element.focus({ preventScroll: true });
  }

  /** What comes after the end: ratings, the series, and whether there is another match. */
  #drawCompany() {
    const { session } = this.#view;
    const { mirror, seat, rematch, series, rated } = session;
    if (!mirror || mirror.players.length === 1) return;
    const state = JSON.stringify([[...rematch], series, rated]);
    if (this.#company.dataset['state'] === state) return;
    this.#company.dataset['state'] = state;
    const names = mirror.players.map(({ name }) => name);
    const lines = (rated?.seats ?? []).map(({ seat: s, before, after }) =>
      t('ui.rated', { name: names[s] ?? '', before, after: after.rating }));
    if (series) lines.push(t('ui.series', { wins: series.wins.join(' : '), number: series.number, games: series.games }));
    const asked = seat !== null && rematch.has(seat);
    const other = [...rematch].find((one) => one !== seat);
    if (asked) lines.push(t('ui.rematch_asked'));
    else if (typeof other === 'number') lines.push(t('ui.rematch_offered', { name: names[other] ?? '' }));
    const follows = series !== null && !series.over; // the next match comes by itself
    const again = h('button', { type: 'button', class: 'primary', click: () => session.wantRematch() }, t('ui.rematch'));
    this.#company.replaceChildren(...lines.map((line) => h('p', {}, line)), ...(seat === null || asked || follows ? [] : [again]));
  }

  /** @param {Ended} ended */
  #solo(ended) {
    const { options = {} } = this.#view.session.mirror ?? {};
    return facts([
      [t('ui.score'), scoreText(ended.scores[0] ?? 0, options)],
      [t('ui.time'), clock(ended.duration_ms / 1000)],
      [t('ui.moves_made'), String(ended.moves[0] ?? 0)],
      [t('ui.code'), this.#view.session.mirror?.code ?? ''],
    ]);
  }

  /** @param {Ended} ended */
  #sides(ended) {
    const players = this.#view.session.mirror?.players ?? [];
    const total = Math.max(1, ...ended.contributions);
    return h('div', { class: 'sides' }, players.map((player, s) => {
      const bar = h('i', { class: `bar owner-${s}` });
      bar.style.setProperty('--part', String((ended.contributions[s] ?? 0) / total));
      return h('div', { class: ended.winner === s ? 'side winner' : 'side' },
        h('div', { class: 'who' }, use(`mark-${s}`, `mark owner-${s}`), h('span', { class: 'name' }, player.name)),
        h('b', {}, String(ended.scores[s] ?? 0)), bar,
        h('small', {}, t('ui.side_facts', { cards: ended.contributions[s] ?? 0, moves: ended.moves[s] ?? 0, refusals: ended.refusals[s] ?? 0 })));
    }));
  }

  /** @param {Ended} ended */
  #match(ended) {
    const { session } = this.#view;
    const names = session.mirror?.players.map(({ name }) => name) ?? [];
    const races = (ended.races ?? []).map((race) =>
      h('li', {}, t('ui.race_line', {
        card: cardName(`${RANKS[race.rank - 1]}${race.suit}`),
        name: names[race.winner] ?? '',
        ms: milliseconds(race.margin_us),
      })));
    const fair = h('p', { class: 'fair' });
    if (session.mirror) {
      const verdict = verifyMatch(session.mirror, session.seat === null ? null : this.#view.seed);
      fair.dataset['verdict'] = verdict;
      setText(fair, t(`ui.deal_${verdict}`));
    }
    const list = races.length ? h('details', {}, h('summary', {}, t('ui.races', { count: races.length })), h('ul', { class: 'races' }, races)) : null;
    return [h('p', { class: 'small' }, t('ui.lasted', { time: clock(ended.duration_ms / 1000) })), ...(list ? [list] : []), fair];
  }

  #buttons() {
    const { session, client, hooks } = this.#view;
    const { mirror } = session;
    const again = () => {
      if (mirror?.players.length === 1) client.solo({ game: mirror.game, options: mirror.options });
      else {
        client.seek(mirror?.game ?? 'double-klondike', mirror?.options ?? {}, false);
        hooks.go('');
      }
    };
    const alone = mirror?.players.length === 1;
    const seated = session.seat !== null;
    return h('div', { class: 'buttons' },
      seated && h('button', { type: 'button', class: alone ? 'primary' : '', click: again }, t(alone ? 'ui.new' : 'ui.quick_game')),
      seated && alone && h('button', { type: 'button', click: () => client.solo({ code: mirror.code }) }, t('ui.same')),
      h('a', { class: 'button', href: `#replay=${session.table}` }, t('ui.replay')),
      h('button', { type: 'button', click: () => hooks.go('') }, t('ui.home')));
  }
}

/** @param {[string, string][]} rows */
function facts(rows) {
  return h('dl', {}, rows.filter(([, value]) => value).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
}
