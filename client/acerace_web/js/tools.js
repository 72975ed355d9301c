/**
 * The buttons under a table, and their keys.
 *
 * @import {News} from './session.js'
 * @import {TableView} from './table.js'
 */

import { use } from './art.js';
import { h } from './dom.js';
import { Emotes } from './emotes.js';
import { parseMove } from './moves.js';
import { cardNames, clock, t } from './texts.js';

const FINISH_STEP_MS = 70;
const ARMED_MS = 3000;
/** In seconds. */
const DELAYS = [0, 30, 120, 600];

export class Tools {
  element = h('div', { class: 'tools', role: 'toolbar' });
  /** @type {Record<string, HTMLButtonElement>} */
  #buttons = {};
  #view;
  #finish = false;
  #finishing = false;
  #askedAt = -1;
  #kind = '';
  #emotes;
  /** Where there is room, buttons as the others are; on a phone they come up when they are asked for. */
  #others = h('div', { id: 'other-tools', class: 'other-tools', popover: 'auto' });

  /** @param {TableView} view */
  constructor(view) {
    this.#view = view;
    this.#emotes = new Emotes(view);
    const closesOnly = (/** @type {Event} */ event) => {
      if (this.element.querySelector(':popover-open')) event.stopImmediatePropagation();
    };
    view.board.addEventListener('pointerdown', closesOnly, { capture: true }); // it was not meant for the card below
    this.#others.addEventListener('toggle', ({ newState }) => {
      if (newState === 'closed') this.#arm('give_up', false); // whoever comes back is asked again
    });
    this.#others.addEventListener('click', () => {
      if (!this.#others.querySelector('.armed')) this.#others.hidePopover(); // else it has asked whether one is sure
    });
  }

  /**
   * @param {string} name
   * @param {string} icon
   * @param {() => void} press
   * @param {{key?: string, to?: HTMLElement}} [more]
   */
  #add(name, icon, press, { key, to = this.element } = {}) {
    const label = t(`ui.${name}`);
    const button = h('button', { type: 'button', class: `tool ${name}`, title: key ? `${label} (${key})` : label, click: press }, use(`icon-${icon}`, 'icon'), h('span', {}, label));
    if (key) button.setAttribute('aria-keyshortcuts', key);
    this.#buttons[name] = button;
    to.append(button);
  }

  /** A button that brings up more of them. @param {string} name @param {string} icon @param {HTMLElement} what */
  #addOpener(name, icon, what) {
    this.#add(name, icon, () => {});
    this.#buttons[name]?.setAttribute('popovertarget', what.id);
    this.element.append(what);
  }

  #build() {
    const { session, hooks, client } = this.#view;
    const { mirror } = session;
    const kind = !mirror ? this.#kind : session.seat === null ? 'watch' : mirror.players.length > 1 ? 'duel' : 'solo';
    if (kind === this.#kind) return;
    this.#kind = kind;
    this.#buttons = {};
    this.element.replaceChildren();
    this.#others.replaceChildren();
    this.element.setAttribute('aria-label', t('ui.tools'));
    if (kind === 'solo') {
      this.#add('undo', 'undo', () => session.command('undo'), { key: 'u' });
      this.#add('redo', 'redo', () => session.command('redo'), { key: 'y' });
      this.#add('hint', 'hint', () => void this.#hint(), { key: 'h' });
      this.#add('finish', 'finish', () => void this.#runFinish());
      this.#add('new', 'fresh', () => client.solo({ game: session.mirror?.game, options: session.mirror?.options }), { key: 'n' });
      this.#addOpener('others', 'others', this.#others);
      const to = this.#others;
      this.#add('same', 'same', () => client.solo({ code: session.mirror?.code }), { to });
      this.#add('share', 'link', () => void this.#share(`deal=${session.mirror?.code ?? ''}`, t('ui.link_copied')), { to });
      this.#add('give_up', 'resign', () => this.#resign('give_up'), { to });
    } else if (kind === 'duel') {
      this.#add('pass', 'pass', () => session.command('pass'), { key: 'p' });
      this.#add('done', 'done', () => session.command('done'));
      this.#add('claim', 'finish', () => session.command('claim'));
      this.#add('resign', 'resign', () => this.#resign('resign'));
      this.#addOpener('say', 'say', this.#emotes.element);
    }
    if (kind === 'duel' || kind === 'watch') this.#add('share', 'link', () => void this.#share(`table=${session.table}`, t('ui.watch_link_copied')));
    if (kind === 'watch') this.element.append(this.#delay());
    if (kind === 'duel' || kind === 'watch') this.#add('mute', 'mute', () => session.mute(!session.muted));
    if (kind) this.#add('leave', 'close', () => hooks.go(''), kind === 'solo' ? { to: this.#others } : {});
  }

  /** How much later than the others one watches. */
  #delay() {
    const { session } = this.#view;
    const field = h('select', {}, DELAYS.map((s) => h('option', { value: String(s), selected: s === session.delay }, s ? t('ui.delay_by', { time: clock(s) }) : t('ui.delay_none'))));
    field.addEventListener('change', () => session.watchLater(Number(field.value)));
    field.setAttribute('aria-label', t('ui.delay'));
    return field;
  }

  draw() {
    this.#build();
    const { session } = this.#view;
    const { mirror } = session;
    const active = session.active;
    const show = (/** @type {string} */ name, /** @type {boolean} */ on) => {
      const button = this.#buttons[name];
      if (button) button.hidden = !on;
    };
    for (const name of ['hint', 'done', 'resign', 'give_up', 'pass']) {
      const button = this.#buttons[name];
      if (button) button.disabled = !active;
    }
    for (const name of /** @type {const} */ (['undo', 'redo'])) {
      const button = this.#buttons[name];
      if (button) button.disabled = !active || !session.legal?.[name];
    }
    this.#buttons['mute']?.setAttribute('aria-pressed', String(session.muted));
    show('finish', this.#finish && active && !this.#finishing);
    show('pass', mirror?.turn !== null);
    show('done', mirror?.turn === null);
    if (this.#buttons['done']) this.#buttons['done'].disabled = !active || Boolean(mirror?.done[session.seat ?? 0]);
    this.tick();
  }

  tick() {
    const { session } = this.#view;
    const claim = this.#buttons['claim'];
    if (claim) claim.hidden = !session.active || session.claimAt === null || performance.now() < session.claimAt;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.altKey) return;
    const held = event.ctrlKey || event.metaKey;
    const keys = /** @type {Record<string, string>} */ (
      held ? { z: event.shiftKey ? 'redo' : 'undo', y: 'redo' } : { u: 'undo', y: 'redo', h: 'hint', n: 'new', p: 'pass' }
    );
    const button = this.#buttons[keys[event.key.toLowerCase()] ?? ''];
    if (!button || button.hidden || button.disabled) return;
    event.preventDefault();
    button.click();
  }

  async #hint() {
    const { session, board, hooks, hands } = this.#view;
    const [move] = await session.ask('hint');
    if (!move || !session.mirror) {
      hooks.toast(t('ui.no_hint'));
      return;
    }
    const { kind, from, to, count } = parseMove(move);
    const me = session.mirror.seat(session.seat ?? 0);
    if (kind !== 'move') {
      board.pileElement(`${session.seat}s`)?.classList.add('hinted');
      setTimeout(() => board.pileElement(`${session.seat}s`)?.classList.remove('hinted'), 1200);
      this.#view.say(t(kind === 'draw' ? 'ui.hint_draw' : 'ui.hint_recycle'));
      return;
    }
    const cards = (from === 'w' ? me.waste : (me.columns[Number(from.slice(1)) - 1] ?? [])).slice(-count);
    hands.showPlaces({ pile: from, count });
    setTimeout(() => hands.hidePlaces(), 1200);
    board.glow(cards.map(({ id }) => id), 'hinted');
    const place = to === 'f' ? t('ui.the_foundation') : t('pile.column', { number: to.slice(1) });
    this.#view.say(t('ui.hint_move', { cards: cardNames(cards.flatMap(({ face }) => face ?? [])), to: place }));
  }

  /** @param {News} news */
  afterEvent(news) {
    const { session } = this.#view;
    const { mirror } = session;
    if (!mirror || mirror.players.length > 1 || !session.active) return;
    if (news?.type !== 'played' && news?.type !== 'undone' && news?.type !== 'table') return;
    const open = mirror.seat(0).columns.every((cards) => cards.every(({ face }) => face !== null));
    if (!open) this.#finish = false;
    else if (mirror.seq !== this.#askedAt && !session.pending.size && !this.#finishing) void this.#askFinish(mirror.seq);
  }

  /** What was sure before a move need not be so after it. @param {number} seq */
  async #askFinish(seq) {
    this.#askedAt = seq;
    const sure = (await this.#view.session.ask('finish')).length > 0;
    if (seq !== this.#askedAt) return;
    this.#finish = sure;
    this.draw();
  }

  async #runFinish() {
    const { session } = this.#view;
    this.#finishing = true;
    this.draw();
    let stopped = false;
    for (const move of await session.ask('finish')) {
      if (stopped || !session.active) break;
      session.play(move, { refused: () => (stopped = true) }); // somebody plays as well
      await new Promise((resolve) => setTimeout(resolve, FINISH_STEP_MS));
    }
    this.#finishing = false;
    this.draw();
  }

  /** @param {'resign' | 'give_up'} name of the button */
  #resign(name) {
    const sure = this.#buttons[name]?.classList.contains('armed');
    this.#arm(name, !sure); // one touch too many must not cost a match
    if (sure) this.#view.session.command('resign');
    else setTimeout(() => this.#arm(name, false), ARMED_MS);
  }

  /** @param {'resign' | 'give_up'} name of the button @param {boolean} on whether the next press is meant */
  #arm(name, on) {
    const button = this.#buttons[name];
    button?.classList.toggle('armed', on);
    const label = button?.querySelector('span');
    if (label) label.textContent = t(on ? 'ui.sure' : `ui.${name}`);
  }

  /** @param {string} hash what the link names @param {string} copied what to say when it is in the clipboard */
  async #share(hash, copied) {
    const { hooks } = this.#view;
    const link = new URL(`#${hash}`, location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      hooks.toast(copied);
    } catch {
      hooks.toast(link);
    }
  }
}
