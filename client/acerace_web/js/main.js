/** Starts the page, and shows what its address names: #table=, #replay=, #records, #account, #deal=, #join=, #watch, or the way in. */

import { AccountView } from './account.js';
import { use } from './art.js';
import { Client } from './client.js';
import { h, setText } from './dom.js';
import { HomeView } from './home.js';
import { openPreferences } from './preferences.js';
import { RecordsView } from './records.js';
import { onSettings, reducedMotion, settings } from './settings.js';
import { TableView } from './table.js';
import { loadTexts, t } from './texts.js';

/** @typedef {{element: HTMLElement, close: (again?: boolean) => void}} View again: the same is about to be shown anew */

const TOAST_MS = 4200;

class Page {
  /** @type {View | null} */
  #view = null;
  /** The address that is shown. @type {string | null} */
  #shown = null;
  #main = h('main');
  #status = h('span', { class: 'status', role: 'status' });
  #toasts = h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });
  #header = h('header');

  constructor() {
    this.client = new Client({
      seated: (table) => this.#seated(table),
      complain: (text) => this.#complained(text),
    });
  }

  start() {
    this.#dress();
    onSettings(() => this.#dress());
    this.#write();
    document.getElementById('app')?.replaceChildren(this.#header, this.#main, this.#toasts);
    this.client.listen((change) => {
      if (change === 'status' || change === 'rtt') this.#drawStatus();
    });
    addEventListener('hashchange', () => this.#route());
    this.#route();
    this.#drawStatus();
    this.client.start();
  }

  #write() {
    const home = h('a', { href: '#', class: 'brand', 'aria-label': t('ui.home') }, use('icon-home', 'icon'), h('span', {}, 'Ace Race'));
    const prefs = h('button', { class: 'plain', 'aria-label': t('ui.preferences'), title: t('ui.preferences') }, use('icon-settings', 'icon'));
    prefs.addEventListener('click', () => openPreferences(this.client, () => void this.#relabel()));
    this.#header.replaceChildren(home, h('div', { id: 'hud' }), this.#status, iconLink('watch', t('ui.live')), iconLink('records', t('ui.records')), iconLink('account', t('ui.account')), prefs);
  }

  /** The language has changed: write everything anew. */
  async #relabel() {
    await loadTexts();
    this.#write();
    this.#drawStatus();
    const hash = this.#shown ?? '';
    this.#view?.close(true);
    this.#view = null;
    this.#show(hash);
  }

  /** A table has begun; who looks at another page is told by the title. @param {string} table */
  #seated(table) {
    if (!(this.#view instanceof TableView && this.#view.waitWith(table))) this.go(`table=${table}`);
    if (document.visibilityState === 'visible') return;
    document.title = `▶ ${t('ui.waiting_ready')}`;
    document.addEventListener('visibilitychange', () => (document.title = 'Ace Race'), { once: true });
  }

  /** @param {string} hash */
  go(hash) {
    if (location.hash === `#${hash}`) this.#route();
    else location.hash = hash;
  }

  #route() {
    const hash = decodeURIComponent(location.hash.slice(1));
    if (hash === this.#shown) return;
    const [key = '', value = ''] = hash.split('=', 2);
    if (key === 'join' || key === 'deal') {
      this.#enter(key, value);
      return;
    }
    this.#view?.close();
    this.#show(hash);
  }

  /** @param {string} hash */
  #show(hash) {
    const [key = '', value = ''] = hash.split('=', 2);
    this.#shown = hash;
    this.#view = this.#viewOf(key, value);
    this.#main.replaceChildren(this.#view.element);
    document.body.dataset['view'] = key === 'table' || key === 'replay' ? 'table' : 'home';
  }

  /** @param {string} key @param {string} value @returns {View} */
  #viewOf(key, value) {
    if (key === 'table') return this.#tableView(value);
    if (key === 'replay') return new LaterView(import('./replay_view.js').then(({ ReplayView }) => new ReplayView(this.client, value)));
    if (key === 'records') return new RecordsView(this.client, value);
    if (key === 'account') return new AccountView(this.client);
    return new HomeView(this.client, key === 'watch');
  }

  /** A link that is an errand: it is done once, and the answer leads on. @param {string} key @param {string} value */
  #enter(key, value) {
    history.replaceState(null, '', location.pathname);
    this.#route();
    if (key === 'join') this.client.accept(value);
    else this.client.solo({ code: value });
  }

  /** @param {string} table */
  #tableView(table) {
    return new TableView(this.client, this.client.follow(table), {
      toast: (text, kind) => this.toast(text, kind),
      hush: () => this.#toasts.replaceChildren(),
      go: (hash) => this.go(hash),
    });
  }

  /** @param {string} text */
  #complained(text) {
    this.toast(text, 'bad');
  }

  #drawStatus() {
    const { status, rtt } = this.client.connection;
    const online = status === 'online';
    setText(this.#status, online ? (rtt === null ? '' : t('ui.ping', { ms: Math.max(1, Math.round(rtt)) })) : t(`ui.${status}`));
    this.#status.dataset['quality'] = !online ? 'lost' : (rtt ?? 0) < 120 ? 'good' : (rtt ?? 0) < 350 ? 'fair' : 'poor';
    document.body.dataset['connection'] = status;
  }

  /** @param {string} text @param {string} [kind] */
  toast(text, kind = '') {
    const toast = h('div', { class: `toast ${kind}` }, text);
    for (const old of [...this.#toasts.children]) if (old.textContent === text) old.remove(); // said again, not twice
    while (this.#toasts.children.length > 2) this.#toasts.firstChild?.remove();
    this.#toasts.append(toast);
    setTimeout(() => toast.remove(), TOAST_MS);
  }

  #dress() {
    const { classList, dataset } = document.documentElement;
    dataset['theme'] = settings.theme;
    classList.toggle('four-colours', settings.fourColours);
    classList.toggle('left-handed', settings.leftHanded);
    classList.toggle('still', reducedMotion());
  }
}

/** What few come for is fetched when it is wanted. @implements {View} */
class LaterView {
  element = h('div', { class: 'later' });
  /** @type {View | null} */
  #view = null;
  #closed = false;

  /** @param {Promise<View>} coming */
  constructor(coming) {
    void coming.then((view) => {
      this.#view = view;
      if (this.#closed) view.close();
      else this.element.append(view.element);
    }, () => this.element.append(h('p', { class: 'panel' }, t('ui.request_lost'))));
  }

  /** @param {boolean} [again] */
  close(again) {
    this.#closed = true;
    this.#view?.close(again);
  }
}

/** @param {string} name of its page and its icon @param {string} label */
function iconLink(name, label) {
  return h('a', { href: `#${name}`, class: 'button plain', 'aria-label': label, title: label }, use(`icon-${name}`, 'icon'));
}

await loadTexts();
new Page().start();
