/** Events of the simulation show on the page: sparks at hard hits, sensors that flash. */
import type {} from '../../demo/page/effects/effects.js';
import type {} from '../../demo/page/effects/sounds.js';
import {
  LIGHT,
  drawingOf,
  expect,
  openDemo,
  screenshot,
  settledImage,
  statsOf,
  test,
} from './demo-page.js';

const counts = () => globalThis.betwixtEffects?.counts;

test('the demo: a shot at the tower reports hard contacts, sparks fly, and sounds are requested', async ({
  page,
}) => {
  await openDemo(page, `scene=tower&bodies=60&${LIGHT}`);
  await test.step('F shoots a ball', async () => {
    const { bodies } = await statsOf(page);
    await page.locator('#canvas').hover();
    await page.keyboard.press('f');
    await expect.poll(async () => (await statsOf(page)).bodies).toBe(bodies + 1);
  });

  const seen = await drawingOf(page).evaluate(async () => {
    const contacts: { a: unknown; b: unknown; force: number; tick: number }[] = [];
    let sparks = 0;
    const { betwixt, betwixtEffects: effects } = globalThis;
    // On a slow machine the ball may hit the tower before the command is answered here.
    const end = betwixt.on('contactForce', ({ a, b, force, tick }) => {
      contacts.push({ a, b, force, tick });
    });
    const { id } = await betwixt.commands.shoot([0, 1.5, 8], [0, 0, -1]);
    const first = () => contacts.find(({ a, b }) => a === id || b === id);
    while (first() === undefined || sparks === 0) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      sparks = Math.max(sparks, effects?.counts.sparks ?? 0);
    }
    end();
    const { force = 0, tick = 0 } = first() ?? {};
    return { force, tick, sparks, shown: effects?.root.visible };
  });
  // 0.7 t at 32 m/s.
  expect(seen.force).toBeGreaterThan(50);
  expect(seen.tick).toBeGreaterThan(5);
  expect(seen.sparks).toBeGreaterThan(0);
  expect(seen.shown).toBe(true);

  await test.step('sounds are off until they are requested after a gesture', async () => {
    expect(await page.evaluate(() => globalThis.betwixtSounds?.voices)).toBe(0);
    await page.locator('#canvas').click();
    // It rejects if the sound of a slow machine has not started after two seconds.
    const start = () =>
      page.evaluate(() =>
        globalThis.betwixtSounds?.start().then(
          () => 'started',
          (error: unknown) => String(error),
        ),
      );
    await expect.poll(start).toBe('started');
    const most = await page.evaluate(async () => {
      const { betwixt } = globalThis;
      let loudest = 0;
      for (let frame = 0; loudest === 0; frame++) {
        // Everything may be at rest by now.
        if (frame % 60 === 0) await betwixt.commands.shoot([0, 1.5, 8], [0, 0, -1]);
        await new Promise((resolve) => requestAnimationFrame(resolve));
        loudest = Math.max(loudest, globalThis.betwixtSounds?.voices ?? 0);
      }
      return loudest;
    });
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(12);
    await page.evaluate(() => globalThis.betwixtSounds?.stop());
  });
});

test('the demo: sparks are drawn, and gone when they have burnt down', async ({ page }) => {
  await openDemo(page, `scene=dominoes&bodies=50&paused=1&${LIGHT}`);
  const rest = async (): Promise<void> => {
    await expect
      .poll(() =>
        drawingOf(page)
          .evaluate(counts)
          .then((now) => now?.sparks),
      )
      .toBe(0);
  };
  await rest();
  const before = await settledImage(page);
  // Only a made-up simulation's events cause changes.
  await drawingOf(page).evaluate(() => {
    const effects = globalThis.betwixtEffects;
    effects?.connect({
      on: (name: string, handler: (event: never) => void) => {
        if (name === 'contactForce') {
          const where = { x: 0, y: 0.5, z: 0 };
          const report = (): void => {
            handler({ a: undefined, b: undefined, force: 3000, ...where } as never);
          };
          const timer = setInterval(report, 30);
          return () => clearInterval(timer);
        }
        return () => undefined;
      },
    } as never);
  });
  await expect.poll(async () => (await screenshot(page)).equals(before)).toBe(false);
  await drawingOf(page).evaluate(() =>
    globalThis.betwixtEffects?.connect(globalThis.betwixt as never),
  );
  await rest();
  await expect.poll(async () => (await screenshot(page)).equals(before)).toBe(true);
});

test('the demo: marbles light up the gates that they roll through, and are counted', async ({
  page,
}) => {
  await openDemo(page, `scene=marbles&bodies=40&${LIGHT}`);
  const { scores, lit } = await drawingOf(page).evaluate(async () => {
    const { betwixt, betwixtEffects: effects } = globalThis;
    const seen: { sensor: number; count: number }[] = [];
    betwixt.on('score', ({ value }) => seen.push(value));
    let maxLit = 0;
    // Checked in every frame: they are lit for a moment.
    while (maxLit === 0 || new Set(seen.map(({ sensor }) => sensor)).size < 2) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      maxLit = Math.max(maxLit, effects?.counts.lit ?? 0);
    }
    return { scores: seen, lit: maxLit };
  });
  expect(scores.every(({ count }) => count >= 1)).toBe(true);
  expect(lit).toBeGreaterThan(0);
  expect((await drawingOf(page).evaluate(counts))?.flashes).toBeGreaterThan(0);
});
