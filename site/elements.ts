/** Finds and creates elements: common functions of the site's pages. */

/**
 * @param id Id of an element that the page has.
 * @param type Its class, for example `HTMLCanvasElement`.
 * @throws Error if the page does not have it: then its HTML and its scripts do not match.
 */
export function elementById<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`this page has no ${type.name} with id "${id}"`);
  return element;
}

/** Makes an element with a class and a text. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  text = '',
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

/** Sets a text if it differs: otherwise the browser would compute the layout again. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
