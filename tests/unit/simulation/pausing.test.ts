/** Pauses, steps and settings of a paused simulation, in virtual time. */
import { expect, test } from 'vitest';
import { openDocument } from '../../fixtures/fake-document.js';
import { takeTurn } from '../../fixtures/scripted-host.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

const PAUSED = { tickRateHz: 60, startPaused: true } as const;

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

test('a simulation that is resumed and paused immediately is paused', async () => {
  const { time, simulation } = await connectInVirtualTime(PAUSED);
  // Whenever the call arrives that resumes it.
  for (let turns = 0; turns < 12; turns++) {
    const resumed = simulation.resume();
    for (let turn = 0; turn < turns; turn++) await takeTurn();
    await time.until(Promise.all([resumed, simulation.pause()]));
    const { tick } = simulation.stats();
    await time.advance(50);
    expect([simulation.state, simulation.stats().tick]).toEqual(['paused', tick]);
  }
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
