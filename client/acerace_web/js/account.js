/**
 * One's name and the keys to it. A password goes to the server and is not kept here, nor in any field.
 *
 * @import {Client} from './client.js'
 * @import {Tokens} from './wire.js'
 */

import { h, setText } from './dom.js';
import { button } from './home.js';
import { labelled } from './options.js';
import { Fault } from './requests.js';
import { settings } from './settings.js';
import { hex, sha256 } from './sha256.js';
import { locale, t } from './texts.js';

const KEY_LETTERS = 12;

export class AccountView {
  element = h('div', { class: 'page' });
  #client;
  #stop;
  /** Who the page was written for. */
  #shown = '';
  #said = h('p', { class: 'said', role: 'alert' });
  #body = h('div', { class: 'account' });

  /** @param {Client} client */
  constructor(client) {
    this.#client = client;
    this.element.append(h('h1', {}, t('ui.account')), this.#said, this.#body);
    this.#stop = client.listen(() => this.#draw());
    this.#draw();
  }

  close() {
    this.#stop();
  }

  #draw() {
    const { player, name } = this.#client;
    const own = settings.account !== null && settings.account === name;
    const shown = player ? JSON.stringify([player, name, own]) : '';
    if (this.#shown === shown) return;
    this.#shown = shown;
    if (!player) return;
    if (own) this.#drawOwner();
    else this.#body.replaceChildren(this.#claim(name), this.#login());
  }

  /** @param {string} words @param {boolean} [bad] */
  #say(words, bad = false) {
    setText(this.#said, words);
    this.#said.classList.toggle('bad', bad);
  }

  /** Say what goes wrong. @param {() => Promise<void>} act */
  async #attempt(act) {
    this.#say('');
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#say(error.message, true);
    }
  }

  // --- guests -----------------------------------------------------------------------------------------------

  /** @param {string} name */
  #claim(name) {
    const claim = async (/** @type {string} */ wanted, /** @type {string} */ password) => {
      const answer = await this.#client.requests.ask('claim_name', { name: wanted, password });
      settings.account = settings.name = this.#client.name = answer.name;
      this.#draw();
      this.#say(t('ui.claimed', { name: answer.name }));
    };
    return this.#form('claim', t('ui.claim_name'), t('ui.claim_about'), name, 'new-password', claim);
  }

  #login() {
    const login = async (/** @type {string} */ name, /** @type {string} */ password) => {
      const fault = await this.#client.login(name, password);
      if (fault) throw new Fault(fault);
      this.#draw();
      this.#say(t('ui.logged_in', { name: this.#client.name }));
    };
    return this.#form('login', t('ui.login'), t('ui.login_about'), '', 'current-password', login);
  }

  /**
   * @param {string} key @param {string} title @param {string} about @param {string} filled
   * @param {'new-password' | 'current-password'} kind
   * @param {(name: string, password: string) => Promise<void>} act
   */
  #form(key, title, about, filled, kind, act) {
    const name = h('input', { value: filled, required: true, maxlength: '24', autocomplete: 'username' });
    const password = h('input', { type: 'password', required: true, minlength: '8', maxlength: '128', autocomplete: kind });
    const send = h('button', { class: 'primary' }, title);
    const form = h('form', { class: `panel ${key}` }, h('h2', {}, title), h('p', { class: 'small' }, about),
      labelled(t('ui.name'), name), labelled(t('ui.password'), password), send);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const given = password.value;
      password.value = '';
      send.disabled = true; // passwords are slow to check, and one at a time
      void this.#attempt(() => act(name.value.trim(), given)).finally(() => (send.disabled = false));
    });
    return form;
  }

  // --- owners of a name -------------------------------------------------------------------------------------

  #drawOwner() {
    const logout = button(t('ui.logout'), '', () => {
      this.#client.logout();
      this.#say(t('ui.logged_out'));
    });
    const tokens = h('ul', { class: 'rows' });
    const made = h('div', { class: 'made' });
    this.#body.replaceChildren(
      h('section', { class: 'panel' }, h('h2', {}, this.#client.name), h('p', { class: 'small' }, t('ui.account_about')), h('div', { class: 'buttons' }, logout)),
      h('section', { class: 'panel' }, h('h2', {}, t('ui.tokens')), h('p', { class: 'small' }, t('ui.tokens_about')), tokens, this.#newToken(tokens, made), made),
    );
    void this.#attempt(async () => this.#list(tokens, await this.#client.requests.ask('list_tokens')));
  }

  /** @param {HTMLElement} tokens @param {HTMLElement} made */
  #newToken(tokens, made) {
    const label = h('input', { required: true, maxlength: '40', pattern: '[ -~]+', autocomplete: 'off' });
    const form = h('form', { class: 'new-token' }, labelled(t('ui.token_label'), label), h('button', {}, t('ui.token_new')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#attempt(async () => {
        const { token, label: named } = await this.#client.requests.ask('new_token', { label: label.value });
        label.value = '';
        const field = h('input', { readonly: true, value: token, class: 'link-field' });
        field.addEventListener('focus', () => field.select());
        const seen = button(t('ui.close'), '', () => made.replaceChildren());
        made.replaceChildren(h('p', {}, t('ui.token_once')), labelled(named, field), seen);
        this.#list(tokens, await this.#client.requests.ask('list_tokens'));
      });
    });
    return form;
  }

  /** @param {HTMLElement} box @param {Tokens} answer */
  #list(box, { tokens }) {
    const here = hex(sha256(new TextEncoder().encode(settings.token ?? ''))).slice(0, KEY_LETTERS);
    box.replaceChildren(...tokens.map(({ key, label, made_us: madeUs, revoked = false }) => {
      const name = label || t('ui.token_first');
      const revoke = button(t('ui.token_revoke'), '', () => void this.#attempt(async () => this.#list(box, await this.#client.requests.ask('revoke_token', { key }))));
      revoke.setAttribute('aria-label', `${t('ui.token_revoke')}: ${name}`);
      const tag = revoked ? t('ui.token_revoked') : key === here ? t('ui.token_here') : '';
      const made = new Date(madeUs / 1000).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
      return h('li', {}, h('div', {}, h('strong', {}, name), tag ? h('span', { class: 'tag' }, tag) : null, h('small', {}, `${made} · ${key}`)), revoked ? null : revoke);
    }));
  }
}
