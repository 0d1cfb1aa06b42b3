/** Restarts that fail, or whose caller does not wait, with fake workers. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  SimulationDisposedError,
  WorkerFailedError,
  connect,
  type ConnectOptions,
  type SimulationStatus,
} from '../../../src/render-main/index.js';
import { withResolvers } from '../../../src/render-main/util/promises.js';
import { CONTROL, CONTROL_LENGTH, WORKER_PHASE } from '../../../src/shared/memory/layout.js';
import { FakeWorker } from '../../fixtures/fake-worker.js';
import { turnsUntil } from '../../fixtures/scripted-host.js';

/** Longer than any test: a test in which it passes has failed. */
const NEVER_MS = 600_000;
const RUN = {
  seed: 1,
  setup: null,
  capacity: 4096,
  engine: '',
  invalidPoses: 'freeze',
  generation: 0,
};

/**
 * Answers the selected calls immediately. In the page's thread, so that clocks need no alignment.
 */
class ScriptedWorker extends FakeWorker {
  #control: Int32Array = new Int32Array(CONTROL_LENGTH);

  constructor(answers: Readonly<Record<string, unknown>>) {
    super();
    this.onPost = () => {
      const name = this.calls.at(-1) ?? '';
      if (Object.hasOwn(answers, name)) queueMicrotask(() => this.answer(name, answers[name]));
      if (name === 'stop') Atomics.store(this.#control, CONTROL.phase, WORKER_PHASE.stopped);
    };
  }

  attachMemory(buffer: ArrayBufferLike): void {
    this.#control = new Int32Array(buffer, 0, CONTROL_LENGTH);
  }

  reportRun(): void {
    this.emit('message', {
      data: { type: 'betwixt:journal', items: [{ kind: 'restart', run: RUN, restarts: 0 }] },
    });
  }

  /** Its first tick receives an input. */
  reportInput(): void {
    const values = { kind: 'custom', code: 1, device: 0, x: 0, y: 0, z: 0, w: 0, fraction: 0 };
    this.emit('message', {
      data: { type: 'betwixt:journal', items: [{ kind: 'input', tick: 1, input: values }] },
    });
  }

  fail(): void {
    this.emit('message', {
      data: { type: 'betwixt:failure', tick: 3, message: 'broken', stack: 'at step (sim.ts)' },
    });
  }
}

const INITIALIZE = { initialize: { commands: [], queries: [], canSave: false } };
const HEALTHY = { ...INITIALIZE, start: undefined };

/** Connected to a first worker that works. The test provides the next one. */
async function connected(
  createNext: () => FakeWorker | Promise<FakeWorker>,
  options: ConnectOptions = {},
) {
  const first = new ScriptedWorker(HEALTHY);
  let workers = 0;
  const simulation = await connect(() => (workers++ === 0 ? first : createNext()), {
    transport: 'local',
    recovery: 'restart',
    startTimeoutMs: NEVER_MS,
    ...options,
  });
  const statuses: SimulationStatus[] = [];
  simulation.on('status', (status) => statuses.push(status));
  return { simulation, first, statuses };
}

const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it was answered',
    (reason: unknown) => reason,
  );
const disposed = expect.any(SimulationDisposedError) as unknown;

afterEach(() => void vi.unstubAllGlobals());

describe('disposing during a restart', () => {
  test.each([
    ['does not answer', {}, ['initialize']],
    // It is running, so it is asked to leave its loop before it is terminated.
    ['does not start', INITIALIZE, ['initialize', 'start', 'stop']],
  ])('does not wait for a worker that %s', async (_, answers, calls) => {
    const second = new ScriptedWorker(answers);
    const { simulation, first, statuses } = await connected(() => second);
    first.reportRun();
    first.fail();
    const beforeStop = calls.filter((name) => name !== 'stop');
    await turnsUntil(() => second.calls.length >= beforeStop.length);
    expect(second.calls).toEqual(beforeStop);
    expect(simulation.state).toBe('restarting');
    const pending = reasonOf(simulation.pause());
    await simulation.dispose();
    expect(await pending).toEqual(disposed);
    expect(second.isTerminated).toBe(true);
    expect(second.calls.filter((name) => name !== 'RELEASE')).toEqual(calls);
    expect(simulation.state).toBe('disposed');
    expect(statuses.map(({ kind }) => kind)).toEqual(['restarting', 'disposed']);
  });

  test('does not wait for one that is not created yet, and ends it when it is', async () => {
    const { promise: making, resolve: made } = withResolvers<FakeWorker>();
    const { simulation, first } = await connected(() => making);
    first.reportRun();
    first.fail();
    const pending = reasonOf(simulation.pause());
    await simulation.dispose();
    expect(await pending).toEqual(disposed);
    const second = new ScriptedWorker(HEALTHY);
    made(second);
    await turnsUntil(() => second.isTerminated);
    expect(second.calls).toEqual([]);
  });
});

test('dropped inputs are reported by the restart that succeeds, if the one that dropped them has failed', async () => {
  const starting = new ScriptedWorker(INITIALIZE);
  const workers = [new ScriptedWorker(HEALTHY), starting, new ScriptedWorker(HEALTHY)];
  const [second] = workers;
  const { simulation, first, statuses } = await connected(() => workers.shift() ?? first);
  const restarted = () => statuses.filter(({ kind }) => kind === 'restarted');
  first.reportRun();
  for (const worker of [first, second]) {
    worker?.reportInput();
    worker?.fail();
    if (worker === first) await turnsUntil(() => restarted().length === 1);
  }
  await turnsUntil(() => starting.calls.includes('start'));
  starting.fail();
  await turnsUntil(() => restarted().length === 2);
  expect(restarted()).toMatchObject([{ skippedInputs: 0 }, { skippedInputs: 1 }]);
  await simulation.dispose();
});

test('handlers of the status find the simulation restarting, and their calls wait for the next worker', async () => {
  const second = new ScriptedWorker({ ...HEALTHY, save: { tick: 0, bytes: new Uint8Array() } });
  const { simulation, first } = await connected(() => second);
  const found: { state: string; saved: Promise<unknown> }[] = [];
  simulation.on('status', ({ kind }) => {
    if (kind !== 'restarting') return;
    found.push({ state: simulation.state, saved: reasonOf(simulation.save()) });
  });
  first.reportRun();
  first.fail();
  expect(found.map(({ state }) => state)).toEqual(['restarting']);
  expect(await found[0]?.saved).toBe('it was answered');
  await simulation.dispose();
});

describe('a restart that is not possible', () => {
  test('ends the simulation with the reason, and calls reject', async () => {
    const createNext = vi.fn<() => FakeWorker>();
    const { simulation, first, statuses } = await connected(createNext);
    // It fails before it has reported anything: no other one could continue from there.
    first.fail();
    const pending = reasonOf(simulation.pause());
    const error = await pending;
    expect(error).toBeInstanceOf(WorkerFailedError);
    expect(error).toMatchObject({ stage: 'tick', workerStack: 'at step (sim.ts)' });
    expect((error as Error).message).toMatch(/broken.*cannot be restarted: nothing has been/);
    expect(statuses).toMatchObject([{ kind: 'restarting' }, { kind: 'failed' }]);
    expect(statuses[1]).toHaveProperty('error', error);
    expect(simulation.state).toBe('failed');
    expect(createNext).not.toHaveBeenCalled();
    await simulation.dispose();
  });

  test('is over, whatever a handler does with it', async () => {
    const reportError = vi.fn<(error: unknown) => void>();
    vi.stubGlobal('reportError', reportError);
    const error = new Error('from a handler');
    const { simulation, first } = await connected(() => new ScriptedWorker({}));
    simulation.on('status', ({ kind }) => {
      if (kind === 'failed') throw error;
    });
    first.fail();
    expect(await reasonOf(simulation.pause())).toBeInstanceOf(WorkerFailedError);
    expect(reportError.mock.calls).toEqual([[error]]);
    await simulation.dispose();
    expect(simulation.state).toBe('disposed');
  });
});
