/** Held inputs of a run that jumps: the player may hold something else by then. */
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../src/render-main/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import type { Simulation, SimulationContext } from '../../../src/sim-worker/index.js';
import { VirtualTime } from '../../fixtures/virtual-time.js';

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
  const time = new VirtualTime();
  const create = () => runLocally(createKeyed());
  const sim = await connect<ReturnType<typeof createKeyed>>(create, {
    transport: 'local',
    capacity: 1,
    startPaused: true,
    recording: { hashEveryTicks: 1 },
  });
  onTestFinished(() => time.until(sim.dispose()));
  const step = (count: number) => time.until(sim.step(count));
  await step(2);
  const zeros = { device: 0, x: 0, y: 0, z: 0, w: 0 };
  sim.inputs.push({ kind: 'keydown', code: KEY, ...zeros }, time.nowMs);
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
