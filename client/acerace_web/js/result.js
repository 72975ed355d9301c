/**
 * What stands at the end: who won and how, each side's cards, the races, and whether the deal was fair.
 *
 * @import {TableView} from './table.js'
 * @import {Ended} from './wire.js'
 */

import { use } from './art.js';
import { faceOf } from './cards.js';
import { dayOf } from './deal.js';
import { h, setText } from './dom.js';
import { optionsPath } from './options.js';
import { resultText } from './speech.js';
import { cardName, clock, milliseconds, scoreText, t } from './texts.js';
import { verifyMatch } from './verify.js';

/** How long the next match of a series waits for who reads the result; the server deals it after ten seconds. */
const READ_MS = 7000;

export class ResultPanel {
  element = h('section', { class: 'result', hidden: true, tabindex: '-1', 'aria-labelledby': 'result-title' });
  #view;
  #shown = false;
  #company = h('div', { class: 'company', 'aria-live': 'polite' });
  /** The next match of the series. @type {{table: string, at: number} | null} */
  #next = null;
  #countdown = h('span', { 'aria-hidden': 'true' });

  /** @param {TableView} view */
  constructor(view) {
    this.#view = view;
  }

  draw() {
    const ended = this.#view.session.mirror?.ended;
    if (ended) {
      this.#leadOn();
      this.#drawCompany();
    }
    if (!ended || this.#shown) return;
    this.#shown = true;
    const mirror = /** @type {import('./mirror.js').Mirror} */ (this.#view.session.mirror);
    const close = h('button', { type: 'button', class: 'plain close', 'aria-label': t('ui.close'), click: () => (this.element.hidden = true) }, use('icon-close', 'icon'));
    const duel = mirror.players.length > 1;
    const ours = ended.winner !== null && ended.winner === this.#view.session.seat;
    this.element.classList.toggle('ours', ours);
    this.element.replaceChildren(
      ...(ours ? [confetti(), use('icon-records', 'icon cup')] : []),
      close,
      h('h2', { id: 'result-title' }, ours && duel ? t('ui.you_win') : resultText(mirror)),
      duel || ended.reason !== 'resigned' ? h('p', {}, reasonText(mirror)) : '', // its title says it all
      duel ? this.#sides(ended) : this.#solo(ended),
      decidedByLast(ended) ? h('p', { class: 'small' }, t('ui.equal_scores')) : '',
      this.#company,
      ...(duel ? this.#match(ended) : []),
    );
    this.element.hidden = false;
    this.element.focus({ preventScroll: true });
  }

  /** Who watches is led to the next match of a series as its players are. */
  #leadOn() {
    const { seat, series, next } = this.#view.session;
    if (seat === null && next && series && !series.over && !this.#next) this.offer(next);
  }

  /** The next match of the series is there. @param {string} table */
  offer(table) {
    this.#next = { table, at: performance.now() + READ_MS };
    this.draw();
    this.tick();
  }

  tick() {
    if (!this.#next) return;
    const { table, at } = this.#next;
    const left = Math.ceil((at - performance.now()) / 1000);
    setText(this.#countdown, `(${left})`);
    if (left <= 0) this.#view.hooks.go(`table=${table}`);
  }

  /** What comes after the end: ratings, the series, whether there is another match, and where to go. */
  #drawCompany() {
    const { session } = this.#view;
    const { mirror, seat, rematch, series, rated, next } = session;
    if (!mirror) return;
    const late = performance.now() >= session.rematchUntil;
    const state = JSON.stringify([[...rematch], series, rated, late, next, this.#next]);
    if (this.#company.dataset['state'] === state) return;
    this.#company.dataset['state'] = state;
    const names = mirror.players.map(({ name }) => name);
    const lines = (rated?.seats ?? []).map(({ seat: s, before, after }) =>
      t('ui.rated', { name: names[s] ?? '', before, after: after.rating }));
    if (series) lines.push(t('ui.series', { wins: series.wins.join(' : '), number: series.number, games: series.games }));
    const follows = series !== null && !series.over; // the next match comes by itself
    const wanted = mirror.players.length > 1 && seat !== null && !follows;
    const asked = seat !== null && rematch.has(seat);
    const other = [...rematch].find((one) => one !== seat);
    if (this.#rematch) lines.push(t('ui.rematch_begun'));
    if (wanted && late) lines.push(t('ui.rematch_late'));
    else if (asked) lines.push(t('ui.rematch_asked'));
    else if (typeof other === 'number') lines.push(t('ui.rematch_offered', { name: names[other] ?? '' }));
    this.#company.replaceChildren(...lines.map((line) => h('p', {}, line)), this.#buttons(wanted && !late, asked));
  }

  /** Where who watches sees the rematch: it is his to follow, or not. */
  get #rematch() {
    const { seat, next } = this.#view.session;
    return seat === null && !this.#next ? next : null;
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
        h('small', {}, [
          ended.scores[s] === ended.contributions[s] ? '' : t('ui.side_cards', { cards: ended.contributions[s] ?? 0 }),
          t('ui.moves', { count: ended.moves[s] ?? 0 }),
          ended.refusals[s] ? t('ui.side_refusals', { count: ended.refusals[s] ?? 0 }) : '',
        ].filter(Boolean).join(' · ')));
    }));
  }

  /** @param {Ended} ended */
  #match(ended) {
    const { session } = this.#view;
    const names = session.mirror?.players.map(({ name }) => name) ?? [];
    const races = (ended.races ?? []).map((race) =>
      h('li', {}, t('ui.race_line', {
        card: cardName(faceOf(race.rank, race.suit)),
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

  /**
   * @param {boolean} rematch whether the other may still be asked for another match
   * @param {boolean} asked whether that was done: nothing else moves to where the finger is
   */
  #buttons(rematch, asked) {
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
    const next = this.#next;
    const seated = session.seat !== null && !next;
    return h('div', { class: 'buttons' },
      next && h('a', { class: 'button primary', href: `#table=${next.table}` }, t('ui.next_match'), this.#countdown),
      rematch && h('button', { type: 'button', class: 'primary', disabled: asked, click: () => session.wantRematch() }, t('ui.rematch')),
      seated && h('button', { type: 'button', class: rematch ? '' : 'primary', click: again }, t(alone ? 'ui.new' : 'ui.quick_game')),
      seated && alone && h('button', { type: 'button', click: () => client.solo({ code: mirror.code }) }, t('ui.same')),
      this.#rematch && h('a', { class: 'button primary', href: `#table=${this.#rematch}` }, t('ui.watch')),
      session.seat === null && h('a', { class: this.#rematch || next ? 'button' : 'button primary', href: '#watch' }, t('ui.live')), // what is left to watch
      alone && dayLink(mirror),
      h('a', { class: 'button', href: `#replay=${session.table}` }, t('ui.replay')),
      h('button', { type: 'button', click: () => hooks.go('') }, t('ui.home')));
  }
}

/** Why it ended; of one of two, who it was. @param {import('./mirror.js').Mirror} mirror whose game is over */
function reasonText({ ended, players }) {
  const reason = ended?.reason;
  const loser = ended?.winner === 0 ? 1 : 0;
  if (ended?.winner === null || (reason !== 'resigned' && reason !== 'absent')) return t(`end.${reason}`);
  return t(`ui.end_${reason}`, { name: players[loser]?.name ?? '' });
}

/** Whether both had as many, and somebody won all the same. @param {Ended} ended of a match */
function decidedByLast({ reason, scores, winner }) {
  return winner !== null && scores.length > 1 && scores[0] === scores[1] && reason !== 'resigned' && reason !== 'absent';
}

/** To the table of the day whose deal it was. @param {import('./mirror.js').Mirror} mirror of a solo game */
function dayLink({ game, code, options }) {
  const day = code && dayOf(game, code, Date.now());
  return day && h('a', { class: 'button', href: `#records=day:${day}:${game}:${optionsPath(options)}` }, t('ui.day_table'));
}

/** For who has won: suits that rain for a moment. */
function confetti() {
  const bits = Array.from({ length: 24 }, (_, i) => {
    const suit = 'shdc'[i % 4] ?? 's';
    const bit = use(`suit-${suit}`, `bit suit-${suit}`);
    bit.style.setProperty('--at', String((i * 37) % 100)); // anywhere, but the same for all
    bit.style.setProperty('--after', String((i * 13) % 10));
    return bit;
  });
  return h('div', { class: 'confetti', 'aria-hidden': 'true' }, bits);
}

/** @param {[string, string][]} rows */
function facts(rows) {
  return h('dl', {}, rows.filter(([, value]) => value).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
}
