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
import { RESTART, connectFaulty } from '../../fixtures/faulty-toy.js';
import { inputOf } from '../../fixtures/run-toy.js';
import {
  OPTIONS,
  SLOW,
  STEPPED,
  expectRun,
  failureOf,
  stepped,
} from '../../fixtures/stepped-toy.js';
import type { ToyHandle } from '../../fixtures/threads.js';
import type { ToyOptions } from '../../fixtures/toy-simulation.js';

/** A recording in which a step throws. */
function poisoned(recording: Recording, tick: number): Recording {
  const poison = { kind: 'command', tick, name: 'poison', args: '["bad luck"]' } as const;
  const entries = [...recording.entries, poison].toSorted((a, b) => a.tick - b.tick);
  return { ...recording, entries };
}

async function connectMortal(options: ConnectOptions, toy: ToyOptions) {
  const connected = await connectFaulty('local', { ...OPTIONS, ...options }, toy);
  await connected.time.until(connected.simulation.step(STEPPED));
  return connected;
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
    const { faulty, time, simulation } = await connectMortal(RESTART, toy);
    const { statuses } = faulty;
    const states: string[] = [];
    simulation.on('status', () => states.push(simulation.state));
    const opening = simulation.openReplay(poisoned(simulation.recording(), 12));
    const { reason } = failureOf((await time.until(opening)).ended);
    await time.until(simulation.resume());
    const error = await time.until(reason);
    await faulty.restarts();
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
    const { faulty, time, simulation } = await connectMortal({ recovery }, toy);
    // More often than a run is retried that fails by itself.
    for (let times = 0; times < (recovery === 'none' ? 1 : 5); times++) {
      const opening = simulation.openReplay(poisoned(simulation.recording(), 12));
      const { reason } = failureOf((await time.until(opening)).ended);
      const { reason: failed } = failureOf(simulation.step(20));
      expect(await time.until(reason)).toBeInstanceOf(WorkerFailedError);
      expect(await time.until(failed)).toBeInstanceOf(WorkerFailedError);
      await faulty.restarts();
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
    const { faulty, time, simulation } = await connectMortal(RESTART, SLOW);
    faulty.worker.dieOf(isArrival);
    await expect(time.until<unknown>(call(simulation))).rejects.toBeInstanceOf(WorkerFailedError);
    await faulty.restarts();
    await expectRun(time, simulation, STEPPED);
  },
);

test('a worker that dies while a recording is shown is replaced by one with the previous run', async () => {
  const { faulty, time, simulation } = await connectMortal(RESTART, SLOW);
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
  faulty.worker.dieOf(() => true);
  await expect(time.until(simulation.queries.sum())).rejects.toBeInstanceOf(WorkerFailedError);
  expect(await time.until(reason)).toBeInstanceOf(WorkerFailedError);
  await faulty.restarts();
  expect(positions).toEqual([[STEPPED, STEPPED]]);
  await expectRun(time, simulation, STEPPED);
});

test('a worker that dies in a tick with inputs is replaced by one that continues before that tick', async () => {
  const { faulty, time, simulation } = await connectMortal(RESTART, {});
  simulation.inputs.push(inputOf(3, 1), time.nowMs);
  faulty.worker.dieOf((data) => JSON.stringify(data).includes('"kind":"input"'));
  // One pass: all of them are done before the page is notified of the first.
  await expect(time.until(simulation.step(5))).rejects.toBeInstanceOf(WorkerFailedError);
  await time.advance(100);
  expect(faulty.statuses).toMatchObject([
    { kind: 'restarting' },
    { kind: 'restarted', tick: STEPPED },
  ]);
  await expectRun(time, simulation, STEPPED);
});
