/**
 * The dialog of preferences.
 *
 * @import {Client} from './client.js'
 * @import {Choices} from './settings.js'
 */

import { h } from './dom.js';
import { labelled } from './options.js';
import { settings } from './settings.js';
import { language, t } from './texts.js';

const LANGUAGES = /** @type {const} */ ({ en: 'English', it: 'Italiano', ca: 'Català' });
/** @type {(keyof Choices)[]} */
const SWITCHES = ['places', 'explain', 'automatic', 'fourColours', 'leftHanded', 'sounds'];

/** @param {Client} client @param {() => void} relabel called when the language is another one */
export function openPreferences(client, relabel) {
  const close = h('button', { type: 'button', class: 'primary' }, t('ui.close'));
  const dialog = h(
    'dialog',
    { 'aria-labelledby': 'preferences-title' },
    h('h2', { id: 'preferences-title', tabindex: '-1', autofocus: true }, t('ui.preferences')), // not the name: a phone would show its keyboard
    nameField(client),
    choice('language', Object.entries(LANGUAGES), language, (value) => {
      settings.language = value;
      dialog.close();
      relabel();
    }),
    choice('theme', ['auto', 'light', 'dark'].map(named('theme')), settings.theme, (value) => {
      settings.theme = /** @type {Choices['theme']} */ (value);
    }),
    choice('motion', ['auto', 'on', 'off'].map(named('motion')), settings.motion, (value) => {
      settings.motion = /** @type {Choices['motion']} */ (value);
    }),
    ...SWITCHES.map(toggle),
    h('p', { class: 'small keys' }, t('ui.keys')),
    close,
  );
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', ({ target }) => target instanceof HTMLAnchorElement && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

/** A name that is one's own is not changed in passing. @param {Client} client */
function nameField(client) {
  if (settings.account !== null) return h('p', {}, h('a', { href: '#account' }, `${t('ui.account')}: ${settings.account}`));
  const field = h('input', { value: settings.name ?? client.name, maxlength: '24', autocomplete: 'nickname' });
  field.addEventListener('change', () => {
    settings.name = field.value.trim() || null;
    client.rename();
  });
  return labelled(t('ui.name'), field);
}

/** @param {string} group @returns {(value: string) => [string, string]} */
const named = (group) => (value) => [value, t(`ui.${group}.${value}`)];

/** @param {string} key @param {[string, string][]} values @param {string} now @param {(value: string) => void} chosen */
function choice(key, values, now, chosen) {
  const field = h('select', {}, values.map(([value, text]) => h('option', { value, selected: value === now }, text)));
  field.addEventListener('change', () => chosen(field.value));
  return labelled(t(`ui.${key}`), field);
}

/** @param {keyof Choices} key */
function toggle(key) {
  const field = h('input', { type: 'checkbox', checked: Boolean(settings[key]) });
  field.addEventListener('change', () => Reflect.set(settings, key, field.checked));
  const row = labelled(t(`ui.${key}`), field);
  row.classList.add('switch');
  return row;
}
