/** Short sounds made on the spot; off unless somebody wants them. */

import { settings } from './settings.js';

/** @type {AudioContext | null} */
let audio = null;

/** Pitch in hertz, length in seconds, and how it is made. @type {Record<string, [number, number, OscillatorType][]>} */
const SOUNDS = {
  move: [[320, 0.05, 'triangle']],
  draw: [[240, 0.05, 'triangle']],
  up: [[520, 0.07, 'sine'], [780, 0.09, 'sine']],
  other: [[180, 0.06, 'sine']],
  refused: [[140, 0.12, 'square']],
  race: [[300, 0.08, 'square'], [200, 0.14, 'square']],
  won: [[523, 0.1, 'sine'], [659, 0.1, 'sine'], [784, 0.22, 'sine']],
  found: [[659, 0.1, 'sine'], [880, 0.16, 'sine']],
};

const VOLUME = 0.08;

/** @param {string} name */
export function sound(name) {
  if (!settings.sounds) return;
  audio ??= new AudioContext();
  let at = audio.currentTime;
  for (const [pitch, length, type] of SOUNDS[name] ?? []) {
    const gain = new GainNode(audio, { gain: VOLUME });
    const tone = new OscillatorNode(audio, { type, frequency: pitch });
    gain.gain.setTargetAtTime(0, at + length * 0.5, length * 0.2);
    tone.connect(gain).connect(audio.destination);
    tone.start(at);
    tone.stop(at + length * 1.5);
    at += length;
  }
}
