/** The page of the lab: what it shows, what its address keeps, and that it can be operated. */
import type { Page } from '@playwright/test';
import { expect, test } from './demo-page.js';

const cell = (page: Page, stepper: string, column: string) =>
  page.locator(`tr[data-stepper="${stepper}"] td[data-column="${column}"]`);

/** Opens the lab and waits until all loops have run. */
async function openLab(page: Page, parameters = ''): Promise<void> {
  await page.goto(`/lab.html${parameters === '' ? '' : `?${parameters}`}`);
  await expect(page.locator('#table tbody tr').first()).toBeVisible();
  await expect(page.locator('#table')).toHaveAttribute('aria-busy', 'false');
}

/** How many colours a canvas has; a blank one has one. */
const coloursOf = (page: Page, id: string) =>
  page.evaluate((name) => {
    const canvas = document.getElementById(name);
    if (!(canvas instanceof HTMLCanvasElement)) throw new Error(`no canvas ${name}`);
    const { width, height } = canvas;
    const data = canvas.getContext('2d')?.getImageData(0, 0, width, height).data;
    return new Set(new Uint32Array(data?.buffer ?? new ArrayBuffer(0))).size;
  }, id);

const viewOf = async (page: Page) => {
  const chart = page.locator('#chart');
  return {
    from: Number(await chart.getAttribute('data-from')),
    to: Number(await chart.getAttribute('data-to')),
  };
};

test('the lab draws bodies and chart, and plays', async ({ page }) => {
  await openLab(page);
  await expect(page.locator('#play')).toContainText('Pause');
  for (const id of ['bodies-left', 'bodies-right', 'chart']) {
    await expect.poll(() => coloursOf(page, id)).toBeGreaterThan(20);
  }
  const bodies = page.locator('#bodies-right');
  const before = await bodies.screenshot();
  await expect.poll(async () => (await bodies.screenshot()).equals(before)).toBe(false);
  await page.keyboard.press('Space');
  await expect(page.locator('#play')).toContainText('Play');
  const at = await bodies.getAttribute('data-at');
  await page.evaluate(async () => {
    for (let frame = 0; frame < 12; frame++) await new Promise(requestAnimationFrame);
  });
  expect(await bodies.getAttribute('data-at')).toBe(at);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
});

test('the lab: a preset changes the compared loops', async ({ page }) => {
  await openLab(page);
  await expect(page.locator('#table tbody tr')).toHaveCount(10);
  await expect(cell(page, 'frame-locked', 'speed')).toHaveText('1.000 ×');
  await page.getByRole('button', { name: 'Slow machine' }).click();
  await expect(cell(page, 'frame-locked', 'speed')).toContainText('0.50');
  await expect(cell(page, 'fixed', 'speed')).toContainText(/0\.99|1\.00/);
  await expect(page.locator('#look-text')).toContainText('slow motion');
  // The worst is marked by a sign and a word, and not only by its colour.
  await expect(cell(page, 'frame-locked', 'animation error')).toContainText(/▼.*worst/);
});

test('the lab: a changed situation is no longer a preset, and is described by its settings', async ({
  page,
}) => {
  await openLab(page, 'paused=1');
  const lit = page.locator('#situation button[aria-pressed="true"]');
  const look = page.locator('#look');
  await expect(lit).toHaveText('144 Hz display');
  await test.step('articles with a known address are linked', async () => {
    await expect(page.locator('#cards .source a')).toHaveCount(8);
    const card = page.locator('.card', { hasText: 'spiral of death' });
    await expect(card.locator('.source a')).toHaveAttribute(
      'href',
      'https://gafferongames.com/post/fix_your_timestep/',
    );
    await expect(page.locator('#cards a:not([rel="noopener"])')).toHaveCount(0);
  });
  const rate = page.getByLabel('Display refresh rate, Hz', { exact: true });
  await rate.fill('75');
  await rate.press('Enter');
  await expect(look).toHaveText(
    /^Custom situation: a 75 Hz display, .* both set to 25 updates per second\.$/,
  );
  await expect(lit).toHaveCount(0);
  await page.getByRole('button', { name: 'One long stall' }).click();
  await expect(lit).toHaveText('One long stall');
  await expect(look).toContainText('half a second');

  await test.step('a table that extends to the right says so until it is scrolled to its end', async () => {
    await page.setViewportSize({ width: 700, height: 800 });
    const more = page.locator('#table-more');
    await expect(more).toBeVisible();
    // Results that arrive later may make it wider.
    await expect
      .poll(async () => {
        await page.locator('#table-box').evaluate((box) => box.scrollTo({ left: box.scrollWidth }));
        return more.isHidden();
      })
      .toBe(true);
  });
});

test('the lab: each loop has a situation, one click away, in which its fault is visible and named', async ({
  page,
}) => {
  await openLab(page, 'paused=1');
  const loops = page.locator('#loops button');
  await expect(loops).toHaveCount(10);
  const faults = page.locator('#badges-left .fault');
  await page.getByRole('button', { name: 'variable through walls', exact: true }).click();
  await expect(page.locator('#stepper-left')).toHaveValue('variable');
  await expect(cell(page, 'variable', 'through the wall')).toContainText('6');
  await expect(cell(page, 'fixed', 'through the wall')).toContainText('0');
  // A paused page is paused where the fault is.
  await expect(faults.first()).toHaveText('▲ through the wall');
  await expect(page.locator('#badges-right .fault')).toHaveCount(0);
  await expect(page.locator('#determinism-left')).toHaveText(/states differ/);
  // From the paragraph about it, too.
  await page.getByRole('button', { name: 'See it: inside the floor' }).click();
  await expect(page).toHaveURL(/preset=fixed-predict/);
  await expect(loops.and(page.locator('[aria-pressed="true"]'))).toContainText('fixed-predict');
  await expect(faults).toHaveText('▲ inside the floor');
  await expect(cell(page, 'fixed-predict', 'in the floor')).toHaveText(/▼worst: 0\.[01]\d\d/);
  await expect(cell(page, 'fixed', 'in the floor')).toHaveText('0');
});

test('the lab: a loop without numbers says why in its row; the others have theirs', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openLab(page, 'vsync=0&updateMs=2&frameMs=0&left=frame-locked&right=unpaced&paused=1');
  const reason =
    'would loop forever at the same time: without vsync, set a cost per frame or a frame limit';
  const row = page.locator('tr[data-stepper="fixed"] .wide');
  await expect(row).toHaveText(reason);
  await expect(page.locator('#table .wide')).toHaveCount(6);
  await expect(page.locator('#notices')).toContainText(`bounded-variable ${reason}.`);
  await expect(cell(page, 'frame-locked', 'speed')).toHaveText(/1\.000 ×/);
  await expect(cell(page, 'unpaced', 'speed')).toHaveText(/worst: \d+\.\d+ ×/);
  // All of it can be read on a phone, without scrolling the table.
  const text = await row.locator('div').boundingBox();
  expect((text?.x ?? 390) + (text?.width ?? 0)).toBeLessThan(390);
  await page.getByLabel('Cost per frame, ms', { exact: true }).fill('3');
  await page.getByLabel('Cost per frame, ms', { exact: true }).press('Enter');
  await expect(cell(page, 'fixed', 'speed')).toContainText('×');
  await expect(page.locator('#table .wide')).toHaveCount(0);
});

test('the lab: one lag is shown, that of the visible frame, and nothing is praised while it is frozen', async ({
  page,
}) => {
  await openLab(page, 'preset=one-lag&paused=1&at=1920');
  const reading = page.locator('#reading-left');
  await expect(reading).toHaveText(/· 440 ms behind$/);
  await expect(page.locator('#badges-left')).toContainText('no frame for 0.4 s');
  await expect(page.locator('#stage .badges .fine')).toHaveCount(0);
  await expect(page.locator('#stage .badges li', { hasText: /behind|ahead/ })).toHaveCount(0);
});

test('the lab: a link restores the same page', async ({ page }) => {
  await openLab(
    page,
    'preset=noisy-stamps&paused=1&at=1200&right=rate-groups&table=fixed,rate-groups',
  );
  await page.getByLabel('Display refresh rate, Hz', { exact: true }).fill('75');
  await page.getByLabel('Display refresh rate, Hz', { exact: true }).press('Enter');
  await page.getByLabel('Options of B').click();
  await page.locator('#options-right').getByLabel('Frames per second').fill('30');
  await page.locator('#options-right').getByLabel('Frames per second').press('Enter');
  await expect(page).toHaveURL(/displayHz=75.*rate-groups\.renderHz=30/);
  await expect(cell(page, 'rate-groups', 'frames')).toHaveText('300');
  await expect(page.locator('#table')).toHaveAttribute('aria-busy', 'false');
  const shown = async () => ({
    table: await page.locator('#table').innerText(),
    chart: await page.locator('#chart').screenshot(),
    bodies: await page.locator('#bodies-right').screenshot(),
  });
  await page.locator('#chart').hover({ position: { x: 20, y: 5 } });
  const before = await shown();
  await openLab(page, new URL(page.url()).search.slice(1));
  await page.locator('#chart').hover({ position: { x: 20, y: 5 } });
  await expect.poll(() => coloursOf(page, 'chart')).toBeGreaterThan(20);
  const after = await shown();
  expect(after.table).toBe(before.table);
  expect(after.bodies.equals(before.bodies)).toBe(true);
  expect(after.chart.equals(before.chart)).toBe(true);
});

test('the lab: a wrong parameter is named with its rule, and a wrong field too', async ({
  page,
}) => {
  await openLab(page, 'displayHz=fast&hitches=20000:100&paused=1');
  const notices = page.locator('#notices');
  await expect(notices).toContainText('displayHz must be a number from 1 to 1000');
  const afterTheEnd = /must all begin before the run ends/;
  await expect(notices).toContainText(afterTheEnd);
  while ((await page.locator('.notice').count()) > 0) {
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
  }
  const field = page.getByLabel('Stalls, start:duration in ms');
  await expect(field).toHaveValue('none');
  await field.fill('1000:500,1200:50');
  await field.press('Enter');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(page.locator('.field.wrong')).toContainText('without overlap');
  await field.fill('20000:100');
  await field.press('Enter');
  await expect(page.locator('.field.wrong')).toContainText(afterTheEnd);
  await field.fill('4000:100');
  await field.press('Enter');
  await expect(page.locator('.field.wrong')).toHaveCount(0);

  await test.step('a lag that no longer occurs is reported', async () => {
    const length = page.getByLabel('Length, s', { exact: true });
    await length.fill('3');
    await length.press('Enter');
    await expect(notices).toContainText('The stall at 4 s does not happen');
    await length.fill('5');
    await length.press('Enter');
    await expect(notices).toHaveText('');
  });
});

test('the lab: input is windowed or polled as chosen, which the table and the link show', async ({
  page,
}) => {
  await openLab(page, 'preset=slow-machine&paused=1');
  const latency = cell(page, 'fixed', 'input latency');
  await expect(latency).toContainText('64.6 ms');
  await page.getByLabel('Inputs per update').selectOption('polled');
  await expect(latency).toContainText('52.7 ms');
  await expect(page).toHaveURL(/input=polled/);
  await openLab(page, new URL(page.url()).search.slice(1));
  await expect(latency).toContainText('52.7 ms');
  await expect(page.getByLabel('Inputs per update')).toHaveValue('polled');
});

test('the lab: a panel describes its loop with its options, and claims no merits at a wrong speed', async ({
  page,
}) => {
  await openLab(page, 'preset=fast-machine&paused=1&fixed.maxFrameMs=1000&fixed.interpolate=0');
  await expect(page.locator('#rule-right')).toHaveText(
    'Steps of 16.7 ms, at most 1000 ms per frame; draws the newest state.',
  );
  await expect(page.locator('#determinism-right')).toHaveText('same states on every display');
  await expect(page.locator('#badges-left')).toContainText('6.7 × speed');
  await expect(page.locator('#determinism-left')).toHaveText('');
  await page.getByRole('button', { name: 'rate-groups 1,000 iterations per second' }).click();
  await expect(page.locator('#badges-left .fault')).toContainText([/repeats/, /1,018 iterations/]);
  await expect(cell(page, 'rate-groups', 'iterations per second')).toHaveText(/worst: 1,018$/);
  await expect(cell(page, 'fixed', 'iterations per second')).toHaveText('336');
});

test('the lab: the chart zooms and pans by keys, wheel and pointer, and describes a block', async ({
  page,
}) => {
  await openLab(page, 'preset=slow-machine&paused=1&at=500');
  const chart = page.locator('#chart');
  await expect.poll(() => viewOf(page)).toEqual({ from: 0, to: 1000 });
  await chart.focus();
  await page.keyboard.press('+');
  await expect.poll(() => viewOf(page)).toEqual({ from: 150, to: 850 });
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => viewOf(page)).toEqual({ from: 255, to: 955 });
  await expect(page).toHaveURL(/view=255:955/);
  await page.keyboard.press('0');
  await expect.poll(() => viewOf(page)).toEqual({ from: 0, to: 10_000 });
  await page.keyboard.press('.');
  await expect(page.locator('#spoken')).toContainText(/^[AB]\. Frame \d+: drawn in 24\.0 ms/);

  const box = await chart.boundingBox();
  if (box === null) throw new Error('the chart is not there');
  await page.mouse.move(box.x + box.width / 2, box.y + 50);
  await page.mouse.wheel(0, -2000);
  await expect.poll(async () => (await viewOf(page)).to).toBeLessThan(8000);
  const { from, to } = await viewOf(page);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 100, box.y + 50, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await viewOf(page)).from).toBeLessThan(from);
  const moved = await viewOf(page);
  expect(moved.to - moved.from).toBeCloseTo(to - from, 1);
  await page.keyboard.press('Home');
  await page.mouse.move(box.x + 79, box.y + 38);
  await expect(page.locator('#tooltip')).toContainText(/Update 1 /);
});

test.describe('for readers who prefer reduced motion', () => {
  test.use({ viewport: { width: 390, height: 844 } });
  test('the lab: with reduced motion nothing moves by itself, and a phone is wide enough', async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openLab(page);
    await expect(page.locator('#play')).toContainText('Play');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await expect.poll(() => coloursOf(page, 'bodies-left')).toBeGreaterThan(20);
    await test.step('all of a loop’s sentence is shown', async () => {
      await page.locator('#stepper-left').selectOption('rate-groups');
      const rule = page.locator('#rule-left');
      await expect(rule).toBeVisible();
      await expect(page.locator('#determinism-left')).toBeVisible();
      expect(await rule.evaluate((line) => line.scrollWidth <= line.clientWidth)).toBe(true);
    });
  });
});
