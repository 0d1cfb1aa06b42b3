/** The example: a game of pool, played by pointer and by keyboard. */
import type { Page } from '@playwright/test';
import type { SimulationHandle } from 'betwixt';
import type { Look, Score } from '../../examples/pool/src/simulation.js';
import { boxOf } from './places.js';
import { expect, test } from './demo-page.js';

declare global {
  var changesSeen: string[];
  var sim: SimulationHandle<Record<never, never>, { score: Score }, { score: () => Score }, Look>;
}

const PATH = '/examples/pool/';
/** The cloth, four cushions, six pockets, the bar, eleven balls, and six dots to aim with. */
const BODIES = 29;
/** The color of the rack's first ball. */
const RED = 'hsl(0, 70%, 50%)';

/** Opens the game with a small picture, which the CPU draws, and waits until it is drawn. */
async function openPool(page: Page): Promise<void> {
  await page.route(`**${PATH}`, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(
      /width="\d+" height="\d+"/,
      'width="300" height="200"',
    );
    await route.fulfill({ response, body });
  });
  await page.goto(PATH);
  await page.waitForFunction(() => 'sim' in globalThis && globalThis.sim.bodies.size > 0);
}

/** The drawn bodies with this color, and where they are: the white ball first, then the dots. */
const drawn = (page: Page, color: string) =>
  page.evaluate(
    (wanted) =>
      [...globalThis.sim.bodies].flatMap(([id, look]) => {
        const pose = globalThis.sim.pose(id, new Float64Array(7));
        return pose === undefined || look.color !== wanted ? [] : [{ x: pose[0], z: pose[2] }];
      }),
    color,
  );

const score = (page: Page) => page.locator('#score');

const tickOf = (page: Page) => page.evaluate(() => globalThis.sim.stats().tick);

/** Where a part of the canvas is in the window. */
async function at(page: Page, right: number, down: number): Promise<readonly [number, number]> {
  const { x, y, width, height } = await boxOf(page.locator('#canvas'));
  return [x + right * width, y + down * height];
}

test('pool: a shot by pointer goes where it points, and one by keyboard counts, too', async ({
  page,
}) => {
  await openPool(page);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await expect(score(page)).toHaveText('Pocketed: 0 of 10. Shots: 0');
  const [white] = await drawn(page, 'white');
  expect(white?.x).toBeCloseTo(-0.5, 3);

  // Into the rack's upper half, from the side.
  await page.mouse.move(...(await at(page, 0.3, 0.3)));
  await page.mouse.down();
  await expect.poll(async () => (await drawn(page, 'white')).at(-1)?.z).toBeLessThan(-0.2);
  const aim = (await drawn(page, 'white')).at(-1);
  expect(aim?.x).toBeLessThan(-0.25);
  await page.mouse.up();
  await expect(score(page)).toContainText('Shots: 1');
  await expect.poll(async () => (await drawn(page, 'white'))[0]?.z).not.toBeCloseTo(0, 2);

  await page.keyboard.down('ArrowDown');
  await expect
    .poll(async () => (await drawn(page, 'white')).at(-1)?.z)
    .toBeGreaterThan((aim?.z ?? 0) + 0.1);
  await page.keyboard.up('ArrowDown');
  await page.keyboard.press('Space');
  await expect(score(page)).toContainText('Shots: 2');
});

test('pool: rewinding takes shots back, and a new game begins with another rack', async ({
  page,
}) => {
  await openPool(page);
  const rack = await drawn(page, RED);
  await page.keyboard.press('Space');
  await expect(score(page)).toContainText('Shots: 1');
  // A busy machine may have come far beyond the shot by now.
  await page.evaluate(() => globalThis.sim.pause());
  const back = page.getByRole('button', { name: 'Back 3 s' });
  let tick = await tickOf(page);
  while (tick > 0) {
    await back.click();
    // The button itself: a fieldset always counts as enabled.
    await expect(back).toBeEnabled();
    expect(await tickOf(page)).toBe(Math.max(0, tick - 180));
    tick = await tickOf(page);
  }
  await expect(score(page)).toContainText('Shots: 0');
  await expect.poll(() => drawn(page, RED)).toEqual(rack);

  await page.getByRole('button', { name: 'New game' }).click();
  await expect.poll(() => drawn(page, RED)).not.toEqual(rack);
  expect(await page.evaluate(() => globalThis.sim.bodies.size)).toBe(BODIES);
  await page.evaluate(() => globalThis.sim.resume());
  await page.keyboard.press('Space');
  await expect(score(page)).toContainText('Shots: 1');
});

test('pool: a key that is up stays up when the game goes back to when it was down', async ({
  page,
}) => {
  await openPool(page);
  const aim = async () => (await drawn(page, 'white')).at(-1)?.x ?? Number.NaN;
  const pass = async (ticks: number) => {
    const start = await tickOf(page);
    await expect.poll(() => tickOf(page)).toBeGreaterThan(start + ticks);
  };
  await page.keyboard.down('ArrowRight');
  await expect.poll(aim).toBeGreaterThan(0.1);
  const held = await tickOf(page);
  await page.keyboard.up('ArrowRight');
  // Until a tick has taken the release.
  await pass(30);

  await page.evaluate((tick) => globalThis.sim.seek(tick), held);
  // It may move until the frame that shows the jump: when that is drawn depends on the machine.
  const moved = async () => {
    const before = await aim();
    await pass(30);
    return (await aim()) - before;
  };
  await expect.poll(moved).toBeCloseTo(0, 3);
  await expect(page.locator('#message')).toBeEmpty();

  const before = await aim();
  await page.keyboard.down('ArrowRight');
  await expect.poll(aim).toBeGreaterThan(before + 0.1);
  await page.keyboard.up('ArrowRight');
});

/** Lists what the page shows from now on, even for a moment. */
const watchChanges = (page: Page) =>
  page.evaluate(() => {
    const stop = document.querySelector('#stop') as HTMLButtonElement;
    globalThis.changesSeen = [];
    const look = (): void => {
      globalThis.changesSeen.push(/Shots: \d+/.exec(document.body.innerText)?.[0] ?? '');
      if (!stop.hidden) globalThis.changesSeen.push('stop is shown');
    };
    const observed = { childList: true, characterData: true, subtree: true, attributes: true };
    new MutationObserver(look).observe(document.body, observed);
  });
const changes = (page: Page) => page.evaluate(() => globalThis.changesSeen);

test('pool: a replay shows the game again, and the game continues where it was', async ({
  page,
}) => {
  await openPool(page);
  // The page asks for the score when it shows the jump: the shot may not come again before it is answered.
  await expect.poll(() => tickOf(page)).toBeGreaterThan(200);
  await page.keyboard.press('Space');
  await expect(score(page)).toContainText('Shots: 1');
  const stop = page.getByRole('button', { name: 'Stop replay' });
  const replay = page.getByRole('button', { name: 'Replay', exact: true });
  // A busy machine may look only when the replay is over.
  await watchChanges(page);
  await replay.click();
  await expect.poll(() => changes(page)).toContain('stop is shown');
  await expect.poll(() => changes(page)).toContain('Shots: 0');
  await expect(score(page)).toContainText('Shots: 1');
  await expect(stop).toBeHidden();
  await expect.poll(() => page.evaluate(() => globalThis.sim.state)).toBe('running');

  const before = await tickOf(page);
  await watchChanges(page);
  await page.evaluate(() => {
    const button = document.querySelector('#stop') as HTMLButtonElement;
    // It also changes when the replay is over, and cannot be clicked any more.
    const click = (): void => void (button.hidden || button.click());
    new MutationObserver(click).observe(button, { attributeFilter: ['hidden'] });
  });
  await replay.click();
  await expect.poll(() => changes(page)).toContain('stop is shown');
  await expect(stop).toBeHidden();
  await expect(score(page)).toContainText('Shots: 1');
  await expect.poll(() => tickOf(page)).toBeGreaterThan(before);
  await page.keyboard.press('Space');
  await expect(score(page)).toContainText('Shots: 2');
});

test('pool: everything has room in the window of a phone, and a touch shoots', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openPool(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  for (const name of ['Back 3 s', 'Replay', 'New game']) {
    const { x, y, width, height } = await boxOf(page.getByRole('button', { name }));
    expect(Math.min(x, y, 390 - x - width, 800 - y - height)).toBeGreaterThanOrEqual(0);
  }
  const { height } = await boxOf(page.locator('#canvas'));
  expect(height).toBeGreaterThan(200);
  const [clientX, clientY] = await at(page, 0.5, 0.5);
  const finger = { pointerId: 7, pointerType: 'touch', clientX, clientY, isPrimary: true };
  await page.locator('#canvas').dispatchEvent('pointerdown', { ...finger, buttons: 1 });
  await page.locator('#canvas').dispatchEvent('pointerup', { ...finger, buttons: 0 });
  await expect(score(page)).toContainText('Shots: 1');
});

test.describe('without its worker', () => {
  test.use({ expectedConsole: /sim\.worker/ });

  test('pool: the page says that the game does not run, and why', async ({ page }) => {
    await page.route('**/*sim.worker*', (route) => route.abort());
    await page.goto(PATH);
    await expect(page.getByRole('alert')).toContainText(/failed: WorkerFailedError: .*load/);
  });
});
