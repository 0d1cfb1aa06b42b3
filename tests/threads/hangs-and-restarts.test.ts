/**
 * Workers that throw, hang or die, in real threads, and what replaces them. No limit here uses real
 * time: a step is held by a gate, and the page's clock passes when a test advances it. Everything
 * that does not need a thread is tested in virtual time.
 */
import { expect, test } from 'vitest';
import { replay } from '../../src/sim-worker/index.js';
import type { SimulationStatus } from '../../src/render-main/index.js';
import { sleep } from '../fixtures/busy.js';
import { eventually } from '../fixtures/eventually.js';
import { HeldToy } from '../fixtures/held-toy.js';
import { ticksPass, type ToyHandle } from '../fixtures/threads.js';
import { createToy } from '../fixtures/toy-simulation.js';

const OPTIONS = {
  tickRateHz: 240,
  capacity: 64,
  recovery: 'restart',
  recording: { rewindSeconds: 0, saveEverySeconds: 0.25, hashEveryTicks: 20 },
} as const;

/** Follows the statuses from now on. @returns A function that resolves when no other worker is being started. */
function restartsOf(simulation: ToyHandle) {
  const statuses: SimulationStatus[] = [];
  simulation.on('status', (status) => statuses.push(status));
  return () =>
    eventually(() => {
      const status = statuses.findLast(({ kind }) => kind.startsWith('restart'));
      expect(status?.kind).toBe('restarted');
      return status as Extract<SimulationStatus, { kind: 'restarted' }>;
    }, 'a restart');
}

/** Sends numbered inputs for a while, each of which changes the run. */
async function play(simulation: ToyHandle, from: number, count: number): Promise<void> {
  for (let code = from; code < from + count; code++) {
    const input = { kind: 'custom', code, device: 0, x: 0.01, y: 0, z: 0, w: 0 } as const;
    expect(simulation.inputs.push(input, performance.now())).toBe(true);
    await sleep(2);
  }
}

/** Every input is in the recording, once and in order, and it leads to where the run is. */
async function expectNothingLost(simulation: ToyHandle, count: number): Promise<void> {
  await simulation.pause();
  // Beyond the next hash.
  await simulation.step(OPTIONS.recording.hashEveryTicks);
  const recording = simulation.recording();
  const codes = recording.entries.flatMap((entry) =>
    entry.kind === 'input' ? [entry.input.code] : [],
  );
  expect(codes).toEqual(Array.from({ length: count }, (_, code) => code));
  const report = await replay(createToy(), recording);
  expect(report).toMatchObject({ tick: recording.lastTick, differsAt: undefined });
  expect(report.hashes).toBeGreaterThan(0);
}

test('a worker that dies is replaced by one that continues with every input', async () => {
  const { simulation } = await HeldToy.connect(OPTIONS);
  const restarted = restartsOf(simulation);
  await play(simulation, 0, 40);
  simulation.queries.exit().catch(() => {});
  expect(await restarted()).toMatchObject({ skippedInputs: 0 });
  await play(simulation, 40, 40);
  await expectNothingLost(simulation, 80);
});

test('a seek to a worker that hangs waits until it recovers, and leaves no pause behind', async () => {
  const recording = { ...OPTIONS.recording, rewindSeconds: 60 };
  const toy = await HeldToy.connect({ ...OPTIONS, recovery: 'none', recording });
  const { simulation } = toy;
  await ticksPass(simulation, 20);
  await toy.stall();
  let hasArrived = false;
  const going = simulation.seek(5).finally(() => (hasArrived = true));
  await sleep(20);
  expect(hasArrived).toBe(false);
  await toy.comesBack();
  expect(await going).toMatchObject({ tick: 5 });
  await ticksPass(simulation);
  expect(simulation.state).toBe('running');
});
