/**
 * The few things players can say to each other.
 *
 * @import {TableView} from './table.js'
 */

import { h } from './dom.js';
import { t } from './texts.js';

const EMOTES = ['hello', 'good_luck', 'well_played', 'ouch', 'thinking', 'hurry', 'thanks', 'rematch'];

export class Emotes {
  element = h('div', { id: 'emotes', class: 'emotes', popover: 'auto' });

  /** @param {TableView} view */
  constructor(view) {
    const buttons = EMOTES.map((emote) => {
      const say = () => {
        view.session.say(emote);
        this.element.hidePopover();
      };
      return h('button', { type: 'button', autofocus: emote === EMOTES[0], click: say }, t(`emote.${emote}`));
    });
    this.element.append(...buttons);
  }
}
