/** How a page goes back to states in memory. Which are kept is tested with the worker's run, and the states of engines in threads. */
import { expect, test } from 'vitest';
import type { KeptState } from '../../../src/sim-worker/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { KeepingToy } from '../../fixtures/rooms/seated-toy.js';
import { connectLocally } from '../../fixtures/virtual-time.js';

/** To keep a state takes as long as a step: so there are few. */
class SlowToy extends KeepingToy {
  steps = 0;
  readonly #spend: (durationMs: number) => void;

  constructor(spend: (durationMs: number) => void) {
    super();
    this.#spend = spend;
  }

  override step(...given: Parameters<KeepingToy['step']>): void {
    this.#spend(1);
    this.steps += 1;
    super.step(...given);
  }

  override keep(used?: KeptState): KeptState {
    this.#spend(1);
    return { ...super.keep(used), bytes: 7 };
  }
}

test('a simulation that goes back runs only the ticks after the newest kept state again', async () => {
  let toy!: SlowToy;
  const { time, simulation } = await connectLocally<SlowToy>(
    ({ spend }) => runLocally((toy = new SlowToy(spend))),
    {
      startPaused: true,
      recording: { rewindSeconds: 10, saveEverySeconds: 60, hashEveryTicks: 1 },
    },
  );
  const keptTicks = () => simulation.recording().kept?.map(({ tick }) => tick);
  /** How many ticks a call runs. */
  const stepsOf = async (call: Promise<unknown>): Promise<number> => {
    const before = toy.steps;
    await time.until(call);
    return toy.steps - before;
  };
  await time.until(simulation.step(50));
  const joined = simulation.commands.join(0, 'Ada');
  await time.until(simulation.step(70));
  await time.until(joined);
  expect(keptTicks()).toEqual([1, 2, 34, 66, 98]);
  expect(simulation.stats()).toMatchObject({ keptEveryTicks: 32, keptBytes: 35 });
  for (const [tick, kept, bodies] of [
    [116, 98, 1],
    [48, 34, 0],
    [9, 2, 0],
  ] as const) {
    const replay = await time.until(
      simulation.openReplay(simulation.recording(), { tick: tick + 3 }),
    );
    expect(await stepsOf(replay.seek(tick))).toBe(tick - kept);
    expect(replay.report.differsAt).toBeUndefined();
    expect(simulation.stats().bodies).toBe(bodies);
    // To the end, past the body that is added on the way.
    expect(await time.until(replay.seek(120))).toMatchObject({ tick: 120, differsAt: undefined });
    await time.until(replay.close());
  }
  expect(await stepsOf(simulation.seek(45))).toBe(45 - 34);
  // The later ticks are gone, with the states that were kept of them.
  await time.until(simulation.step(20));
  expect(keptTicks()).toEqual([1, 2, 34, 55]);
  expect(await stepsOf(simulation.seek(58))).toBe(58 - 55);
  expect(simulation.stats().bodies).toBe(0);
});
