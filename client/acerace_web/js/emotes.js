/**
 * The few things players can say to each other.
 *
 * @import {TableView} from './table.js'
 */

import { h } from './dom.js';
import { t } from './texts.js';

const EMOTES = ['hello', 'good_luck', 'well_played', 'ouch', 'thinking', 'hurry', 'thanks', 'rematch'];

export class Emotes {
  element = h('div', { class: 'emotes', hidden: true });

  /** @param {TableView} view */
  constructor(view) {
    const buttons = EMOTES.map((emote) => {
      const say = () => {
        view.session.say(emote);
        this.element.hidden = true;
      };
      return h('button', { type: 'button', click: say }, t(`emote.${emote}`));
    });
    this.element.append(...buttons);
    this.element.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.element.hidden = true;
    });
  }

  toggle() {
    this.element.hidden = !this.element.hidden;
    if (!this.element.hidden) this.element.querySelector('button')?.focus();
  }
}
