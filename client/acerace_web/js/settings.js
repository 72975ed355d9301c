/** What the person has chosen, kept in this browser. */

const KEY = 'acerace';

/**
 * @typedef {object} Choices
 * @property {string | null} token
 * @property {string | null} name
 * @property {string | null} account the name that is ours by a password, if we know of one
 * @property {string | null} language
 * @property {'auto' | 'light' | 'dark'} theme
 * @property {boolean} fourColours
 * @property {boolean} leftHanded
 * @property {'auto' | 'on' | 'off'} motion
 * @property {boolean} sounds
 * @property {boolean} places where a lifted card may go is shown
 * @property {boolean} explain a refusal says which rule it breaks
 * @property {boolean} automatic a released card goes where a double tap would send it
 */

/** @type {Choices} */
const DEFAULTS = {
  token: null,
  name: null,
  account: null,
  language: null,
  theme: 'auto',
  fourColours: false,
  leftHanded: false,
  motion: 'auto',
  sounds: false,
  places: true,
  explain: true,
  automatic: false,
};

/** @type {Set<() => void>} */
const listeners = new Set();

/** @returns {Choices} */
function read() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return { ...DEFAULTS }; // no storage, or not ours
  }
}

const choices = read();

/** Another window of this browser has chosen. */
addEventListener('storage', ({ key }) => {
  if (key !== KEY) return;
  Object.assign(choices, read());
  for (const listener of listeners) listener();
});

/** Assign to a property and it is kept; others are told by {@link onSettings}. */
export const settings = new Proxy(choices, {
  set(_, key, value) {
    Reflect.set(choices, key, value);
    try {
      localStorage.setItem(KEY, JSON.stringify(choices));
    } catch {
      // a private window may have no storage: the choice holds until the page is closed
    }
    for (const listener of listeners) listener();
    return true;
  },
});

/** @param {() => void} listener @returns {() => void} ends it */
export function onSettings(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function reducedMotion() {
  if (settings.motion !== 'auto') return settings.motion === 'off';
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
