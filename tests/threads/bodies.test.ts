/** Which bodies live, with real threads: the map follows the frames, over jumps and another worker. */
import { expect, inject, onTestFinished, test } from 'vitest';
import {
  connect,
  fromNodeWorker,
  type ConnectOptions,
  type SimulationHandle,
} from '../../src/render-main/index.js';
import { runLocally } from '../../src/sim-worker/local.js';
import { createComingAndGoing, type ComingAndGoing } from '../fixtures/coming-and-going.js';
import { eventually } from '../fixtures/eventually.js';
import { PATIENT, startThread, ticksPass } from '../fixtures/threads.js';
import { WatchedBodies } from '../fixtures/watched-bodies.js';

async function connectBodies(options: ConnectOptions = {}) {
  const simulation = await connect<ComingAndGoing>(
    (transport) =>
      transport === 'local'
        ? runLocally(createComingAndGoing())
        : fromNodeWorker(startThread('bodies')),
    { ...PATIENT, transport: inject('transport'), capacity: 8, tickRateHz: 120, ...options },
  );
  onTestFinished(() => simulation.dispose());
  simulation.on('status', () => {});
  const watched = new WatchedBodies(simulation as unknown as SimulationHandle);
  /** Draws, until what was posted by now has arrived. */
  const drawn = () =>
    eventually(() => {
      simulation.sample(performance.now());
      watched.expectDrawn();
    });
  return { simulation, watched, drawn };
}

test('the map has the bodies of the frames, over every kind of jump', async () => {
  const { simulation, watched, drawn } = await connectBodies();
  await ticksPass(simulation, 60);
  await simulation.pause();
  await drawn();
  expect(watched.changes.length).toBeGreaterThan(10);
  const state = await simulation.save();
  for (const jump of [
    () => simulation.seek(10),
    () => simulation.step(20),
    () => simulation.restore(state),
    () => simulation.openReplay(simulation.recording()),
    () => simulation.replay?.close(),
    () => simulation.queries.restart(7),
  ]) {
    await jump();
    await drawn();
  }
});

test('a worker that is replaced continues with the same bodies', async () => {
  const { simulation, watched, drawn } = await connectBodies({ recovery: 'restart' });
  await ticksPass(simulation, 30);
  // The failure may overtake its answer: they come through different ports.
  await simulation.queries.fail().catch(() => {});
  await ticksPass(simulation, 30);
  await simulation.pause();
  await drawn();
  expect(watched.changes.length).toBeGreaterThan(5);
});

test('bodies that are known immediately come in the same order as when shown', async () => {
  const { simulation, drawn } = await connectBodies({ startPaused: true });
  const log = { now: [] as string[], shown: [] as string[] };
  for (const when of ['now', 'shown'] as const) {
    simulation.on('spawn', ({ id, tag }) => log[when].push(`+${id} ${tag.number}`), { when });
    simulation.on('despawn', ({ id, tag }) => log[when].push(`-${id} ${tag.number}`), { when });
  }
  await drawn();
  log.now.length = log.shown.length = 0;
  await simulation.step(40);
  await drawn();
  expect(log.shown.length).toBeGreaterThan(5);
  // The display stays behind the newest state while it is paused.
  expect(log.now.slice(0, log.shown.length)).toEqual(log.shown);
});
