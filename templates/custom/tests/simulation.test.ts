/** Tests that hold for every simulation with a `reset`. Add files with tests for what yours does. */
import { connect } from 'betwixt';
import { runLocally } from 'betwixt/local';
import { decodeRecording, encodeRecording } from 'betwixt/shared';
import { runTicks } from 'betwixt/testing';
import { expect, test } from 'vitest';
import { createSimulation } from '../src/simulation.js';

const CAPACITY = 120;
/** In ticks. */
const SECOND = 60;

/** The pointer goes down in the center of the view. */
const press = { kind: 'pointerdown', code: 0, device: 1, x: 0, y: 0, z: 0, w: 1 } as const;

test('the same seed and inputs give the same run, bit for bit', async () => {
  const options = { capacity: CAPACITY, ticks: 4 * SECOND, inputs: [{ tick: SECOND, ...press }] };
  const { hash } = await runTicks(createSimulation(), options);
  expect((await runTicks(createSimulation(), options)).hash).toBe(hash);
});

test('a recording replays bit for bit after the simulation has continued', async () => {
  // Like the page, but in this thread. It runs single ticks, and hashes each of them.
  const sim = await connect(() => runLocally(createSimulation()), {
    transport: 'local',
    capacity: CAPACITY,
    startPaused: true,
    timeScale: 100,
    recording: { hashEveryTicks: 1 },
  });
  await sim.step(SECOND);
  sim.inputs.push(press, performance.now());
  await sim.step(SECOND);
  const file = encodeRecording(sim.recording());
  // The run continues, and the pointer is still down.
  await sim.step(SECOND);
  const replay = await sim.openReplay(decodeRecording(file));
  await sim.resume();
  const ticks = 2 * SECOND;
  expect(await replay.ended).toMatchObject({ tick: ticks, hashes: ticks, differsAt: undefined });
  await sim.dispose();
});
