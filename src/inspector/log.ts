/** The log of what went wrong. Hidden as long as nothing did. */
import { make, makeButton } from './elements.js';
import type { LogLine } from './log-text.js';

/** Older ones go when there are more. */
const MAX_LINES = 100;

/** The log in the page. */
export class Log {
  readonly element = make('section', 'log');
  readonly #list = make('div', 'lines');
  #last: { readonly line: LogLine; times: number; readonly count: HTMLElement } | undefined;

  constructor() {
    this.element.setAttribute('aria-label', 'Log');
    this.#list.setAttribute('role', 'log');
    this.#list.setAttribute('aria-label', 'What went wrong');
    // It scrolls, so keys have to reach it.
    this.#list.tabIndex = 0;
    const heading = make('header', '', 'Log');
    heading.append(makeButton('Clear', () => this.clear()));
    this.element.append(heading, this.#list);
    this.clear();
  }

  /** @param tick The newest tick then; undefined if there is none. */
  add(line: LogLine, tick: number | undefined): void {
    if (this.#last?.line.text === line.text) {
      this.#last.times += 1;
      this.#last.count.textContent = ` × ${this.#last.times}`;
      return;
    }
    const entry = make('p', line.level);
    const count = make('span');
    const place = tick === undefined ? [] : [make('span', 'tick', `tick ${tick} `)];
    entry.append(...place, line.text, count);
    this.#list.append(entry);
    if (this.#list.childElementCount > MAX_LINES) this.#list.firstElementChild?.remove();
    this.#last = { line, times: 1, count };
    this.element.hidden = false;
    this.#list.scrollTop = this.#list.scrollHeight;
  }

  clear(): void {
    this.#list.replaceChildren();
    this.#last = undefined;
    this.element.hidden = true;
  }
}
