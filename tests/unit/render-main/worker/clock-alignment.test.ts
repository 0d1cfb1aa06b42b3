/** Messages reveal the offset of the worker's clock, on scripted clocks. */
import { expect, test } from 'vitest';
import { measureByMessages } from '../../../../src/render-main/worker/clock-alignment.js';
import { clockResolutionMs } from '../../../../src/shared/time/clock-sync.js';
import { seededRandom } from '../../../fixtures/seeded-random.js';

/** Duration of reading a clock, in ms. */
const READING_MS = 1e-4;

/** The true time, which readings and messages advance. */
class World {
  ms = 5000;

  /** A clock that is ahead by an offset and shows whole steps, rounded as specified. */
  clock(aheadMs: number, stepMs: number, round: (steps: number) => number = Math.floor) {
    return (): number => {
      this.ms += READING_MS;
      return round((this.ms + aheadMs) / stepMs) * stepMs;
    };
  }
}

/** As browsers do that blur clocks: each step comes early by a fraction derived from a hash. */
function blurred(value: number): number {
  const whole = Math.floor(value);
  return value - whole < (Math.imul(whole, 0x9e3779b1) >>> 0) / 2 ** 32 ? whole : whole + 1;
}

/** Messages that take this long each way. */
function measure(world: World, page: () => number, worker: () => number, tripMs: () => number) {
  const answer = async (value: () => number): Promise<number> => {
    world.ms += tripMs();
    const answered = value();
    world.ms += tripMs();
    return answered;
  };
  return measureByMessages(page, {
    clockMs: () => answer(worker),
    clockResolutionMs: () => answer(() => clockResolutionMs(worker)),
  });
}

test('the offset of fine clocks is known to half of the shortest round trip', async () => {
  const world = new World();
  const trips = [0.4, 0.4, 0.1, 0.1, 0.9];
  const offset = await measure(
    world,
    world.clock(0, 1e-5),
    world.clock(300, 1e-5),
    () => trips.shift() ?? 0.5,
  );
  expect(offset.offsetMs).toBeCloseTo(300, 3);
  expect(offset.uncertaintyMs).toBeGreaterThan(0.1);
  expect(offset.uncertaintyMs).toBeLessThan(0.101);
});

test('a clock that does not move gives no bound', async () => {
  const world = new World();
  const { uncertaintyMs } = await measure(
    world,
    () => 7,
    world.clock(0, 1e-5),
    () => 0.1,
  );
  expect(uncertaintyMs).toBe(Number.POSITIVE_INFINITY);
});

test.each([
  ['0.1 ms', 0.1, 0.1],
  ['1 ms', 1, 1],
  ['1 ms, only on the page', 1, 0.005],
  ['1 ms, only in the worker', 0.005, 1],
])('the offset of clocks of %s is within its bound, however they round', async (_, ...steps) => {
  const [pageStepMs, workerStepMs] = steps;
  const random = seededRandom(3);
  for (const round of [Math.floor, Math.ceil, blurred]) {
    for (let run = 0; run < 12; run++) {
      const world = new World();
      const aheadMs = 1000 * random();
      const { offsetMs, uncertaintyMs } = await measure(
        world,
        world.clock(0, pageStepMs, round),
        world.clock(aheadMs, workerStepMs, round),
        () => 0.02 * random(),
      );
      expect(uncertaintyMs).toBeGreaterThanOrEqual(0.99 * Math.max(pageStepMs, workerStepMs));
      expect(Math.abs(offsetMs - aheadMs)).toBeLessThanOrEqual(uncertaintyMs);
    }
  }
});
