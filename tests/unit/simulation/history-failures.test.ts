/**
 * Steps that throw and workers that die while the run is replaced by a recording: it returns to
 * where it was.
 */
import { expect, test } from 'vitest';
import {
  WorkerFailedError,
  type ConnectOptions,
  type Replay,
} from '../../../src/render-main/index.js';
import type { Recording } from '../../../src/shared/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { RESTART } from '../../fixtures/faulty-toy.js';
import { inputOf } from '../../fixtures/run-toy.js';
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
import { connectLocally, statusesOf } from '../../fixtures/virtual-time.js';

/** A recording in which a step throws. */
function poisoned(recording: Recording, tick: number): Recording {
  const poison = { kind: 'command', tick, name: 'poison', args: '["bad luck"]' } as const;
  const entries = [...recording.entries, poison].toSorted((a, b) => a.tick - b.tick);
  return { ...recording, entries };
}

async function connectMortal(options: ConnectOptions, toy: ToyOptions) {
  const fates: ((data: unknown) => boolean)[] = [];
  const isLast = (data: unknown): boolean => {
    if (fates[0]?.(data) !== true) return false;
    fates.shift();
    return true;
  };
  const connected = await connectLocally(
    ({ spend }) => {
      const worker = new TappedWorker(runLocally(createToy(toy, spend)), true);
      worker.dieOf(isLast);
      return worker;
    },
    { ...OPTIONS, ...options },
  );
  const { time } = connected;
  const simulation = connected.simulation as unknown as ToyHandle;
  const statuses = statusesOf(simulation);
  await time.until(simulation.step(STEPPED));
  return {
    time,
    simulation,
    statuses,
    /** The next message of this kind is the worker's last. */
    dieOf: (fate: (data: unknown) => boolean): void => void fates.push(fate),
    /** Another worker runs. */
    async restarts(): Promise<void> {
      while (simulation.state === 'restarting') await time.advance(5);
    },
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
    expect(error).toMatchObject({
      name: 'WorkerFailedError',
      message: expect.stringContaining('threw in tick 12 of the recording: bad luck') as string,
      workerStack: expect.stringContaining('toy-simulation') as string,
    });
    expect(await time.until(failed)).toBeInstanceOf(Error);
    expect(statuses).toEqual([{ kind: 'replay-stopped', error }]);
    await expectRun(time, simulation, STEPPED);
  },
);

const stopped = { kind: 'replay-stopped' };
const restarted = [{ kind: 'restarting' }, { kind: 'restarted', replayedTicks: STEPPED }];
test.each([
  ['can be saved', SLOW, [stopped]],
  ['cannot be saved', { ...SLOW, cannotSave: true }, [...restarted, stopped]],
])(
  'in a simulation that %s, a recording that runs and in which a step throws leaves a paused run',
  async (_, toy, expected) => {
    const connected = await connectMortal(RESTART, toy);
    const { time, simulation, statuses, restarts } = connected;
    const states: string[] = [];
    simulation.on('status', () => states.push(simulation.state));
    const opening = simulation.openReplay(poisoned(simulation.recording(), 12));
    const { reason } = failureOf((await time.until(opening)).ended);
    await time.until(simulation.resume());
    const error = await time.until(reason);
    await restarts();
    expect(statuses.filter(({ kind }) => kind !== 'jumped')).toMatchObject(expected);
    expect(statuses.at(-1)).toEqual({ kind: 'replay-stopped', error });
    expect(states.at(-1)).toBe('paused');
    await time.advance(500);
    expect(simulation.state).toBe('paused');
    await expectRun(time, simulation, STEPPED);
    await time.until(simulation.resume());
    await time.advance(200);
    expect(simulation.stats().tick).toBeGreaterThan(STEPPED);
  },
);

test.each([
  ['restart', 'paused'],
  ['none', 'failed'],
] as const)(
  'with recovery %s, a step that throws in a recording leaves a simulation that cannot be saved %s',
  async (recovery, state) => {
    const toy = { ...SLOW, cannotSave: true };
    const { time, simulation, restarts } = await connectMortal({ recovery }, toy);
    // More often than a run is retried that fails by itself.
    for (let times = 0; times < (recovery === 'none' ? 1 : 5); times++) {
      const opening = simulation.openReplay(poisoned(simulation.recording(), 12));
      const { reason } = failureOf((await time.until(opening)).ended);
      const { reason: failed } = failureOf(simulation.step(20));
      expect(await time.until(reason)).toBeInstanceOf(WorkerFailedError);
      expect(await time.until(failed)).toBeInstanceOf(WorkerFailedError);
      await restarts();
      expect(simulation.state).toBe(state);
    }
    if (state === 'paused') await expectRun(time, simulation, STEPPED);
  },
);

test.each([
  ['seek', (simulation: ToyHandle) => simulation.seek(10)],
  ['restore', async (simulation: ToyHandle) => simulation.restore(await simulation.save())],
  ['openReplay', (simulation: ToyHandle) => simulation.openReplay(simulation.recording())],
])(
  'a worker that dies before it has answered a %s is replaced by one with the previous run',
  async (_, call) => {
    const { time, simulation, dieOf, restarts } = await connectMortal(RESTART, SLOW);
    dieOf(isArrival);
    await expect(time.until<unknown>(call(simulation))).rejects.toBeInstanceOf(WorkerFailedError);
    await restarts();
    await expectRun(time, simulation, STEPPED);
  },
);

test('a worker that dies while a recording is shown is replaced by one with the previous run', async () => {
  const { time, simulation, dieOf, restarts } = await connectMortal(RESTART, SLOW);
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
  await expect(time.until(simulation.queries.sum())).rejects.toBeInstanceOf(WorkerFailedError);
  expect(await time.until(reason)).toBeInstanceOf(WorkerFailedError);
  await restarts();
  expect(positions).toEqual([[STEPPED, STEPPED]]);
  await expectRun(time, simulation, STEPPED);
});

test('a worker that dies in a tick with inputs is replaced by one that continues before that tick', async () => {
  const { time, simulation, statuses, dieOf } = await connectMortal(RESTART, {});
  simulation.inputs.push(inputOf(3, 1), time.nowMs);
  dieOf((data) => JSON.stringify(data).includes('"kind":"input"'));
  // One pass: all of them are done before the page is notified of the first.
  await expect(time.until(simulation.step(5))).rejects.toBeInstanceOf(WorkerFailedError);
  await time.advance(100);
  expect(statuses).toMatchObject([{ kind: 'restarting' }, { kind: 'restarted', tick: STEPPED }]);
  await expectRun(time, simulation, STEPPED);
});
