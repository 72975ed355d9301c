/**
 * The way in: play somebody, play alone, watch.
 *
 * @import {Client} from './client.js'
 * @import {GameInfo, Options} from './wire.js'
 */

import { use } from './art.js';
import { h } from './dom.js';
import { OptionsForm, labelled } from './options.js';
import { gameName, t } from './texts.js';

const SOLO_ORDER = ['klondike', 'double-solitaire', 'russian', 'easy-harp', 'yukon'];
const DUEL = 'double-klondike';

export class HomeView {
  element = h('div', { class: 'home' });
  #client;
  #stop;
  #race = h('section', { class: 'panel race', 'aria-labelledby': 'race-title' });
  #seekBox = h('div', { class: 'seek-box', 'aria-live': 'polite' });
  #seeks = h('ul', { class: 'rows' });
  #tables = h('ul', { class: 'rows' });
  #mine = h('ul', { class: 'rows' });
  #mineBox = h('section', { class: 'panel mine', hidden: true }, h('h2', {}, t('ui.your_tables')), this.#mine);
  #solo = h('section', { class: 'panel solo', 'aria-labelledby': 'solo-title' });
  #known = '';
  #rated = h('input', { type: 'checkbox' });
  #levels = h('div', { class: 'buttons levels' });
  #duelForm = /** @type {OptionsForm | null} */ (null);

  /** @param {Client} client @param {boolean} toWatch whether the list of tables is what was asked for */
  constructor(client, toWatch) {
    this.#client = client;
    const watch = h('section', { class: 'panel', id: 'watch' }, h('h2', {}, t('ui.live')), this.#tables);
    this.element.append(h('h1', { class: 'sr' }, 'Ace Race'), this.#mineBox, this.#race, this.#solo, watch);
    this.#stop = client.listen(() => this.#draw());
    client.keepLists(true);
    this.#draw();
    if (toWatch) requestAnimationFrame(() => watch.scrollIntoView());
  }

  close() {
    this.#stop();
    this.#client.keepLists(false);
  }

  #draw() {
    const known = this.#client.games.map(({ key }) => key).join();
    if (known !== this.#known) {
      this.#known = known;
      this.#drawRace();
      this.#drawSolo();
    }
    this.#drawSeek();
    this.#drawLevels();
    this.#drawLists();
  }

  #drawRace() {
    const game = this.#client.games.find(({ key }) => key === DUEL);
    if (!game) return;
    const form = new OptionsForm(game);
    this.#duelForm = form;
    const rated = labelled(t('ui.rated_match'), this.#rated);
    rated.classList.add('switch');
    form.element.append(rated);
    const quick = button(t('ui.quick_game'), 'primary', () => this.#client.seek(DUEL, form.changed, false, this.#rated.checked));
    const invite = button(t('ui.invite'), '', () => this.#client.seek(DUEL, form.changed, true, this.#rated.checked), 'link');
    this.#race.replaceChildren(
      h('h2', { id: 'race-title' }, gameName(DUEL)),
      h('p', {}, t('ui.race_about')),
      h('div', { class: 'buttons' }, quick, invite),
      this.#seekBox,
      this.#levels,
      details(t('ui.options'), form.element),
      h('h3', {}, t('ui.open_seeks')),
      this.#seeks,
    );
  }

  #drawSeek() {
    const { seeking } = this.#client;
    const state = seeking ? seeking.seek : '';
    if (this.#seekBox.dataset['seek'] === state) return;
    this.#seekBox.dataset['seek'] = state;
    if (!seeking) {
      this.#seekBox.replaceChildren();
      return;
    }
    const cancel = button(t('ui.cancel'), '', () => this.#client.unseek());
    if (!seeking.private) {
      this.#seekBox.replaceChildren(h('span', { class: 'waiting' }, t('ui.seeking')), cancel);
      return;
    }
    const link = new URL(`#join=${seeking.seek}`, location.href).href;
    const field = h('input', { readonly: true, value: link, 'aria-label': t('ui.invite_link'), class: 'link-field' });
    field.addEventListener('focus', () => field.select());
    const copy = button(t('ui.copy'), 'primary', () => void copyText(link, field));
    this.#seekBox.replaceChildren(h('p', { class: 'waiting' }, t('ui.invite_about')), field, copy, cancel);
  }

  /** Programs of the house, if the server has some. */
  #drawLevels() {
    const { levels } = this.#client;
    if (this.#levels.dataset['levels'] === levels.join()) return;
    this.#levels.dataset['levels'] = levels.join();
    const buttons = levels.map((level) => {
      const one = button(t(`level.${level}`), '', () => this.#client.challenge(level, this.#duelForm?.changed ?? {}), 'bot');
      one.setAttribute('aria-label', t('ui.challenge', { level: t(`level.${level}`) }));
      return one;
    });
    this.#levels.replaceChildren(...(levels.length ? [h('span', { class: 'label' }, t('ui.against_program')), ...buttons] : []));
  }

  #drawLists() {
    const { seeks, mine, seeking, featured } = this.#client;
    const tables = [...this.#client.tables].sort((a, b) => Number(b.table === featured) - Number(a.table === featured));
    const others = seeks.filter(({ seek }) => seek !== seeking?.seek);
    fill(this.#seeks, JSON.stringify(others), t('ui.no_seeks'), others.map((seek) => {
      const options = optionsText(seek.game, seek.options, this.#client.games);
      const what = h('div', {}, h('strong', {}, seek.name), seek.bot && h('span', { class: 'tag' }, t('ui.bot')), seek.rated && h('span', { class: 'tag' }, `${t('ui.rated_match')}${seek.rating ? ` ${seek.rating}` : ''}`), h('small', {}, options));
      return h('li', {}, what, button(t('ui.play'), '', () => this.#client.accept(seek.seek)));
    }));
    fill(this.#tables, JSON.stringify([tables, featured]), t('ui.no_tables'), tables.map((table) => {
      const score = `${table.scores.join(' : ')}`;
      const title = h('div', {}, h('strong', {}, table.players.join(' – ')), table.table === featured && h('span', { class: 'tag featured' }, t('ui.featured')), h('small', {}, [gameName(table.game), table.watchers ? t('ui.watching', { count: table.watchers }) : ''].filter(Boolean).join(' · ')));
      return h('li', {}, title, h('b', { class: 'score' }, score), h('a', { class: 'button', href: `#table=${table.table}` }, t('ui.watch')));
    }));
    this.#drawMine(mine);
  }

  /** Where we have a seat and the game is not over. @param {string[]} mine */
  #drawMine(mine) {
    const open = mine.flatMap((table) => {
      const { mirror } = this.#sessionOf(table);
      return mirror && mirror.phase !== 'over' ? { table, mirror } : [];
    });
    this.#mineBox.hidden = !open.length;
    const rows = open.map(({ table, mirror: { game, code, players } }) => {
      const others = players.filter(({ player }) => player !== this.#client.player).map(({ name }) => name);
      return { table, name: gameName(game), about: others[0] ? t('ui.against', { name: others[0] }) : (code ?? '') };
    });
    fill(this.#mine, JSON.stringify(rows), '', rows.map(({ table, name, about }) =>
      h('li', {}, h('div', {}, h('strong', {}, name), h('small', {}, about)), h('a', { class: 'button primary', href: `#table=${table}` }, t('ui.continue')))));
  }

  /** Of a table from an earlier visit we know but the name: it is followed, to tell what it is. @param {string} table */
  #sessionOf(table) {
    const known = this.#client.sessions.get(table);
    if (known) return known;
    const session = this.#client.follow(table);
    const stop = session.listen(() => {
      stop();
      if (session.mirror?.phase === 'over') this.#client.drop(session);
      this.#draw();
    });
    return session;
  }

  #drawSolo() {
    const games = SOLO_ORDER.flatMap((key) => this.#client.games.find((game) => game.key === key) ?? []);
    const code = h('input', { id: 'code', placeholder: 'KL1-D1UM-AAAAAAB', autocomplete: 'off', maxlength: '40' });
    const byCode = h('form', { class: 'by-code' }, h('label', { for: 'code' }, t('ui.by_code')), code, h('button', {}, t('ui.play')));
    byCode.addEventListener('submit', (event) => {
      event.preventDefault();
      if (code.value.trim()) this.#client.solo({ code: code.value.trim() });
    });
    this.#solo.replaceChildren(
      h('h2', { id: 'solo-title' }, t('ui.solo')),
      h('ul', { class: 'games' }, games.map((game) => this.#soloGame(game))),
      byCode,
    );
  }

  /** @param {GameInfo} game */
  #soloGame(game) {
    const form = new OptionsForm(game);
    const name = gameName(game.key);
    const play = button(t('ui.play'), 'primary', () => this.#client.solo({ game: game.key, options: form.changed }));
    play.setAttribute('aria-label', `${t('ui.play')}: ${name}`);
    const daily = button(t('ui.daily'), '', () => this.#client.solo({ game: game.key, options: form.changed, daily: true }));
    daily.setAttribute('aria-label', `${t('ui.daily')}: ${name}`);
    const more = game.options.length ? details(t('ui.options'), form.element) : null;
    return h('li', {}, h('h3', {}, name), h('div', { class: 'buttons' }, play, daily), more);
  }
}

/** @param {string} label @param {string} kind @param {() => void} press @param {string} [icon] */
export function button(label, kind, press, icon = '') {
  return h('button', { type: 'button', class: kind, click: press }, icon ? use(`icon-${icon}`, 'icon') : null, label);
}

/** @param {string} title @param {HTMLElement} content */
function details(title, content) {
  return h('details', {}, h('summary', {}, title), content);
}

/** Fill a list anew only when it has changed, so that nobody loses the focus. @param {HTMLElement} list @param {string} state @param {string} none @param {HTMLElement[]} rows */
function fill(list, state, none, rows) {
  if (list.dataset['state'] === state) return;
  list.dataset['state'] = state;
  list.replaceChildren(...(rows.length || !none ? rows : [h('li', { class: 'none' }, none)]));
}

/** The options that are not the default ones. @param {string} key @param {Options} options @param {GameInfo[]} games */
export function optionsText(key, options, games) {
  const game = games.find((one) => one.key === key);
  const said = (game?.options ?? []).flatMap((option) => {
    const value = options[option.key];
    if (value === undefined || value === option.default) return [];
    return `${t(`option.${option.key}`)}: ${option.values?.length ? t(`value.${option.key}.${value}`) : value}`;
  });
  return said.join(' · ') || t('ui.standard');
}

/** @param {string} text @param {HTMLInputElement} field where it stands, for browsers that let no page write */
async function copyText(text, field) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    field.focus();
    document.execCommand('copy');
  }
}
