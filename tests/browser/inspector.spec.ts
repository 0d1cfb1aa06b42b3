/** The inspector on a page of an application: what it shows, its controls, and how it gets along with the page. */
import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { decodeRecording } from '../../src/shared/index.js';
import { test as base } from '../browsers/shared-page.js';
import type {} from './pages/inspector.js';

const test = base.extend<{ expectedConsole: RegExp | undefined }>({
  expectedConsole: [undefined, { option: true }],
  page: async ({ page, expectedConsole }, use) => {
    const lines: string[] = [];
    // The development server's own are no message of ours.
    const keep = (text: string): unknown => text.startsWith('[vite]') || lines.push(text);
    page.on('console', (message) => keep(message.text()));
    page.on('pageerror', (error) => keep(String(error)));
    await page.goto('/tests/browser/pages/inspector.html');
    await page.waitForFunction(() => 'inspected' in globalThis);
    await use(page);
    page.removeAllListeners('console').removeAllListeners('pageerror');
    expect(lines.filter((line) => expectedConsole?.test(line) !== true)).toEqual([]);
  },
});

const tickOf = (page: Page): Promise<number> =>
  page.evaluate(() => inspected.simulation.stats().tick);
const stateOf = (page: Page): Promise<string> => page.evaluate(() => inspected.simulation.state);
const measure = (page: Page, name: string) => page.locator(`[data-measure=${name}]`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function waitForTick(page: Page, tick: number): Promise<void> {
  await page.waitForFunction((end) => inspected.simulation.stats().tick >= end, tick);
}

/** Moves the timeline to a place, as a pointer does that holds it and lets it go. */
async function dragTo(page: Page, tick: number, isReleased = true): Promise<void> {
  await page.getByRole('slider', { name: 'Tick' }).evaluate(
    (slider, [value, ends]) => {
      if (!(slider instanceof HTMLInputElement)) return;
      slider.value = String(value);
      slider.dispatchEvent(new Event('input'));
      if (ends) slider.dispatchEvent(new Event('change'));
    },
    [tick, isReleased] as const,
  );
}

test('it shows what is measured, and draws its plots', async ({ page }) => {
  await page.evaluate(() =>
    inspected.start({}, { measures: () => ({ 'My level': 'seven' }), title: 'My game' }),
  );
  await expect(page.getByRole('region', { name: 'My game' })).toBeVisible();
  await expect(measure(page, 'tickRate')).toHaveText('60 Hz');
  await expect(measure(page, 'bodies')).toHaveText('16 of 64');
  await expect(measure(page, 'transport')).toHaveText('shared');
  await expect(measure(page, 'memory')).toHaveText(/^\d+ kB$/);
  await expect(measure(page, 'fps')).toHaveText(/^[1-9]/);
  // Nothing renders there.
  await expect(measure(page, 'load')).toHaveText(/^worker \d+ % · page \d+ % · renderer –$/);
  await expect(measure(page, 'my-level')).toHaveText('seven');
  await expect(page.locator('.counter-line')).toHaveText(/Updated: [1-9]/);
  const plots = page.getByRole('img');
  await expect(plots).toHaveCount(4);
  // Pixels besides those of the grid and its labels, which have hardly any colour.
  const colored = () =>
    plots.evaluateAll((canvases) =>
      canvases.map((canvas) => {
        const { width, height } = canvas as HTMLCanvasElement;
        const copy = new OffscreenCanvas(width, height).getContext('2d');
        copy?.drawImage(canvas as HTMLCanvasElement, 0, 0);
        const data = copy?.getImageData(0, 0, width, height).data ?? [];
        for (let at = 0; at < data.length; at += 4) {
          const [red = 0, green = 0, blue = 0, opacity = 0] = data.slice(at, at + 4);
          if (opacity > 60 && Math.max(red, green, blue) - Math.min(red, green, blue) > 80)
            return true;
        }
        return false;
      }),
    );
  await expect.poll(colored).toEqual([true, true, true, true]);
});

/** By the button, and waits until the worker has received it: no more ticks run. */
async function pause(page: Page): Promise<void> {
  await button(page, 'Pause').click();
  await expect.poll(() => stateOf(page)).toBe('paused');
  // Messages stay in order: a query after the pause is answered after it.
  await page.evaluate(() => inspected.simulation.queries.echo(0));
}

test('it pauses, steps, resumes, and changes the time scale', async ({ page }) => {
  await page.evaluate(() => inspected.start());
  await pause(page);
  await expect(measure(page, 'speed')).toHaveText('paused');
  const tick = await tickOf(page);
  await button(page, 'Step').click();
  await waitForTick(page, tick + 1);
  expect(await tickOf(page)).toBe(tick + 1);
  await button(page, 'Resume').click();
  await expect.poll(() => stateOf(page)).toBe('running');
  await waitForTick(page, tick + 3);
  // A step pauses a simulation that runs.
  await button(page, 'Step').click();
  await expect.poll(() => stateOf(page)).toBe('paused');
  await page.getByLabel('Time scale').selectOption('0.25 ×');
  await expect.poll(() => page.evaluate(() => inspected.simulation.timeScale)).toBe(0.25);
  await page.evaluate(() => inspected.simulation.setTimeScale(3));
  await page.getByLabel('Time scale').blur();
  await expect(page.getByLabel('Time scale')).toHaveValue('3');
});

test('the timeline rewinds the run, and moves forwards again while it is held', async ({
  page,
}) => {
  await page.evaluate(() => inspected.start({ recording: { rewindSeconds: 60 } }));
  await waitForTick(page, 60);
  await page.evaluate(() => inspected.simulation.pause());
  const end = await tickOf(page);
  const slider = page.getByRole('slider', { name: 'Tick' });
  await expect(slider).toHaveAttribute('aria-valuetext', `Tick ${end}`);
  await dragTo(page, 20, false);
  await waitForShown(page, 20);
  await dragTo(page, 40, false);
  await waitForShown(page, 40);
  await dragTo(page, 30);
  await expect
    .poll(() => page.evaluate(() => inspected.simulation.replay?.state ?? 'closed'))
    .toBe('closed');
  expect([await tickOf(page), await stateOf(page)]).toEqual([30, 'paused']);
  // The run continues from there.
  await expect(slider).toHaveAttribute('aria-valuetext', 'Tick 30');
  await button(page, 'Resume').click();
  await waitForTick(page, 35);
  // With keys, and a run that runs: it continues by itself, so slowly that the next look finds it there.
  await page.evaluate(() => inspected.simulation.setTimeScale(0.01));
  await slider.focus();
  await page.keyboard.press('Home');
  await expect
    .poll(() => page.evaluate(() => inspected.simulation.rewindRange.to))
    .toBeLessThan(30);
  await expect.poll(() => stateOf(page)).toBe('running');
});

async function waitForShown(page: Page, tick: number): Promise<void> {
  await page.waitForFunction((shown) => {
    const { replay } = inspected.simulation;
    return replay?.state === 'paused' && inspected.simulation.stats().tick === shown;
  }, tick);
}

test('it saves a recording as a file, and shows it as a replay', async ({ page }) => {
  await page.evaluate(() => inspected.start());
  await waitForTick(page, 20);
  await pause(page);
  const downloading = page.waitForEvent('download');
  await button(page, 'Save recording').click();
  const path = await (await downloading).path();
  const { lastTick } = decodeRecording(new Uint8Array(readFileSync(path)));
  expect(lastTick).toBe(await tickOf(page));
  await button(page, 'Resume').click();
  await waitForTick(page, lastTick + 10);

  await page.getByLabel('Recording to load').setInputFiles(path);
  await expect(page.getByText(`of ${lastTick} · equal hashes`)).toBeVisible();
  await expect(page.getByText(/^Replay, ended/)).toBeVisible();
  await expect(page.getByText('The replay has ended. Equal hashes')).toBeVisible();
  await button(page, 'Close replay').click();
  await expect(button(page, 'Close replay')).toBeHidden();
  expect(await page.evaluate(() => inspected.simulation.replay)).toBeUndefined();

  await page.getByLabel('Recording to load').setInputFiles({
    name: 'x.btwr',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from('nothing'),
  });
  await expect(page.getByRole('log')).toContainText(/recording/i);
});

test('keys reach every control and none of the application, and Escape folds it', async ({
  page,
}) => {
  await page.evaluate(() => inspected.start());
  await expect(button(page, 'Pause')).toBeEnabled();
  await waitForTick(page, 30);
  await expect(page.getByRole('slider', { name: 'Tick' })).toBeEnabled();
  const reached: string[] = [];
  for (let at = 0; at < 7; at++) {
    await page.keyboard.press('Tab');
    reached.push(
      await page.evaluate(() => {
        const focused = document.activeElement?.shadowRoot?.activeElement;
        return focused?.getAttribute('aria-label') ?? focused?.textContent ?? '';
      }),
    );
  }
  expect(reached).toEqual([
    'betwixt',
    'Pause',
    'Step',
    expect.stringContaining('×'),
    'Tick',
    'Save recording',
    'Load recording…',
  ]);
  expect(await page.evaluate(() => inspected.keys.splice(0))).toEqual(['Tab']);
  await page.keyboard.press('Escape');
  const fold = button(page, 'betwixt');
  await expect(fold).toBeFocused();
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  await expect(button(page, 'Pause')).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(button(page, 'Pause')).toBeVisible();
  expect(await page.evaluate(() => [inspected.folds, inspected.keys])).toEqual([[true, false], []]);
  // After a click, keys belong to the application.
  await button(page, 'Pause').click();
  await page.keyboard.press('KeyW');
  expect(await page.evaluate(() => inspected.keys)).toEqual(['KeyW']);
});

test('it fits on a phone and in a low window, with one plot at a time', async ({ page }) => {
  await page.evaluate(() => inspected.start());
  await expect(measure(page, 'fps')).toHaveText(/^[1-9]/);
  for (const window of [
    { width: 390, height: 800 },
    { width: 320, height: 480 },
    { width: 800, height: 400 },
  ]) {
    await page.setViewportSize(window);
    await expect(page.getByRole('img')).toHaveCount(1);
    const { bounds, overflow } = await page
      .getByRole('region', { name: 'betwixt' })
      .evaluate((section) => {
        const host = (section.getRootNode() as ShadowRoot).host;
        const inner = host.scrollWidth - host.clientWidth;
        const outer = document.documentElement.scrollWidth - innerWidth;
        return {
          bounds: host.getBoundingClientRect().toJSON() as DOMRect,
          overflow: Math.max(inner, outer),
        };
      });
    expect(overflow).toBeLessThanOrEqual(0);
    expect(Math.min(bounds.left, bounds.top)).toBeGreaterThanOrEqual(0);
    expect(bounds.right).toBeLessThanOrEqual(window.width);
    expect(bounds.bottom).toBeLessThanOrEqual(window.height);
  }
  await button(page, 'Lateness').click();
  await expect(page.getByRole('img', { name: /Lateness/ })).toBeVisible();
  await expect(button(page, 'Lateness')).toHaveAttribute('aria-pressed', 'true');
});

test('axe finds nothing in it, light and dark, with a log', async ({ page }) => {
  await page.evaluate(() => inspected.start());
  await expect(measure(page, 'fps')).toHaveText(/^[1-9]/);
  await page.evaluate(() => inspected.simulation.commands.breakPose());
  await expect(page.getByRole('log')).toContainText('Invalid pose');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations, passes } = await new AxeBuilder({ page }).analyze();
    expect(passes.length).toBeGreaterThan(10);
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ failureSummary, html }) => `${id}: ${html}: ${failureSummary}`),
    );
    // The page around it is hardly one.
    expect(found.filter((text) => !/^(?:page-has-heading-one|html-has-lang)/.test(text))).toEqual(
      [],
    );
  }
  await page.emulateMedia({ colorScheme: null });
});

test('the styles of the page and its own do not meet', async ({ page }) => {
  await page.evaluate(() => inspected.start());
  await expect(button(page, 'Pause')).toBeVisible();
  const sizeOf = (selector: string) =>
    page.locator(selector).evaluate((element) => getComputedStyle(element).fontSize);
  expect([await sizeOf('main'), await sizeOf('.fold')]).toEqual(['40px', '12px']);
});

test('it is folded at first if asked to, has the parts asked for, and closes', async ({ page }) => {
  await page.evaluate(() => inspected.start({}, { isFolded: true, parts: ['plots', 'log'] }));
  await expect(page.getByRole('img')).toHaveCount(0);
  await page.evaluate(() => inspected.inspector.setFolded(false));
  await expect(page.getByRole('img')).toHaveCount(4);
  await expect(button(page, 'Pause')).toHaveCount(0);
  await expect(page.locator('.numbers')).toHaveCount(0);
  expect(await page.evaluate(() => inspected.folds)).toEqual([]);
  await page.evaluate(() => {
    inspected.inspector.close();
    inspected.inspector.close();
  });
  await expect(page.getByRole('img')).toHaveCount(0);
  const tick = await tickOf(page);
  await waitForTick(page, tick + 5);
});

test.describe('of a room', () => {
  // Here the worker of a prediction runs in the page, which the library says.
  test.use({ expectedConsole: /there is no worker/ });

  for (const mode of ['stream', 'predict'] as const) {
    test(`in the mode ${mode} it is shown, and what the room decides is disabled`, async ({
      page,
    }) => {
      await page.evaluate((chosen) => inspected.startRoom(chosen), mode);
      await expect(measure(page, 'tickRate')).toHaveText('60 Hz');
      await expect(measure(page, 'bodies')).toHaveText(/^1 of/);
      await expect(measure(page, 'fps')).toHaveText(/^[1-9]/);
      await waitForTick(page, (await tickOf(page)) + 30);
      await expect(page.getByRole('img')).toHaveCount(4);
      for (const name of ['Pause', 'Step', 'Save recording', 'Load recording…']) {
        await expect(button(page, name)).toBeDisabled();
      }
      await expect(page.getByRole('slider', { name: 'Tick' })).toBeDisabled();
      await expect(page.getByLabel('Time scale')).toBeDisabled();
      await expect(page.getByLabel('Time scale')).toHaveValue('1');
      await page.evaluate(() => inspected.simulation.dispose());
      await expect(measure(page, 'speed')).toHaveText('disposed');
    });
  }
});

test.describe('failures', () => {
  // The failure itself, by the library during development, and by the browser for what it cannot load.
  test.use({ expectedConsole: /no luck|the simulation threw|Failed to load resource/ });

  test('the log has a worker that failed, and the controls have no effect any more', async ({
    page,
  }) => {
    // A worker that runs may oversleep, which is a line.
    await page.evaluate(() => inspected.start({ startPaused: true }));
    await expect(page.getByRole('log')).toBeHidden();
    await page.evaluate(() => inspected.simulation.resume());
    await page.evaluate(() => inspected.simulation.commands.poison('no luck').catch(() => {}));
    await expect(page.getByRole('log')).toContainText('no luck');
    await expect(measure(page, 'speed')).toHaveText('failed');
    await expect(button(page, 'Pause')).toBeDisabled();
    await button(page, 'Clear').click();
    await expect(page.getByRole('log')).toBeHidden();
  });

  test('the log has a simulation that did not start', async ({ page }) => {
    await page.evaluate(() => inspected.fail());
    await expect(page.getByRole('log')).toContainText('worker');
    await expect(button(page, 'Pause')).toBeDisabled();
  });
});
