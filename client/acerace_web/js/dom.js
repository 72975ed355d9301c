/** Making elements. Text always goes in as text, never as markup: names come from strangers. */

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | boolean | EventListener | null | undefined>} [attributes] a function listens
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (typeof value === 'string') element.setAttribute(name, value);
  }
  element.append(...children.flat().filter(isNode));
  return element;
}

/** @param {Child} child @returns {child is Node | string} */
const isNode = (child) => child instanceof Node || (typeof child === 'string' && child !== '');

const SVG = 'http://www.w3.org/2000/svg';

/**
 * An element of an svg drawing.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...SVGElement} children
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * Write a text only if it is another one: a screen reader would read it again, and the layout be worked out again.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {string | null} value
 */
export function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Whether a key that is pressed here means something of its own, so that the page keeps its hands off. @param {KeyboardEvent} event */
export function keyIsTaken({ target, key, defaultPrevented }) {
  if (defaultPrevented || !(target instanceof Element)) return true;
  if (target.closest('dialog, input, select, textarea, .result')) return true;
  return (key === 'Enter' || key === ' ') && target.closest('a, button, summary') !== null;
}
