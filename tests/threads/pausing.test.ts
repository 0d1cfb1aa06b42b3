import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sleep } from '../fixtures/busy.js';
import { openDocument } from '../fixtures/fake-document.js';
import { connectToy, connectToyForTest, ticksPass, type ToyHandle } from '../fixtures/threads.js';

describe('a paused simulation', () => {
  const page = openDocument();
  let simulation: ToyHandle;
  beforeAll(async () => {
    simulation = await connectToy({ tickRateHz: 60, capacity: 64, startPaused: true });
  });
  afterAll(async () => {
    await simulation.dispose();
    vi.unstubAllGlobals();
  });

  test('that starts paused is at tick 0', async () => {
    expect(simulation.state).toBe('paused');
    await sleep(100);
    expect(simulation.stats()).toMatchObject({
      state: 'paused',
      tick: 0,
      elapsedMs: 0,
      bodies: 16,
    });
  });

  test('runs no passes', async () => {
    const { iterations } = simulation.stats();
    await sleep(150);
    expect(simulation.stats().iterations).toBe(iterations);
  });

  test('runs the ticks of a step, and returns the number of the last', async () => {
    expect(await simulation.step()).toBe(1);
    expect(await simulation.step(3)).toBe(4);
    // More than one pass catches up.
    expect(await simulation.step(40)).toBe(44);
    expect(simulation.stats()).toMatchObject({ tick: 44, droppedTicks: 0 });
    expect(simulation.stats().simulatedS).toBeCloseTo(44 / 60, 9);
  });

  test('can be stepped one by one, any number of times', async () => {
    const { tick } = simulation.stats();
    for (let step = 1; step <= 100; step++) expect(await simulation.step()).toBe(tick + step);
  });

  test('answers commands, and applies a new rate and scale when it runs', async () => {
    const { tick } = simulation.stats();
    expect(await simulation.queries.echo('there')).toBe('there');
    await simulation.setTickRate(30);
    await simulation.setTimeScale(2);
    expect(simulation.stats()).toMatchObject({ tick, tickRateHz: 30, timeScale: 2 });
    expect(await simulation.step(5)).toBe(tick + 5);
    await simulation.setTickRate(60);
    await simulation.setTimeScale(1);
  });

  test.each([0, -1, 1.5, Number.NaN, 10_001])('refuses a step of %d ticks', async (ticks) => {
    await expect(simulation.step(ticks)).rejects.toThrow(
      /^ticks must be a whole number from 1 to 10000/,
    );
  });

  test('resumes where it was: nothing is fast-forwarded', async () => {
    await sleep(300);
    const before = simulation.stats();
    const resumedMs = performance.now();
    await simulation.resume();
    expect(simulation.state).toBe('running');
    const after = simulation.stats();
    // As long as it has run, without the 300 ms of the pause; the clocks are aligned far more
    // precisely.
    const ranMs = performance.now() - resumedMs + 100;
    expect(after.elapsedMs - before.elapsedMs).toBeLessThan(ranMs);
    expect(after.tick - before.tick).toBeLessThan((ranMs * 60) / 1000 + 1);
    await ticksPass(simulation);
  });

  test('must be paused to be stepped', async () => {
    await expect(simulation.step()).rejects.toThrow(/call pause\(\) first/);
  });

  test('pauses again immediately', async () => {
    await simulation.pause();
    const { tick } = simulation.stats();
    await sleep(100);
    expect(simulation.stats().tick).toBe(tick);
  });

  test('stays paused while any caller wants it to', async () => {
    page.show(false);
    await simulation.pause();
    await simulation.resume();
    expect(simulation.state).toBe('paused');
    const { tick } = simulation.stats();
    await sleep(100);
    expect(simulation.stats().tick).toBe(tick);
    page.show(true);
    expect(simulation.state).toBe('running');
    await ticksPass(simulation);
  });

  test('may be paused and resumed in quick succession', async () => {
    const changes: Promise<void>[] = [];
    for (let change = 0; change < 10; change++) {
      changes.push(simulation.pause(), simulation.resume());
    }
    await Promise.all(changes);
    expect(simulation.state).toBe('running');
    await ticksPass(simulation);
    await Promise.all([simulation.pause(), simulation.resume(), simulation.pause()]);
    expect(simulation.state).toBe('paused');
    await sleep(50);
    const { tick: pausedAt } = simulation.stats();
    await sleep(100);
    expect(simulation.stats().tick).toBe(pausedAt);
  });
});

test('wrong rates and scales are refused, and nothing changes', async () => {
  const simulation = await connectToyForTest({ tickRateHz: 60, capacity: 64, startPaused: true });
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
