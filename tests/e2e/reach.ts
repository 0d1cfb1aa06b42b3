/** What the Tab key reaches on a page. */
import type { Page } from '@playwright/test';

/**
 * Presses Tab until the focus is where it was before.
 *
 * @returns What can be operated and does not get the focus on that way: controls that are left out, and what has only a pointer's
 * cursor and no control in or around it. Of radio buttons, one is enough; arrow keys reach the others.
 */
export async function unreachable(page: Page): Promise<readonly string[]> {
  await page.evaluate(watchFocus);
  const visited: string[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const state = await page.evaluate(() => globalThis.focusWatch.state());
    if (state.isRound) break;
    visited.push(state.name);
    if (visited.length > 1_000)
      throw new Error(`Tab never returns: ${visited.slice(-20).join(' ')}`);
  }
  return page.evaluate(() => globalThis.focusWatch.missed());
}

declare global {
  var focusWatch: {
    /** Of the focus now. `isRound`: it was there before. */
    state(): { readonly isRound: boolean; readonly name: string };
    missed(): readonly string[];
  };
}

/** Runs in the page, where there is nothing from outside of it. */
/* oxlint-disable unicorn/consistent-function-scoping */
function watchFocus(): void {
  const OPERABLE =
    'a[href], button, input, select, textarea, summary, iframe, [tabindex], [role="button"], ' +
    '[role="link"], [role="checkbox"], [role="tab"], [role="slider"], [role="menuitem"], [contenteditable="true"]';
  /** Of the panel's numbers, which the field next to each sets, too. */
  const KNOB = '.tp-txtv_k';
  const visited = new Set<Element>();
  const isShown = (element: Element): boolean =>
    element.checkVisibility({ checkVisibilityCSS: true }) &&
    element.closest('[inert], [aria-hidden="true"]') === null &&
    element.getBoundingClientRect().width > 0;
  const nameOf = (element: Element): string => {
    const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim();
    const { id, className, tagName } = element;
    return `${tagName.toLowerCase()}${id && `#${id}`}.${className} "${text.slice(0, 40)}"`;
  };
  const groupOf = (element: Element): readonly Element[] => {
    if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return [element];
    const all = document.querySelectorAll<HTMLInputElement>('input[type="radio"]');
    return [...all].filter(({ name, form }) => name === element.name && form === element.form);
  };
  /** Focusable by code only, such as a heading to which the page moves the focus. */
  const isTarget = (element: Element): boolean =>
    element.getAttribute('tabindex') === '-1' &&
    !element.matches('a, button, input, select, textarea, summary, [role]');
  globalThis.focusWatch = {
    state() {
      const { activeElement } = document;
      // Between the end of the page and its beginning, the body has it.
      let focused = activeElement ?? document.body;
      while (focused.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
      const isRound = visited.has(focused);
      for (const element of groupOf(focused)) visited.add(element);
      return { isRound, name: nameOf(focused) };
    },
    missed() {
      const controls = [...document.querySelectorAll(OPERABLE)].filter(
        (element) =>
          isShown(element) &&
          !element.matches(':disabled') &&
          !isTarget(element) &&
          !visited.has(element),
      );
      const pointers = [...document.querySelectorAll('body *')].filter(
        (element) =>
          isShown(element) &&
          getComputedStyle(element).cursor === 'pointer' &&
          element.closest(`${OPERABLE}, ${KNOB}, label, option, :disabled`) === null &&
          element.querySelector(OPERABLE) === null,
      );
      return [...controls, ...pointers].map(nameOf);
    },
  };
}
