/** Held inputs of a run that jumps: the player may hold something else by then. */
import { expect, test } from 'vitest';
import { runLocally } from '../../../src/sim-worker/local.js';
import type { Simulation, SimulationContext } from '../../../src/sim-worker/index.js';
import { inputOf } from '../../fixtures/run-toy.js';
import { connectLocally } from '../../fixtures/virtual-time.js';

const KEY = 1;

/** Remembers in which ticks the key was down. */
function createKeyed() {
  let context: SimulationContext;
  let downIn: number[] = [];
  const reset = (): void => void (downIn = []);
  return {
    init: (given) => void (context = given),
    reset,
    step: (_dt, tick) => {
      if (context.input.isDown(KEY)) downIn.push(tick);
    },
    queries: { downIn: () => downIn },
    save: () => Uint8Array.from(downIn),
    restore: (bytes) => void (downIn = [...bytes]),
    hash: (hash) => downIn.forEach((tick) => hash.addNumber(tick)),
  } satisfies Simulation;
}

/** Holds the key from tick 3 on. */
async function held(ticks: number) {
  const create = () => runLocally(createKeyed());
  const { time, simulation: sim } = await connectLocally<ReturnType<typeof createKeyed>>(create, {
    startPaused: true,
    recording: { hashEveryTicks: 1 },
  });
  const step = (count: number) => time.until(sim.step(count));
  await step(2);
  sim.inputs.push({ ...inputOf(KEY, 0), kind: 'keydown' }, time.nowMs);
  await step(ticks - 2);
  const downIn = () => time.until(sim.queries.downIn());
  return { time, sim, create, step, downIn };
}

test('after a seek and a restore, what was held is released in the next tick, also in a replay', async () => {
  const { time, sim, step, downIn } = await held(6);
  const saved = await time.until(sim.save());
  await time.until(sim.seek(4));
  await step(2);
  expect(await downIn()).toEqual([3, 4]);
  await time.until(sim.restore(saved));
  await step(1);
  expect(await downIn()).toEqual([3, 4, 5, 6]);
  const replay = await time.until(sim.openReplay(sim.recording()));
  await time.until(replay.seek(7));
  expect(await downIn()).toEqual([3, 4, 5, 6]);
  await time.until(replay.close());
});

test('a run that continues from a replay releases what is held there', async () => {
  const { time, sim, step, downIn } = await held(6);
  const replay = await time.until(sim.openReplay(sim.recording()));
  await time.until(replay.seek(4));
  await time.until(replay.close());
  await step(2);
  expect(await downIn()).toEqual([3, 4]);
});

test('with another worker, the run continues with what is held', async () => {
  const { time, sim, create, step, downIn } = await held(4);
  await time.until(sim.replaceWorker(create));
  await step(1);
  expect(await downIn()).toEqual([3, 4, 5]);
});
