/** What goes wrong on purpose: the page says so and goes on. */
import {
  SMALL_PICTURE,
  expect,
  expectNotice,
  openDemo,
  statsOf,
  test,
  waitForTicks,
} from './demo-page.js';

test.beforeEach(async ({ page }) => {
  await openDemo(page, `scene=tower&bodies=60&hud=0&panel=1&${SMALL_PICTURE}`);
  await page.getByRole('button', { name: 'Faults' }).click();
});

test('the demo, faults: a step that throws: another worker goes on behind it', async ({ page }) => {
  const { tick } = await statsOf(page);
  await page.getByRole('button', { name: 'Throw in a tick' }).click();
  await expectNotice(page, /restarted and goes on after tick \d+/);
  await waitForTicks(page, 10);
  expect((await statsOf(page)).tick).toBeGreaterThan(tick);
  await expect(page.locator('#fault')).toBeHidden();
});

test('the demo, faults: an endless loop: the last picture stays, and then another worker goes on', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Endless loop' }).click();
  await expect
    .poll(() => page.evaluate(() => globalThis.noticesSeen))
    .toContainEqual({
      text: expect.stringContaining('The simulation does not answer'),
      state: 'stalled',
    });
  await expectNotice(page, /restarted.*Cause: the worker hung/);
  await expect(page.getByText('The simulation does not answer')).toBeHidden();
  await waitForTicks(page, 10);
});

test('the demo, faults: a position that is no number: the body is named, and the others go on', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'NaN in a body' }).click();
  await expectNotice(page, /body \d+ in tick \d+/);
  await waitForTicks(page, 10);
  expect((await statsOf(page)).state).toBe('running');
});

test('the demo, faults: no room for a body: it says so, and nothing is lost', async ({ page }) => {
  const { bodies } = await statsOf(page);
  await page.getByRole('button', { name: 'Out of capacity' }).click();
  await expectNotice(page, /capacity/);
  await waitForTicks(page, 10);
  expect((await statsOf(page)).bodies).toBe(bodies);
});
