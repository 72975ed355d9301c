/**
 * A finished game as a page: step by step or at a speed, from race to race, with the curve of what was played up, and
 * whether the deal was as promised.
 *
 * @import {Client} from './client.js'
 * @import {Shown} from './board.js'
 * @import {Step} from './replay_game.js'
 */

import { use } from './art.js';
import { AceBoard } from './board.js';
import { faceOf } from './cards.js';
import { Curve } from './curve.js';
import { h, keyIsTaken, setAttribute, setText } from './dom.js';
import { Mirror } from './mirror.js';
import { stateOf } from './players.js';
import { ReplayError, readReplay } from './replay_file.js';
import { ReplayGame } from './replay_game.js';
import { Fault } from './requests.js';
import { onSettings } from './settings.js';
import { announce } from './speech.js';
import { cardName, clock, milliseconds, scoreText, t } from './texts.js';

const SPEEDS = [1, 2, 4, 16];
/** Nobody wants to watch somebody think for a minute. */
const LONGEST_WAIT_MS = 3000;

export class ReplayView {
  element = h('div', { class: 'table replay' });
  #client;
  #table;
  #board = new AceBoard();
  /** @type {ReplayGame | null} */
  #game = null;
  /** Steps that are shown. */
  #at = 0;
  /** @type {Shown & {mirror: Mirror | null}} */
  #shown = { mirror: null, seat: null, active: false, choices: null, pendingCards: new Set() };
  #speed = 2;
  /** @type {number | undefined} */
  #timer;
  #stop;
  #closed = false;
  #notice = h('div', { class: 'notice' });
  #says = h('p', { class: 'says', role: 'status' });
  #verdict = h('p', { class: 'fair' });
  #clock = h('span', { class: 'clock' });
  #extra = h('span', { class: 'extra' });
  /** @type {HTMLElement[]} */
  #sides = [];
  #slider = h('input', { type: 'range', min: '0', class: 'when', 'aria-label': t('ui.replay_when') });
  #play = button('play', () => this.#toggle());
  /** @type {Curve | null} */
  #curve = null;

  /** @param {Client} client @param {string} table */
  constructor(client, table) {
    this.#client = client;
    this.#table = table;
    this.#board.session = this.#shown;
    this.#slider.addEventListener('input', () => this.#go(Number(this.#slider.value)));
    document.addEventListener('keydown', this.#press);
    this.#stop = onSettings(() => this.#board.redraw());
    this.#tell(t('ui.replay_loading'));
    this.element.append(h('div', { class: 'stage' }, this.#notice));
    void this.#load();
  }

  close() {
    this.#closed = true;
    document.removeEventListener('keydown', this.#press);
    this.#pause();
    this.#stop();
  }

  /** @param {string} words */
  #tell(words) {
    setText(this.#notice, words);
    this.#notice.hidden = !words;
  }

  async #load() {
    try {
      let text = '';
      for (let part = 0, parts = 1; part < parts; part += 1) {
        const answer = await this.#client.requests.ask('get_replay', { table: this.#table, part });
        text += answer.text;
        parts = answer.parts ?? 1;
      }
      this.#open(new ReplayGame(readReplay(text)));
    } catch (error) {
      if (error instanceof Fault) this.#tell(error.message);
      else this.#tell(t('ui.replay_unreadable', { line: error instanceof ReplayError ? error.line : 0 }));
      if (!(error instanceof Fault || error instanceof ReplayError || error instanceof RangeError)) throw error;
    }
  }

  /** @param {ReplayGame} game */
  #open(game) {
    if (this.#closed) return;
    const { players } = game.headers;
    this.#game = game;
    const own = players.findIndex(({ player }) => player === this.#client.player);
    this.#shown.seat = own < 0 ? null : own;
    this.#slider.max = String(game.steps.length);
    this.#sides = players.map((_, s) => h('div', { class: `player owner-${s}` }));
    this.#curve = new Curve(game, (n) => this.#go(n));
    const order = own === 1 ? [1, 0] : [...players.keys()];
    const [first, second] = order.map((s) => this.#sides[s]);
    this.#judge(game);
    this.#tell('');
    this.element.replaceChildren(
      h('h1', { class: 'sr' }, t('ui.replay')),
      h('div', { class: 'players' }, first, h('div', { class: 'middle' }, this.#clock, this.#extra), second),
      h('div', { class: 'stage' }, this.#board, this.#notice),
      h('div', { class: 'replay-panel' }, this.#says, this.#curve.element, this.#slider, this.#buttons(game), this.#verdict),
    );
    this.#show(0);
  }

  /** @param {ReplayGame} game */
  #judge(game) {
    const told = this.#client.sessions.get(this.#table)?.mirror?.commitment;
    const promised = game.kept && (!told || told === game.headers.commitment);
    const fair = promised && game.falseLine === null;
    this.#verdict.dataset['verdict'] = fair ? 'fair' : 'unfair';
    if (fair) setText(this.#verdict, t(game.duel ? 'ui.replay_fair' : 'ui.replay_fair_code', { code: game.headers.code ?? '' }));
    else if (promised) setText(this.#verdict, t('ui.replay_false', { line: game.falseLine ?? 0 }));
    else setText(this.#verdict, t('ui.deal_unfair'));
  }

  /** @param {ReplayGame} game */
  #buttons(game) {
    const speed = h('select', { 'aria-label': t('ui.replay_speed') }, SPEEDS.map((n) => h('option', { value: String(n), selected: n === this.#speed }, `${n}×`)));
    speed.addEventListener('change', () => (this.#speed = Number(speed.value)));
    const races = game.raceSteps.length
      ? [button('race_back', () => this.#race(-1)), button('race_next', () => this.#race(1))]
      : [];
    return h('div', { class: 'tools', role: 'toolbar', 'aria-label': t('ui.tools') },
      button('first', () => this.#go(0)), button('back', () => this.#go(this.#at - 1)), this.#play,
      button('forward', () => this.#go(this.#at + 1)), button('last', () => this.#go(game.steps.length)), ...races, speed);
  }

  #press = (/** @type {KeyboardEvent} */ event) => {
    const keys = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => this.#go(this.#at - 1),
      ArrowRight: () => this.#go(this.#at + 1),
      Home: () => this.#go(0),
      End: () => this.#go(this.#game?.steps.length ?? 0),
    });
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || keyIsTaken(event)) return;
    event.preventDefault();
    act();
  };

  // --- time -------------------------------------------------------------------------------------------------

  /** @param {number} to */
  #go(to) {
    this.#pause();
    this.#show(to);
  }

  /** @param {-1 | 1} way */
  #race(way) {
    const steps = this.#game?.raceSteps ?? [];
    const found = way > 0 ? steps.find((n) => n > this.#at) : steps.findLast((n) => n < this.#at);
    if (found !== undefined) this.#go(found);
  }

  #toggle() {
    if (this.#timer !== undefined) {
      this.#pause();
      return;
    }
    if (this.#at === this.#game?.steps.length) this.#show(0);
    dress(this.#play, 'pause');
    this.#says.setAttribute('aria-live', 'off'); // faster than anybody speaks
    this.#wait();
  }

  #wait() {
    const game = this.#game;
    if (!game || this.#at >= game.steps.length) {
      this.#pause();
      return;
    }
    const ms = (game.atUs(this.#at + 1) - game.atUs(this.#at)) / 1000;
    this.#timer = setTimeout(() => {
      this.#show(this.#at + 1);
      this.#wait();
    }, Math.min(ms, LONGEST_WAIT_MS) / this.#speed);
  }

  #pause() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    dress(this.#play, 'play');
    this.#says.removeAttribute('aria-live');
  }

  // --- drawing ----------------------------------------------------------------------------------------------

  /** @param {number} to how many steps are shown */
  #show(to) {
    const game = this.#game;
    if (!game) return;
    const n = Math.min(Math.max(to, 0), game.steps.length);
    const step = n ? game.steps[n - 1] : undefined;
    const { mirror } = this.#shown;
    if (!mirror) this.#shown.mirror = new Mirror(game.snapshot(n));
    else if (n !== this.#at + 1) mirror.restore(game.snapshot(n));
    else {
      if (step?.event) mirror.apply(step.event);
      mirror.races = game.races(n);
    }
    this.#at = n;
    this.#slider.value = String(n);
    this.#slider.setAttribute('aria-valuetext', `${n} / ${game.steps.length}`);
    this.#curve?.show(n);
    setText(this.#clock, clock(game.seconds(n)));
    setText(this.#extra, [`${n} / ${game.steps.length}`, game.headers.code ?? ''].filter(Boolean).join(' · '));
    this.#sides.forEach((side, s) => this.#drawSide(game, side, s, n));
    this.#say(step);
    this.#board.redraw();
    if (step) this.#glow(step);
  }

  /** @param {ReplayGame} game @param {HTMLElement} side @param {number} s @param {number} n */
  #drawSide(game, side, s, n) {
    const { mirror } = this.#shown;
    const name = game.headers.players[s]?.name ?? '';
    const state = mirror ? stateOf(mirror, s) : '';
    const who = h('div', { class: 'who' }, game.duel ? use(`mark-${s}`, `mark owner-${s}`) : null, h('span', { class: 'name' }, name));
    const score = game.duel ? String(game.contributions[n]?.[s] ?? 0) : scoreText(mirror?.seats[s]?.score ?? 0, game.headers.options);
    const numbers = h('div', { class: 'numbers' },
      h('b', { class: 'score', title: t(game.duel ? 'ui.cards_up' : 'ui.score') }, score),
      h('span', { class: 'moves' }, t('ui.moves', { count: game.moves[n]?.[s] ?? 0 })), state ? h('span', { class: 'state' }, state) : null);
    side.replaceChildren(who, numbers);
  }

  /** @param {Step | undefined} step */
  #say(step) {
    const { mirror, seat } = this.#shown;
    const names = mirror?.players.map(({ name }) => name) ?? [];
    let words = t('ui.dealt');
    if (step?.race) {
      const card = cardName(faceOf(step.race.rank, step.race.suit));
      words = t('ui.race_line', { card, name: names[step.race.winner] ?? '', ms: milliseconds(step.race.margin_us) });
    } else if (step?.event && mirror) words = announce(step.event, mirror, mirror.players.length > 1 ? null : seat) ?? '';
    setText(this.#says, words);
    setAttribute(this.#says, 'data-race', step?.race ? 'yes' : null);
  }

  /** @param {Step} step */
  #glow({ event, race }) {
    const { mirror } = this.#shown;
    if (!mirror) return;
    const faces = new Set(event?.type === 'played' || event?.type === 'undone' ? event.cards : []);
    const piles = [...mirror.seats.flatMap(({ columns, waste }) => [...columns, waste]), ...mirror.foundations.map(({ cards }) => cards)];
    const owner = event && 'seat' in event ? event.seat : 0;
    const moved = piles.flatMap((cards) => cards.slice(-faces.size || cards.length)).filter((card) => card.face && faces.has(card.face) && card.owner === owner);
    const won = mirror.foundations.flatMap(({ suit, cards }) => {
      const card = race && suit === race.suit ? cards[race.rank - 1] : undefined;
      return card && card.owner === race?.winner ? card.id : [];
    });
    requestAnimationFrame(() => {
      this.#board.glow(moved.map(({ id }) => id), 'moved');
      this.#board.glow(won, 'raced');
    });
  }
}

/** @param {string} name @param {() => void} press */
function button(name, press) {
  const made = h('button', { type: 'button', class: 'tool', click: press });
  dress(made, name);
  return made;
}

/** @param {HTMLButtonElement} made @param {string} name */
function dress(made, name) {
  if (made.dataset['name'] === name) return;
  made.dataset['name'] = name;
  const label = t(`ui.replay_${name}`);
  made.setAttribute('aria-label', label);
  made.title = label;
  made.replaceChildren(use(`icon-${name}`, 'icon'));
}
