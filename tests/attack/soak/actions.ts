/** Actions of a user on the demo's page, at random and as fast as possible. */
import type { Page } from '@playwright/test';
import { SCENE_NAMES, SCENES } from '../../../demo/contract/scene-contract.js';
import { Random } from '../../../src/shared/recording/random.js';
import type { Operation, Operations } from '../../fixtures/walk.js';

/** Expected changes of a page happen, however busy the machine is; this only ends a wait that would never end. */
export const LIMIT_MS = 600_000;

declare global {
  /** The recording that the page has saved last. */
  var savedFile: Blob | undefined;
}

const KEYS = [' ', '.', 'r', 'h', 'f'] as const;
const HELD_KEYS = ['ArrowUp', 'ArrowLeft', 'w', 'd', 'Shift'] as const;
const TITLES = SCENE_NAMES.map((name) => SCENES[name].title) as [string, ...string[]];
/** Not those that make the simulation fail, or the picture larger. */
const CONTROLS =
  '#panel :is([name=pause], [name=step], [name=reset], [name=shoot], [name^=stall], [name=tickHz], [name=timeScale], [name=split], [name=interpolation], #rewind), #replay :is(button, input)';

/**
 * Presses a button of the page, or sets another control, as a user would: one that is neither disabled nor hidden.
 *
 * @param share Which of them, and to which of its values, from 0 to 1.
 * @param text Of the button, or the value that it is set to. Default: any.
 * @returns What was done; undefined if there is none.
 */
export function operate(
  page: Page,
  selector: string,
  { share = 0, text }: { readonly share?: number; readonly text?: string } = {},
): Promise<string | undefined> {
  return page.evaluate(
    ([sought, part, given]) => {
      type Control = HTMLButtonElement | HTMLInputElement | HTMLSelectElement;
      const controls = [...document.querySelectorAll<Control>(sought)].filter(
        (each) =>
          !each.disabled &&
          each.closest('[hidden]') === null &&
          (!(each instanceof HTMLButtonElement) ||
            each.textContent.trim() === (given ?? each.textContent.trim())),
      );
      const control = controls[Math.floor(part * controls.length)];
      if (control === undefined) return undefined;
      const value = (part * controls.length) % 1;
      if (control instanceof HTMLButtonElement) {
        control.click();
        return `press "${control.textContent.trim()}"`;
      }
      if (control instanceof HTMLSelectElement) {
        const options = [...control.options];
        const option =
          given === undefined
            ? options[Math.floor(value * options.length)]
            : options.find((each) => each.text === given);
        if (option !== undefined) option.selected = true;
      } else if (control.type === 'checkbox') {
        control.checked = given === undefined ? !control.checked : given === 'on';
      } else {
        const [min, max] = [Number(control.min), Number(control.max)];
        control.value = given ?? String(min + value * (max - min));
      }
      control.dispatchEvent(new Event('input', { bubbles: true }));
      control.dispatchEvent(new Event('change', { bubbles: true }));
      return `set ${control.name || control.ariaLabel || control.id} to ${control.value}`;
    },
    [selector, share, text] as const,
  );
}

const whole = (random: Random, low: number, high: number): number =>
  Math.floor(random.between(low, high + 1));

/** Left of the panel: some of its buttons make the simulation fail. */
const PANEL_FREE = 0.55;

const positionOf = (page: Page, random: Random): readonly [number, number] => {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  return [whole(random, 0, PANEL_FREE * width), whole(random, 0, height - 1)];
};

/** @param act Returns what it has done; undefined if that was not possible in the page's state. */
const acting =
  (act: (page: Page, random: Random) => Promise<string | undefined>): Operation<Page> =>
  (page, n) =>
    act(page, new Random(n));

/**
 * Runs in the page before its own scripts: keeps the file that it has saved last, and blocks
 * navigation.
 */
export function preparePage(): void {
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

export const ACTIONS: Operations<Page> = {
  drag: [
    2,
    acting(async (page, random) => {
      const [from, to] = [positionOf(page, random), positionOf(page, random)];
      await page.mouse.move(...from);
      await page.mouse.down();
      await page.mouse.move(...to, { steps: whole(random, 1, 6) });
      await page.mouse.up();
      return `drag from ${from.join(' ')} to ${to.join(' ')}`;
    }),
  ],
  doubleClick: [
    2,
    acting(async (page, random) => {
      const [x, y] = positionOf(page, random);
      await page.mouse.dblclick(x, y);
      return `double click at ${x} ${y}`;
    }),
  ],
  wheel: acting(async (page, random) => {
    const [x, y] = positionOf(page, random);
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, whole(random, -600, 600));
    return `wheel at ${x} ${y}`;
  }),
  key: [
    4,
    acting(async (page, random) => {
      const name = random.pick(KEYS);
      await page.keyboard.press(name);
      return `key "${name}"`;
    }),
  ],
  heldKeys: [
    2,
    acting(async (page, random) => {
      const names = HELD_KEYS.filter(() => random.next() < 0.4);
      for (const name of names) await page.keyboard.down(name);
      for (const name of names) await page.keyboard.up(name);
      return `hold ${names.join(' and ')}`;
    }),
  ],
  control: [9, acting((page, random) => operate(page, CONTROLS, { share: random.next() }))],
  /** Small ones: the targets are the page's mistakes and not an engine's limits. */
  scene: acting(async (page, random) => {
    const scene = await operate(page, '[name=scene]', { text: random.pick(TITLES) });
    const bodies = String(whole(random, 6, 60));
    return `${scene}, ${await operate(page, '[name=bodies]', { text: bodies })}`;
  }),
  hide: acting(async (page) => {
    for (const isHidden of [true, false]) {
      await page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    }
    return 'hide the page for a moment';
  }),
  /** Saves the current recording, and shows it. */
  replay: acting(async (page) => {
    await page.evaluate(() => (globalThis.savedFile = undefined));
    await operate(page, '[name=save]');
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
    await page.locator('#replay:not([hidden])').waitFor({ state: 'attached', timeout: LIMIT_MS });
    return 'save the recording and show it';
  }),
};
