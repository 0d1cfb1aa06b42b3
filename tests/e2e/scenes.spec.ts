/** Every scene loads, moves and is drawn. */
import { SCENE_NAMES, type SceneName } from '../../demo/contract/scene-contract.js';
import { present } from '../fixtures/present.js';
import {
  CLEAR,
  LIGHT,
  expect,
  openDemo,
  screenshot,
  settledImage,
  statsOf,
  step,
  test,
  waitForFrames,
  waitForTicks,
} from './demo-page.js';
import {
  differenceOf,
  leaveOut,
  movedBetween,
  pointsOf,
  posesOf,
  type Point,
  type Rectangle,
} from './drawn-bodies.js';

/** Most bodies that are searched for in the frame: some are behind others, or in a chute. */
const LOOKED_FOR = 16;
/** At least this many must be visible, or all that there are. */
const MIN_SEEN = 3;
/** A pose may be off the centre of its body's visible part, in pixels. */
const TOLERANCE = 3;

/** Few, if the scene has very many: each of them is drawn by the CPU. */
const BODIES: Partial<Record<SceneName, number>> = { heap: 100, marbles: 40, vehicle: 10 };

for (const scene of SCENE_NAMES) {
  test(`the demo: ${scene} loads, moves, and is drawn`, async ({ page }) => {
    const bodies = BODIES[scene];
    const few = bodies === undefined ? '' : `bodies=${bodies}&`;
    // Some come to rest: the same ticks of each are looked at, however slow the machine is.
    await openDemo(page, `scene=${scene}&${few}paused=1&${CLEAR}`);
    await step(page, 30);
    const before = await posesOf(page);
    await step(page, 30);
    const whole = await settledImage(page);
    const moved = movedBetween(before, await posesOf(page));
    const positions = await pointsOf(page, moved);
    const inView = moved.flatMap(([id], index) => {
      const position = positions[index];
      return position === undefined ? [] : [{ id, position }];
    });
    expect(inView.length).toBeGreaterThan(0);
    const stride = Math.max(1, inView.length / LOOKED_FOR);
    const least = Math.min(MIN_SEEN, inView.length);

    // If the frame without a body differs, the body was drawn.
    let seen = 0;
    for (let at = 0; at < inView.length && seen < least; at += stride) {
      const { id, position } = present(inView[Math.floor(at)]);
      await leaveOut(page, id);
      await waitForFrames(page, 2);
      const drawn = await differenceOf(page, whole, await screenshot(page));
      if (drawn !== undefined && isWithin(position, drawn)) seen += 1;
    }
    expect(seen).toBe(least);
    await leaveOut(page, undefined);
    await expect.poll(async () => (await screenshot(page)).equals(whole)).toBe(true);

    await page.keyboard.press('Space');
    await waitForTicks(page, 30);
    const stats = await statsOf(page);
    expect(stats.invalidPoses).toBe(0);
    expect(stats.state).toBe('running');
    expect(stats.frames).toBeGreaterThan(0);
  });
}

function isWithin({ x, y }: Point, { left, top, right, bottom }: Rectangle): boolean {
  const isAcross = x > left - TOLERANCE && x < right + TOLERANCE;
  return isAcross && y > top - TOLERANCE && y < bottom + TOLERANCE;
}

test('the demo: the same seed gives the same scene, restarted at tick 0', async ({ page }) => {
  await openDemo(page, `scene=dominoes&bodies=50&paused=1&${LIGHT}`);
  const first = await settledImage(page);
  await page.evaluate(() => globalThis.betwixt.step(30));
  await expect.poll(async () => (await screenshot(page)).equals(first)).toBe(false);
  await page.keyboard.press('r');
  await expect.poll(async () => (await statsOf(page)).tick).toBe(0);
  await expect.poll(async () => (await screenshot(page)).equals(first)).toBe(true);
});
