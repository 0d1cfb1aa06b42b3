/** Actions of a user on the demo's page, at random and as fast as possible. */
import type { Page } from '@playwright/test';
import { SCENE_NAMES, SCENES } from '../../../demo/contract/scene-contract.js';
import { INTERPOLATION_MODES } from '../../../demo/page/library-choices.js';
import { Random } from '../../../src/shared/recording/random.js';
import type { Operation, Operations } from '../../fixtures/walk.js';

/**
 * Expected changes of a page happen, however busy the machine is; this only ends a wait that would
 * never end.
 */
export const LIMIT_MS = 600_000;

declare global {
  /** The recording that the page has saved last. */
  var savedFile: Blob | undefined;
}

/** @returns A description of the action; undefined if it was not possible in the page's state. */
type Action = (page: Page, random: Random) => Promise<string | undefined>;

const KEYS = [' ', '.', 'r', 'h', 'f'] as const;
const HELD_KEYS = ['ArrowUp', 'ArrowLeft', 'w', 'd', 'Shift'] as const;
const BUTTONS = ['Pause', 'Resume', 'Step', 'Reset', 'Shoot'] as const;
const TITLES = SCENE_NAMES.map((name) => SCENES[name].title) as [string, ...string[]];
const STALLS = ['Stall the worker', 'Stall the page'] as const;

/** Presses a button of the page as a user would; a button that is hidden or disabled is skipped. */
export function pressButton(page: Page, within: string, title: string): Promise<boolean> {
  return page.evaluate(
    ([selector, text]) => {
      const buttons = [...document.querySelectorAll<HTMLButtonElement>(`${selector} button`)];
      const button = buttons.find(({ textContent }) => textContent.trim() === text);
      if (button === undefined || button.disabled || button.closest('[hidden]') !== null) {
        return false;
      }
      button.click();
      return true;
    },
    [within, title] as const,
  );
}

/**
 * Sets a field or a list of the page to another value; one that is missing or disabled is skipped.
 */
export function setControl(page: Page, selector: string, value: string): Promise<boolean> {
  return page.evaluate(
    ([sought, text]) => {
      const control = document.querySelector<HTMLInputElement | HTMLSelectElement>(sought);
      if (control === null || control.disabled || control.closest('[hidden]') !== null) {
        return false;
      }
      if (control instanceof HTMLSelectElement) {
        const option = [...control.options].find((each) => each.text === text);
        if (option === undefined) return false;
        option.selected = true;
      } else if (control.type === 'checkbox') {
        control.checked = text === 'the other' ? !control.checked : text === 'on';
      } else control.value = text;
      control.dispatchEvent(new Event('input', { bubbles: true }));
      control.dispatchEvent(new Event('change', { bubbles: true }));
      return true;
    },
    [selector, value] as const,
  );
}

const pressing =
  (titles: readonly [string, ...string[]], within = '#panel'): Action =>
  async (page, random) => {
    const title = random.pick(titles);
    return (await pressButton(page, within, title)) ? `press "${title}"` : undefined;
  };

const setting =
  (selector: string, valueOf: (random: Random) => string): Action =>
  async (page, random) => {
    const value = valueOf(random);
    return (await setControl(page, selector, value)) ? `set ${selector} to ${value}` : undefined;
  };

const whole = (random: Random, low: number, high: number): number =>
  Math.floor(random.between(low, high + 1));

/** Left of the panel: some of its buttons make the simulation fail. */
const PANEL_FREE = 0.55;

const positionOf = (page: Page, random: Random): readonly [number, number] => {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  return [whole(random, 0, PANEL_FREE * width), whole(random, 0, height - 1)];
};

const drag: Action = async (page, random) => {
  const from = positionOf(page, random);
  const to = positionOf(page, random);
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: whole(random, 1, 6) });
  await page.mouse.up();
  return `drag from ${from.join(' ')} to ${to.join(' ')}`;
};

const doubleClick: Action = async (page, random) => {
  const [x, y] = positionOf(page, random);
  await page.mouse.dblclick(x, y);
  return `double click at ${x} ${y}`;
};

const wheel: Action = async (page, random) => {
  const [x, y] = positionOf(page, random);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, whole(random, -600, 600));
  return `wheel at ${x} ${y}`;
};

const key: Action = async (page, random) => {
  const name = random.pick(KEYS);
  await page.keyboard.press(name);
  return `key "${name}"`;
};

const heldKeys: Action = async (page, random) => {
  const names = HELD_KEYS.filter(() => random.next() < 0.4);
  for (const name of names) await page.keyboard.down(name);
  for (const name of names) await page.keyboard.up(name);
  return `hold ${names.join(' and ')}`;
};

/** Small ones: the targets are the page's mistakes and not an engine's limits. */
const scene: Action = async (page, random) => {
  const title = random.pick(TITLES);
  if (!(await setControl(page, '[name=scene]', title))) return undefined;
  const bodies = String(whole(random, 6, 60));
  await setControl(page, '[name=bodies]', bodies);
  return `scene ${title} with ${bodies} bodies`;
};

/**
 * Runs in the page before its own scripts: keeps the file that it has saved last, and blocks
 * navigation.
 */
export function preparePage(): void {
  // No function here may have a name: tsx marks such functions with a helper that the page does not
  // have.
  document.addEventListener(
    'click',
    (event) => {
      const { target } = event;
      const isLink = target instanceof Element && target.closest('a:not([download])') !== null;
      if (isLink) event.preventDefault();
    },
    true,
  );
  const { createObjectURL } = URL;
  URL.createObjectURL = (file: Blob) => {
    globalThis.savedFile = file;
    return createObjectURL(file);
  };
}

/** Saves the current recording, and shows it. */
const replay: Action = async (page) => {
  await page.evaluate(() => {
    globalThis.savedFile = undefined;
  });
  if (!(await pressButton(page, '#panel', 'Save recording'))) return undefined;
  const isShown = await page.evaluate(() => {
    const input = document.querySelector<HTMLInputElement>('[aria-label="Recording to load"]');
    // While another worker starts there is nothing to save.
    if (globalThis.savedFile === undefined || input === null) return false;
    const files = new DataTransfer();
    files.items.add(new File([globalThis.savedFile], 'soak.btwr'));
    input.files = files.files;
    input.dispatchEvent(new Event('change'));
    return true;
  });
  if (!isShown) return undefined;
  await page.waitForFunction(
    () => document.querySelector('#replay:not([hidden])') !== null,
    undefined,
    { timeout: LIMIT_MS },
  );
  return 'save the recording and show it';
};

const hide: Action = async (page) => {
  const setHidden = (isHidden: boolean): Promise<void> =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
  await setHidden(true);
  await setHidden(false);
  return 'hide the page for a moment';
};

const acting =
  (action: Action): Operation<Page> =>
  (page, n) =>
    action(page, new Random(n));

const PLAYER = ['Pause', 'Play', 'Take over', 'Close'] as const;

/** Each returns what it did; undefined if that was not possible. */
export const ACTIONS: Operations<Page> = {
  drag: [2, acting(drag)],
  doubleClick: [2, acting(doubleClick)],
  wheel: acting(wheel),
  key: [4, acting(key)],
  heldKeys: [2, acting(heldKeys)],
  scene: acting(scene),
  hide: acting(hide),
  replay: acting(replay),
  press: [2, acting(pressing(BUTTONS))],
  pressInReplay: [2, acting(pressing(PLAYER, '#replay'))],
  stall: acting(pressing(STALLS)),
  seekInReplay: [
    2,
    acting(setting('[aria-label="Tick of the replay"]', (random) => String(whole(random, 0, 300)))),
  ],
  rewind: acting(setting('#rewind', (random) => String(whole(random, 0, 300)))),
  rate: acting(setting('[name=tickHz]', (random) => String(whole(random, 10, 240)))),
  scale: acting(setting('[name=timeScale]', (random) => random.between(0.1, 2).toFixed(2))),
  interpolation: acting(
    setting('[name=interpolation]', (random) =>
      random.pick(INTERPOLATION_MODES as [string, ...string[]]),
    ),
  ),
  split: acting(setting('[name=split]', () => 'the other')),
};

/**
 * Waits until the page shows frames again after an action: while it builds a scene, starts another worker or seeks, the
 * display is frozen. Two of these at the same time are not tried.
 */
export async function waitAfter(page: Page, done: string): Promise<void> {
  await framesGoOn(page).catch((error: unknown) => {
    throw new Error(`no frame comes after: ${done}: ${String(error)}`, { cause: error });
  });
}

/** Counted by the page's current simulation: another one may replace it in the meantime. */
async function framesGoOn(page: Page): Promise<void> {
  const last = await page.evaluateHandle(() => ({ of: globalThis.betwixt, frames: Infinity }));
  await page.waitForFunction(
    (seen) => {
      const { state, frames } = globalThis.betwixt.stats();
      const isSame = globalThis.betwixt === seen.of && frames > seen.frames;
      if (globalThis.betwixt !== seen.of || frames < seen.frames) {
        seen.of = globalThis.betwixt;
        seen.frames = frames;
      }
      return isSame && state !== 'disposed';
    },
    last,
    { timeout: LIMIT_MS },
  );
  await last.dispose();
}
