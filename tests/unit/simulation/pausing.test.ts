/** Pauses, steps and settings of a paused simulation, in virtual time. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDocument } from '../../fixtures/fake-document.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

const PAUSED = { tickRateHz: 60, startPaused: true } as const;

test('a simulation that starts paused runs no pass until it is stepped, by any number of ticks', async () => {
  const { time, simulation } = await connectInVirtualTime(PAUSED);
  const { iterations } = simulation.stats();
  await time.advance(1000);
  expect(simulation.stats()).toMatchObject({ state: 'paused', tick: 0, elapsedMs: 0, iterations });
  expect(await time.until(simulation.step())).toBe(1);
  expect(await time.until(simulation.step(3))).toBe(4);
  expect(await time.until(simulation.step(40))).toBe(44);
  expect(simulation.stats()).toMatchObject({ tick: 44, droppedTicks: 0 });
  expect(simulation.stats().simulatedS).toBeCloseTo(44 / 60, 9);
});

test('a step needs a pause, and a whole number of ticks', async () => {
  const { time, simulation } = await connectInVirtualTime(PAUSED);
  for (const ticks of [0, -1, 1.5, Number.NaN, 10_001]) {
    await expect(simulation.step(ticks)).rejects.toThrow(
      /^ticks must be a whole number from 1 to 10000/,
    );
  }
  await time.until(simulation.resume());
  await expect(simulation.step()).rejects.toThrow(/call pause\(\) first/);
});

test('a simulation stays paused while the page is hidden, whatever is called in between', async () => {
  const page = openDocument();
  onTestFinished(() => void vi.unstubAllGlobals());
  const { time, simulation } = await connectInVirtualTime({ tickRateHz: 60 });
  page.show(false);
  await time.until(simulation.pause());
  await time.until(simulation.resume());
  expect(simulation.state).toBe('paused');
  const { tick } = simulation.stats();
  await time.advance(1000);
  expect(simulation.stats().tick).toBe(tick);
  page.show(true);
  await time.advance(100);
  expect(simulation.state).toBe('running');
  expect(simulation.stats().tick).toBeGreaterThan(tick);
});

test('of pauses and resumes in quick succession, the last one counts', async () => {
  const { time, simulation } = await connectInVirtualTime(PAUSED);
  const changes = Array.from({ length: 10 }, () => [simulation.pause(), simulation.resume()]);
  await time.until(Promise.all(changes.flat()));
  expect(simulation.state).toBe('running');
  await time.until(Promise.all([simulation.pause(), simulation.resume(), simulation.pause()]));
  expect(simulation.state).toBe('paused');
  const { tick } = simulation.stats();
  await time.advance(1000);
  expect(simulation.stats().tick).toBe(tick);
});

test('wrong rates, scales and times of frames are refused, and nothing changes', async () => {
  const { simulation } = await connectInVirtualTime(PAUSED);
  await expect(simulation.setTickRate(0)).rejects.toThrow(/^tickRateHz must be a number from/);
  await expect(simulation.setTimeScale(-1)).rejects.toThrow(/^timeScale must be a number/);
  await expect(simulation.setMaxCatchUpTicks(0)).rejects.toThrow(/^maxCatchUpTicks must/);
  expect(() => simulation.sample(Number.NaN)).toThrow(/^frameMs, .*, must be a number/);
  expect(() => simulation.setInterpolation('cubic' as 'none')).toThrow(
    /^interpolation must be one of/,
  );
  expect(simulation.stats()).toMatchObject({
    tickRateHz: 60,
    timeScale: 1,
    interpolation: 'interpolate',
  });
});
