/** Which tick receives an input, in virtual time. */
import { expect, test } from 'vitest';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

const custom = (code: number) =>
  ({ kind: 'custom', code, device: 0, x: 1, y: 2, z: 3, w: 4 }) as const;

test('delayed inputs go to the ticks of their input windows, not all to the first', async () => {
  const { time, simulation } = await connectInVirtualTime({
    tickRateHz: 100,
    capacity: 64,
    maxCatchUpTicks: 100,
  });
  await time.advance(105);
  // They occur while this thread is blocked for 200 ms, ten apart, and are sent afterwards.
  const beganMs = time.nowMs;
  time.spend(200);
  for (let code = 0; code < 18; code++) {
    simulation.inputs.push(custom(code), beganMs + 10 * code);
  }
  await time.advance(100);
  const given = await time.until(simulation.queries.given());
  expect(given.map(({ inputs }) => inputs.map(({ code }) => code))).toEqual(
    Array.from({ length: 18 }, (_, code) => [code]),
  );
  expect(simulation.stats()).toMatchObject({ inputs: 18, lateInputs: 0, catchUpPasses: 1 });
  // The oldest was sent 200 ms after it occurred.
  expect(simulation.stats().inputLatencyMs.max).toBeCloseTo(200, -1);
});

test('calls neither cost nor add ticks', async () => {
  const { time, simulation } = await connectInVirtualTime({ tickRateHz: 100, capacity: 64 });
  for (let call = 0; call < 100; call++) {
    await time.advance(7.3);
    await time.until(simulation.queries.echo(call));
  }
  await time.advance(5);
  const { tick, elapsedMs, droppedTicks } = simulation.stats();
  expect(droppedTicks).toBe(0);
  expect(Math.abs(tick - elapsedMs / 10)).toBeLessThan(1.2);
});
