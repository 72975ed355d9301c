/**
 * What the archive knows: a player's results, one's statistics, the table of a day's deal, and the rankings.
 *
 * @import {Client} from './client.js'
 * @import {DayResult, GameInfo, Options, Result, ResultSeat, SoloRecord} from './wire.js'
 */

import { h } from './dom.js';
import { button, optionsText } from './home.js';
import { OptionsForm, labelled } from './options.js';
import { Fault } from './requests.js';
import { clock, gameName, hasText, locale, scoreText, t } from './texts.js';

const TABS = ['results', 'statistics', 'day', 'ranking'];
const POOLS = ['people-simultaneous', 'people-alternating', 'bots-simultaneous', 'bots-alternating'];
const PLAYER = 'player:';

export class RecordsView {
  element = h('div', { class: 'page' });
  #client;
  #content = h('section', { class: 'panel records', 'aria-live': 'polite' });
  #stop = () => {};
  /** Of the newest question: an answer to an older one is not shown any more. */
  #asked = 0;

  /** @param {Client} client @param {string} what a tab, `day:DATE:GAME:OPTIONS`, or `player:ID` for somebody's results */
  constructor(client, what) {
    this.#client = client;
    const [name = ''] = what.split(':', 1);
    const tab = TABS.includes(name) ? name : 'results';
    const tabs = TABS.map((one) => h('a', { class: 'button', href: `#records=${one}`, 'aria-current': one === tab && !what.startsWith(PLAYER) ? 'page' : null }, t(`ui.${one}`)));
    this.element.append(h('h1', {}, t('ui.records')), h('nav', { class: 'buttons', 'aria-label': t('ui.records') }, tabs), this.#content);
    if (this.#ready) this.#open(tab, what);
    else {
      this.#stop = client.listen(() => {
        if (!this.#ready) return;
        this.#stop();
        this.#open(tab, what);
      });
    }
  }

  get #ready() {
    return this.#client.games.length > 0;
  }

  close() {
    this.#stop();
    this.#asked = -1;
  }

  /** @param {string} tab @param {string} what */
  #open(tab, what) {
    if (tab === 'statistics') void this.#statistics();
    else if (tab === 'day') this.#day(what);
    else if (tab === 'ranking') this.#ranking();
    else void this.#results(what.startsWith(PLAYER) ? what.slice(PLAYER.length) : null);
  }

  /**
   * Ask, and hand the answer on if nothing else has been asked since.
   * @template T
   * @param {HTMLElement} box says what goes wrong
   * @param {() => Promise<T>} ask
   * @param {(answer: T) => void} show
   */
  async #fill(box, ask, show) {
    const number = (this.#asked += 1);
    try {
      const answer = await ask();
      if (number === this.#asked) show(answer);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (number === this.#asked) box.replaceChildren(h('p', { class: 'bad', role: 'alert' }, error.message));
    }
  }

  // --- results ----------------------------------------------------------------------------------------------

  /** @param {string | null} player @param {number} [before] @returns {Promise<void>} */
  async #results(player, before) {
    const page = { ...(player ? { player } : {}), ...(before ? { before } : {}) };
    await this.#fill(this.#content, () => this.#client.requests.ask('get_results', page), ({ results, ratings, player: whose }) => {
      const name = results.flatMap(({ seats }) => seats).find((seat) => seat.player === whose)?.name;
      const rows = results.map((result) => this.#result(result, whose));
      const list = this.#content.querySelector('.rows') ?? h('ul', { class: 'rows' });
      this.#content.querySelector('.more')?.remove();
      if (!before) {
        this.#content.replaceChildren(
          h('h2', {}, player ? (name ?? t('ui.results')) : t('ui.results')),
          ...(ratings.length ? [h('p', { class: 'small' }, ratings.map(({ pool, rating, deviation }) => `${t(`pool.${pool}`)}: ${rating} ± ${2 * deviation}`).join(' · '))] : []),
          list,
        );
      }
      list.append(...(rows.length || before ? rows : [h('li', { class: 'none' }, t('ui.no_results'))]));
      const last = results.at(-1);
      if (last && results.length >= (this.#client.connection.welcome?.limits['results_per_page'] ?? 50)) {
        const more = button(t('ui.more'), 'more', () => void this.#results(player, last.number));
        this.#content.append(more);
      }
    });
  }

  /** @param {Result} result @param {string} player whose it is */
  #result(result, player) {
    const { seats, game, reason, table, duration_ms: duration } = result;
    const left = reason === 'left';
    const own = seats.find((seat) => seat.player === player);
    const duel = seats.length > 1;
    const outcome = t(`ui.result_${left ? 'left' : outcomeOf(seats, own)}`);
    const title = duel ? seats.map(({ name }) => name).join(' – ') : gameName(game);
    const facts = [
      when(result.finished_us),
      duel ? gameName(game) : result.code ?? '',
      duration ? clock(duration / 1000) : '',
      left || !hasText(`end.${reason}`) || !duel ? '' : t(`end.${reason}`),
    ];
    const score = left ? '' : seats.map(({ score: points }) => (typeof points === 'number' ? scoreText(points, result.options) : '')).join(' : ');
    const what = h('div', {}, h('strong', {}, title), h('span', { class: own?.won ? 'tag won' : 'tag' }, outcome), h('small', {}, facts.filter(Boolean).join(' · ')));
    const replay = h('a', { class: 'button', href: `#replay=${table}`, 'aria-label': `${t('ui.replay')}: ${title}` }, t('ui.replay'));
    return h('li', {}, what, h('b', { class: 'score' }, score), left ? null : replay);
  }

  // --- statistics -------------------------------------------------------------------------------------------

  #statistics() {
    return this.#fill(this.#content, () => this.#client.requests.ask('get_statistics'), ({ records }) => {
      this.#content.replaceChildren(
        h('h2', {}, t('ui.statistics')),
        ...(records.length ? records.map((record) => this.#record(record)) : [h('p', { class: 'none' }, t('ui.no_statistics'))]),
      );
    });
  }

  /** @param {SoloRecord} record */
  #record(record) {
    const { game, options, games, wins, streak, longest_streak: longest, best_time_ms: time, best_strict: strict, fewest_moves: moves, balance } = record;
    /** @type {[string, string | null][]} */
    const rows = [
      [t('ui.played_games'), String(games)],
      [t('ui.won_games'), `${wins} (${Math.round((100 * wins) / Math.max(games, 1))} %)`],
      [t('ui.streak'), t('ui.streak_of', { streak, longest })],
      [t('ui.best_time'), time ? clock(time / 1000) : null],
      [t('ui.best_strict'), typeof strict === 'number' ? scoreText(strict, options) || null : null],
      [t('ui.fewest_moves'), typeof moves === 'number' ? String(moves) : null],
      [t('ui.balance'), typeof balance === 'number' ? `${balance} $` : null],
    ];
    return h('article', { class: 'record' },
      h('h3', {}, gameName(game)), h('p', { class: 'small' }, optionsText(game, options, this.#client.games)),
      h('dl', {}, rows.flatMap(([name, value]) => (value === null ? [] : [h('div', {}, h('dt', {}, name), h('dd', {}, value))]))));
  }

  // --- the deal of the day ----------------------------------------------------------------------------------

  /** @param {string} what `day`, or which */
  #day(what) {
    const [, day = '', key = '', path = ''] = what.split(':');
    const games = this.#client.games.filter(({ seats }) => seats === 1);
    const choose = h('select', {}, games.map(({ key }) => h('option', { value: key }, gameName(key))));
    if (games.some((game) => game.key === key)) choose.value = key;
    const date = h('input', { type: 'date', value: day });
    const form = h('form', { class: 'which' });
    const table = h('div');
    let options = new OptionsForm(/** @type {GameInfo} */ (games[0]));
    const show = () => void this.#dayTable(table, choose.value, options.changed, date.value);
    const details = h('details', {}, h('summary', {}, t('ui.options')));
    const dress = () => {
      const game = games.find(({ key }) => key === choose.value);
      if (game) options = new OptionsForm(game);
      details.hidden = !game?.options.length;
      details.replaceChildren(h('summary', {}, t('ui.options')), options.element);
    };
    choose.addEventListener('change', dress);
    form.addEventListener('change', show);
    form.addEventListener('submit', (event) => event.preventDefault());
    form.append(labelled(t('ui.game'), choose), labelled(t('ui.date'), date), details);
    this.#content.replaceChildren(h('h2', {}, t('ui.day')), form, table);
    dress();
    options.read(path);
    show();
  }

  /** @param {HTMLElement} box @param {string} game @param {Options} options @param {string} date */
  #dayTable(box, game, options, date) {
    const asked = { game, options, ...(date ? { date } : {}) };
    return this.#fill(box, () => this.#client.requests.ask('get_day', asked), (day) => {
      const play = button(t('ui.play'), 'primary', () => this.#client.solo({ code: day.code }));
      const head = h('p', {}, `${new Date(`${day.date}T12:00`).toLocaleDateString(locale, { dateStyle: 'long' })} · ${day.code}`);
      const rows = day.results.map((one, i) => this.#dayRow(one, i));
      const names = [t('ui.rank'), t('ui.who'), t('ui.score'), t('ui.time'), t('ui.moves_made'), t('ui.replay')];
      box.replaceChildren(head, play, rows.length ? listing(t('ui.day'), names, rows) : h('p', { class: 'none' }, t('ui.no_day')));
    });
  }

  /** @param {DayResult} one @param {number} i @returns {(Node | string)[]} */
  #dayRow(one, i) {
    const won = one.won ? h('span', { title: t('result.solved') }, ' ✓') : '';
    const replay = h('a', { href: `#replay=${one.table}`, 'aria-label': `${t('ui.replay')}: ${one.name}` }, t('ui.show'));
    return [String(i + 1), who(one), h('span', {}, String(one.strict), won), clock(one.duration_ms / 1000), String(one.moves), replay];
  }

  // --- rankings ---------------------------------------------------------------------------------------------

  #ranking() {
    const choose = h('select', {}, POOLS.map((pool) => h('option', { value: pool }, t(`pool.${pool}`))));
    const table = h('div');
    const show = () => void this.#rankingTable(table, choose.value);
    choose.addEventListener('change', show);
    this.#content.replaceChildren(h('h2', {}, t('ui.ranking')), labelled(t('ui.pool'), choose), h('p', { class: 'small' }, t('ui.ranking_about')), table);
    show();
  }

  /** @param {HTMLElement} box @param {string} pool */
  #rankingTable(box, pool) {
    return this.#fill(box, () => this.#client.requests.ask('get_ranking', { pool }), ({ players }) => {
      const rows = players.map((one, i) => [String(i + 1), who(one), `${one.rating.rating} ± ${2 * one.rating.deviation}${one.rating.provisional ? ' ?' : ''}`, String(one.rating.games)]);
      box.replaceChildren(rows.length ? listing(t('ui.ranking'), [t('ui.rank'), t('ui.who'), t('ui.rating'), t('ui.played_games')], rows) : h('p', { class: 'none' }, t('ui.no_ranking')));
    });
  }
}

/** @param {ResultSeat[]} seats @param {ResultSeat | undefined} own */
function outcomeOf(seats, own) {
  if (seats.length === 1) return own?.won ? 'solved' : 'given_up';
  if (own?.won) return 'won';
  return seats.some(({ won }) => won) ? 'lost' : 'drawn';
}

/** @param {{player: string, name: string, bot?: boolean}} player */
function who({ player, name, bot }) {
  const link = h('a', { href: `#records=${PLAYER}${player}` }, name);
  return bot ? h('span', {}, link, h('span', { class: 'tag' }, t('ui.bot'))) : link;
}

/** @param {string} label @param {string[]} names @param {(Node | string)[][]} rows */
function listing(label, names, rows) {
  return h('table', { 'aria-label': label },
    h('thead', {}, h('tr', {}, names.map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, rows.map((cells) => h('tr', {}, cells.map((cell) => h('td', {}, cell))))));
}

/** @param {number} us of UTC since 1970 */
const when = (us) => new Date(us / 1000).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
