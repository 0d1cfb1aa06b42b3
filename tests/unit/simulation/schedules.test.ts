/** A recording leads to the same states however it is displayed, paced and delayed. In virtual time. */
import { expect, test } from 'vitest';
import type { ReplayReport } from '../../../src/shared/index.js';
import { settling } from '../../fixtures/scripted-host.js';
import { seededRandom } from '../../fixtures/seeded-random.js';
import { recordToy } from '../../fixtures/toy-recording.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

const recorded = await recordToy(200);
const IDENTICAL: ReplayReport = { tick: 200, hashes: 20, differsAt: undefined, equalUpTo: 200 };
const WAITING = { capacity: 64, startPaused: true } as const;

test('a run is the same displayed at 30 and 144 frames a second', async () => {
  const { time, simulation } = await connectInVirtualTime({ ...WAITING, timeScale: 3 });
  for (const frameRateHz of [30, 144]) {
    const { ended } = await time.until(simulation.openReplay(recorded));
    const hasEnded = settling(ended);
    await time.until(simulation.resume());
    const shown = new Set<number>();
    while (!hasEnded()) {
      await time.advance(1000 / frameRateHz);
      shown.add(simulation.sample(time.nowMs).tick);
    }
    expect({ frameRateHz, ...(await ended) }).toEqual({ frameRateHz, ...IDENTICAL });
    expect(shown.size).toBeGreaterThan(20);
  }
});

test.each([
  ['in slow motion', { tickRateHz: 1000, timeScale: 0.5 }],
  ['in fast motion', { tickRateHz: 250, timeScale: 3 }],
  ['without catching up', { tickRateHz: 1000, maxCatchUpTicks: 1 }],
  ['catching up a hundred ticks', { tickRateHz: 1000, maxCatchUpTicks: 100 }],
])('a run is the same %s, with turns and steps delayed at random', async (_, options) => {
  const { time, simulation } = await connectInVirtualTime({ ...WAITING, ...options });
  const { ended } = await time.until(simulation.openReplay(recorded));
  const hasEnded = settling(ended);
  await time.until(simulation.resume());
  const random = seededRandom(11);
  while (!hasEnded()) {
    const { stall, stallStep } = simulation.queries;
    await time.until((random() < 0.5 ? stall : stallStep)(15 * random()));
    await time.advance(10 * random());
  }
  expect(await ended).toEqual(IDENTICAL);
});
