/** Makes elements of the display. */

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

/** Makes a button. */
export function makeButton(text: string, run: () => void): HTMLButtonElement {
  const button = make('button', '', text);
  button.type = 'button';
  button.addEventListener('click', run);
  return button;
}

/** Makes a named group of controls. */
export function makeGroup(
  className: string,
  name: string,
  ...content: readonly HTMLElement[]
): HTMLElement {
  const group = make('div', className);
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', name);
  group.append(...content);
  return group;
}

/** Sets a text if it differs: otherwise the browser would compute the layout again. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Part of a `data-` attribute: lower case, without blanks. */
export const nameOf = (title: string): string => title.toLowerCase().replaceAll(/\W+/g, '-');
