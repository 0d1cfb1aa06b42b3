/**
 * Steps that throw and workers that die while the run is replaced by a recording: it returns to
 * where it was.
 */
import { expect, test } from 'vitest';
import {
  WorkerFailedError,
  connect,
  type ConnectOptions,
  type Replay,
  type SimulationStatus,
} from '../../../src/render-main/index.js';
import type { Recording } from '../../../src/shared/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { TappedWorker } from '../../fixtures/tapped-worker.js';
import {
  OPTIONS,
  SLOW,
  STEPPED,
  expectRun,
  failureOf,
  stepped,
} from '../../fixtures/stepped-toy.js';
import type { ToyHandle } from '../../fixtures/threads.js';
import { createToy, type ToyOptions } from '../../fixtures/toy-simulation.js';
import { VirtualTime } from '../../fixtures/virtual-time.js';

/** A recording in which a step throws. */
function poisoned(recording: Recording, tick: number): Recording {
  const poison = { kind: 'command', tick, name: 'poison', args: '["bad luck"]' } as const;
  const entries = [...recording.entries, poison].toSorted((a, b) => a.tick - b.tick);
  return { ...recording, entries };
}

async function connectMortal(options: ConnectOptions, toy: ToyOptions) {
  const time = new VirtualTime();
  const fates: ((data: unknown) => boolean)[] = [];
  const isLast = (data: unknown): boolean => {
    if (fates[0]?.(data) !== true) return false;
    fates.shift();
    return true;
  };
  const simulation = await connect(
    () => {
      const worker = new TappedWorker(runLocally(createToy(toy, time.spend)), true);
      worker.dieOf(isLast);
      return worker;
    },
    { ...OPTIONS, transport: 'local', ...options },
  );
  simulation.on('status', () => {});
  return {
    time,
    simulation: simulation as unknown as ToyHandle,
    /** The next message of this kind is the worker's last. */
    dieOf: (fate: (data: unknown) => boolean): void => void fates.push(fate),
  };
}

const isArrival = (data: unknown): boolean =>
  typeof data === 'object' && JSON.stringify(data).includes('"report"');

test.each([
  ['as it plays', (simulation: ToyHandle) => simulation.step(20)],
  ['as it is gone to', (_: ToyHandle, replay: Replay) => replay.seek(20)],
])(
  'a recording in which a step throws restores the previous run, with the reason, %s',
  async (_, play) => {
    const { time, simulation, recording, statuses } = await stepped();
    const replay = await time.until(simulation.openReplay(poisoned(recording, 12)));
    const { reason } = failureOf(replay.ended);
    const { reason: failed } = failureOf(play(simulation, replay));
    const error = await time.until(reason);
    expect(error).toBeInstanceOf(WorkerFailedError);
    expect(error).toMatchObject({
      message: expect.stringContaining('threw in tick 12 of the recording: bad luck') as string,
      workerStack: expect.stringContaining('toy-simulation') as string,
    });
    expect(await time.until(failed)).toBeInstanceOf(Error);
    expect(statuses).toEqual([{ kind: 'replay-stopped', error }]);
    await expectRun(time, simulation, STEPPED);
  },
);

const stopped = { kind: 'replay-stopped' };
const restarts = [{ kind: 'restarting' }, { kind: 'restarted', replayedTicks: STEPPED }];
test.each([
  ['can be saved', SLOW, [stopped]],
  ['cannot be saved', { ...SLOW, cannotSave: true }, [...restarts, stopped]],
])(
  'in a simulation that %s, a recording that runs and in which a step throws leaves a paused run',
  async (_, toy, expected) => {
    const { time, simulation } = await connectMortal({ recovery: 'restart' }, toy);
    const statuses: SimulationStatus[] = [];
    const states: string[] = [];
    simulation.on('status', (status) => {
      if (status.kind === 'jumped') return;
      statuses.push(status);
      states.push(simulation.state);
    });
    await time.until(simulation.step(STEPPED));
    const opening = simulation.openReplay(poisoned(simulation.recording(), 12));
    const { reason } = failureOf((await time.until(opening)).ended);
    await time.until(simulation.resume());
    const error = await time.until(reason);
    while (simulation.state === 'restarting') await time.advance(5);
    expect(statuses).toMatchObject(expected);
    expect(statuses.at(-1)).toEqual({ kind: 'replay-stopped', error });
    expect(states.at(-1)).toBe('paused');
    await time.advance(500);
    expect(simulation.state).toBe('paused');
    await expectRun(time, simulation, STEPPED);
    await time.until(simulation.resume());
    await time.advance(200);
    expect(simulation.stats().tick).toBeGreaterThan(STEPPED);
    await time.until(simulation.dispose());
  },
);

test.each([
  ['restart', 'paused'],
  ['none', 'failed'],
] as const)(
  'with recovery %s, a step that throws in a recording leaves a simulation that cannot be saved %s',
  async (recovery, state) => {
    const { time, simulation } = await connectMortal({ recovery }, { ...SLOW, cannotSave: true });
    await time.until(simulation.step(STEPPED));
    // More often than a run is retried that fails by itself.
    for (let times = 0; times < (recovery === 'none' ? 1 : 5); times++) {
      const opening = simulation.openReplay(poisoned(simulation.recording(), 12));
      const { reason } = failureOf((await time.until(opening)).ended);
      const { reason: failed } = failureOf(simulation.step(20));
      expect(await time.until(reason)).toBeInstanceOf(WorkerFailedError);
      expect(await time.until(failed)).toBeInstanceOf(WorkerFailedError);
      while (simulation.state === 'restarting') await time.advance(5);
      expect(simulation.state).toBe(state);
    }
    if (state === 'paused') await expectRun(time, simulation, STEPPED);
    await time.until(simulation.dispose());
  },
);

test.each([
  ['seek', (simulation: ToyHandle) => simulation.seek(10)],
  ['restore', async (simulation: ToyHandle) => simulation.restore(await simulation.save())],
  ['openReplay', (simulation: ToyHandle) => simulation.openReplay(simulation.recording())],
])(
  'a worker that dies before it has answered a %s is replaced by one with the previous run',
  async (_, call) => {
    const { time, simulation, dieOf } = await connectMortal({ recovery: 'restart' }, SLOW);
    await time.until(simulation.step(STEPPED));
    dieOf(isArrival);
    expect(await time.until(failureOf(call(simulation)).reason)).toBeInstanceOf(WorkerFailedError);
    while (simulation.state === 'restarting') await time.advance(5);
    await expectRun(time, simulation, STEPPED);
    await time.until(simulation.dispose());
  },
);

test('a worker that dies while a recording is shown is replaced by one with the previous run', async () => {
  const { time, simulation, dieOf } = await connectMortal({ recovery: 'restart' }, SLOW);
  await time.until(simulation.step(STEPPED));
  const replay = await time.until(simulation.openReplay(simulation.recording()));
  const { reason } = failureOf(replay.ended);
  await time.until(replay.seek(10));
  const positions: number[][] = [];
  simulation.on('status', ({ kind }) => {
    // The replay is closed by then, and there is no other worker yet.
    if (kind === 'restarting') {
      setImmediate(() => positions.push([simulation.stats().tick, simulation.rewindRange.to]));
    }
  });
  dieOf(() => true);
  const { reason: asked } = failureOf(simulation.queries.sum());
  expect(await time.until(asked)).toBeInstanceOf(WorkerFailedError);
  expect(await time.until(reason)).toBeInstanceOf(WorkerFailedError);
  while (simulation.state === 'restarting') await time.advance(5);
  expect(positions).toEqual([[STEPPED, STEPPED]]);
  await expectRun(time, simulation, STEPPED);
  await time.until(simulation.dispose());
});

test('a worker that dies in a tick with inputs is replaced by one that continues before that tick', async () => {
  const { time, simulation, dieOf } = await connectMortal({ recovery: 'restart' }, {});
  const statuses: SimulationStatus[] = [];
  simulation.on('status', (status) => statuses.push(status));
  await time.until(simulation.step(10));
  simulation.inputs.push(
    { kind: 'custom', code: 3, device: 0, x: 1, y: 0, z: 0, w: 0 },
    time.nowMs,
  );
  dieOf((data) => JSON.stringify(data).includes('"kind":"input"'));
  // One pass: all of them are done before the page is notified of the first.
  const { reason } = failureOf(simulation.step(5));
  expect(await time.until(reason)).toBeInstanceOf(WorkerFailedError);
  await time.advance(100);
  expect(statuses).toMatchObject([{ kind: 'restarting' }, { kind: 'restarted', tick: 10 }]);
  await expectRun(time, simulation, 10);
});
