/** Deliberate faults: the page reports them and continues. */
import {
  SMALL_PICTURE,
  expect,
  expectNotice,
  openDemo,
  statsOf,
  test,
  waitForTicks,
} from './demo-page.js';

// The worker shows what the simulation threw.
test.use({ expectedConsole: /this step throws on request/ });

test('the demo: each fault is reported, and the scene continues', async ({ page }) => {
  await openDemo(page, `scene=tower&bodies=60&hud=0&panel=1&${SMALL_PICTURE}`);
  await page.getByRole('button', { name: 'Faults' }).click();
  const press = (name: string) => page.getByRole('button', { name }).click();

  await test.step('a step that throws: another worker continues after it', async () => {
    const { tick } = await statsOf(page);
    await press('Throw in a tick');
    await expectNotice(page, /restarted at tick \d+/);
    await waitForTicks(page, 10);
    expect((await statsOf(page)).tick).toBeGreaterThan(tick);
    await expect(page.locator('#fault')).toBeHidden();
  });

  await test.step('a position that is NaN: the body is named, and the others continue', async () => {
    await press('NaN in a body');
    await expectNotice(page, /body \d+ in tick \d+/);
    await waitForTicks(page, 10);
    expect((await statsOf(page)).state).toBe('running');
  });

  await test.step('no room for a body: the page says so, and nothing is lost', async () => {
    const { bodies } = await statsOf(page);
    await press('Out of capacity');
    await expectNotice(page, /capacity/);
    await waitForTicks(page, 10);
    expect((await statsOf(page)).bodies).toBe(bodies);
  });

  await test.step('an endless loop: the last frame stays, and then another worker continues', async () => {
    await press('Endless loop');
    await expect
      .poll(() => page.evaluate(() => globalThis.noticesSeen))
      .toContainEqual({
        text: expect.stringContaining('The simulation is not responding'),
        state: 'stalled',
      });
    await expectNotice(page, /restarted.*Cause: the worker hung/);
    await expect(page.getByText('The simulation is not responding')).toBeHidden();
    await waitForTicks(page, 10);
  });
});
