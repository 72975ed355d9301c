/**
 * A form for a game's options, made from what the server says of them.
 *
 * @import {GameInfo, OptionInfo, Options, OptionValue} from './wire.js'
 */

import { h } from './dom.js';
import { gameName, hasText, t } from './texts.js';

let lastId = 0;

export class OptionsForm {
  element = h('div', { class: 'options' });
  /** What differs from the defaults. @type {Options} */
  changed = {};
  /** @type {Map<string, (value: OptionValue) => void>} */
  #setters = new Map();
  #game;

  /** @param {GameInfo} game */
  constructor(game) {
    this.#game = game;
    if (Object.keys(game.presets).length) this.element.append(this.#presets());
    for (const option of game.options) this.element.append(this.#row(option));
  }

  #presets() {
    const names = [this.#game.key, ...Object.keys(this.#game.presets)];
    const choose = h('select', {}, names.map((key) => h('option', { value: key }, gameName(key))));
    choose.addEventListener('change', () => this.#preset(this.#game.presets[choose.value] ?? {}));
    return labelled(t('ui.preset'), choose);
  }

  /** @param {Options} preset */
  #preset(preset) {
    this.changed = { ...preset };
    for (const option of this.#game.options) this.#setters.get(option.key)?.(preset[option.key] ?? option.default);
  }

  /** Take them from an address; what is no option of this game is left out. @param {string} path by {@link optionsPath} */
  read(path) {
    const named = new Map(path.split(',').map((one) => /** @type {[string, string]} */ (one.split('.', 2))));
    for (const option of this.#game.options) {
      const value = option.values?.find((one) => String(one) === named.get(option.key));
      if (value === undefined) continue;
      this.#set(option, value);
      this.#setters.get(option.key)?.(value);
    }
  }

  /** @param {OptionInfo} option */
  #row(option) {
    const name = hasText(`option.${option.key}`) ? t(`option.${option.key}`) : option.key;
    return labelled(name, option.values?.length ? this.#choice(option, option.values) : this.#number(option));
  }

  /** @param {OptionInfo} option @param {OptionValue[]} values */
  #choice(option, values) {
    const items = values.map((value, i) => h('option', { value: String(i) }, t(`value.${option.key}.${value}`)));
    const field = h('select', {}, items);
    const show = (/** @type {OptionValue} */ value) => (field.selectedIndex = values.indexOf(value));
    field.addEventListener('change', () => this.#set(option, values[field.selectedIndex] ?? option.default));
    this.#setters.set(option.key, show);
    show(option.default);
    return field;
  }

  /** @param {OptionInfo} option */
  #number(option) {
    const [min, max] = [String(option.least ?? 0), String(option.most ?? 9999)];
    const field = h('input', { type: 'number', min, max, value: String(option.default), inputmode: 'numeric' });
    field.addEventListener('change', () => {
      if (field.validity.valid && field.value) this.#set(option, Number(field.value));
      else field.value = String(this.changed[option.key] ?? option.default);
    });
    this.#setters.set(option.key, (value) => (field.value = String(value)));
    return field;
  }

  /** @param {OptionInfo} option @param {OptionValue} value */
  #set(option, value) {
    if (value === option.default) delete this.changed[option.key];
    else this.changed[option.key] = value;
  }
}

/** Options as a part of an address. @param {Options} options */
export function optionsPath(options) {
  return Object.entries(options).map(([key, value]) => `${key}.${value}`).join(',');
}

/** @param {string} text @param {HTMLElement} field */
export function labelled(text, field) {
  lastId += 1;
  field.id = `field-${lastId}`;
  return h('div', { class: 'field' }, h('label', { for: field.id }, text), field);
}
