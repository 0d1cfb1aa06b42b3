import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { inputQueueOf } from '../../../../src/shared/memory/buffer.js';
import { createBuffer } from '../../../../src/shared/memory/create-buffer.js';
import type {
  WorkerControl,
  WorkerMessage,
  WorkerOptions,
} from '../../../../src/shared/protocol/control-protocol.js';
import { InputRecordWriter } from '../../../../src/shared/input/input-record.js';
import {
  CONTROL,
  SLOT_HEADER,
  STATE_HEADER,
  WORKER_ACTIVITY,
  WORKER_PHASE,
  type BufferViews,
} from '../../../../src/shared/memory/layout.js';
import { QueueWriter } from '../../../../src/shared/memory/record-queue.js';
import { SnapshotReader } from '../../../../src/shared/memory/snapshot-reader.js';
import { createControlServer } from '../../../../src/sim-worker/loop/control-server.js';
import type { Simulation } from '../../../../src/sim-worker/index.js';
import type { WorkerHost } from '../../../../src/sim-worker/thread/host.js';
import { firstPace, paceOf } from '../../../fixtures/page-pace.js';
import { callsOfPage } from '../../../fixtures/page-port.js';
import { poseAt } from '../../../fixtures/poses.js';
import { present } from '../../../fixtures/present.js';
import { scriptedHost, takeTurn, turnsUntil } from '../../../fixtures/scripted-host.js';
import { DEFAULT_WORKER_OPTIONS } from '../../../fixtures/worker-options.js';

/** While paused, the loop never sleeps: it can run in this thread. */
const OPTIONS: WorkerOptions = { ...DEFAULT_WORKER_OPTIONS, tickRateHz: 50 };

/** A host without a page, whose clock is frozen. */
const logError = vi.fn<(what: string, error: unknown) => void>();
const host = scriptedHost(() => 1000, { logError });

const post = vi.fn<(message: WorkerMessage) => void>();
let views: BufferViews & { readonly buffer: ArrayBufferLike };
let simulation: Simulation;
let server: WorkerControl;
let pace: ReturnType<typeof paceOf>;

beforeEach(() => {
  post.mockClear();
  logError.mockClear();
  views = createBuffer(4, 4);
  simulation = {
    init: vi.fn<Simulation['init']>(({ bodies }) => void bodies.spawn(poseAt(1))),
    step: vi.fn<Simulation['step']>(),
    commands: {
      jump: () => 'jumped',
      build: (height: number) => height,
    },
    queries: {
      double: (value: number) => 2 * value,
      half: (value: number) => value / 2,
    },
    dispose: vi.fn<() => void>(),
  };
  server = createControlServer({ host, simulation, calls: callsOfPage().calls, post });
  pace = paceOf(server, firstPace(OPTIONS, true));
});

const phase = (): number => Atomics.load(views.control, CONTROL.phase);

async function started(): Promise<void> {
  await server.initialize({ transport: 'shared', buffer: views.buffer }, OPTIONS);
  pace.start();
}

async function stopped(): Promise<void> {
  Atomics.store(views.control, CONTROL.stopRequest, 1);
  server.stop();
  await turnsUntil(() => phase() === WORKER_PHASE.stopped);
}

test('a worker reports that it has not been initialized', () => {
  expect(() => pace.start()).toThrow(/has not been initialized/);
  expect(() => server.step(1)).toThrow(/has not been initialized/);
});

test('initializing a worker reports the names that the simulation has, and calls `init` once', async () => {
  expect(await server.initialize({ transport: 'shared', buffer: views.buffer }, OPTIONS)).toEqual({
    commands: ['jump', 'build'],
    queries: ['double', 'half'],
    canSave: false,
  });
  expect(simulation.init).toHaveBeenCalledTimes(1);
  await expect(
    server.initialize({ transport: 'shared', buffer: views.buffer }, OPTIONS),
  ).rejects.toThrow(/initialized already/);
  expect(phase()).toBe(WORKER_PHASE.starting);
});

test('a worker that lacks the memory of its page says what has it', async () => {
  await expect(server.initialize({ transport: 'local' }, OPTIONS)).rejects.toThrow(/runLocally/);
});

test('a worker is not initialized while it is being initialized', async () => {
  const memory = { transport: 'shared', buffer: views.buffer } as const;
  const first = server.initialize(memory, OPTIONS);
  await expect(server.initialize(memory, OPTIONS)).rejects.toThrow(/initialized already/);
  expect(await first).toMatchObject({ canSave: false });
  expect(simulation.init).toHaveBeenCalledTimes(1);
});

test('the phase of a worker is paused and stopped, and failed after a tick has thrown', async () => {
  await started();
  expect(phase()).toBe(WORKER_PHASE.paused);
  vi.mocked(simulation.step).mockImplementation(() => {
    throw new Error('boom');
  });
  void server.step(1);
  await turnsUntil(() => phase() === WORKER_PHASE.failed);
  const messages = post.mock.calls.map(([message]) => message);
  expect(messages.filter(({ type }) => type !== 'betwixt:bodies')).toEqual([
    {
      type: 'betwixt:failure',
      stage: 'tick',
      tick: 1,
      name: 'Error',
      message: 'boom',
      stack: expect.stringContaining('boom') as string,
      cause: new Error('boom'),
    },
  ]);
  expect(logError.mock.calls).toEqual([['the simulation threw in tick 1:', new Error('boom')]]);
  expect(simulation.dispose).not.toHaveBeenCalled();
});

test.each<[string, () => WorkerHost, string]>([
  [
    'its thread may not sleep in shared memory',
    () => {
      const wait = vi.spyOn(Atomics, 'wait').mockImplementation(() => {
        throw new TypeError('Atomics.wait cannot be called in this context');
      });
      onTestFinished(() => wait.mockRestore());
      return host;
    },
    "the simulation's thread may not sleep in shared memory (Atomics.wait): call connect with the option transport: 'transfer'",
  ],
  [
    'its own code throws',
    () => scriptedHost(() => 1000, { logError, take: () => Promise.reject(new Error('oops')) }),
    'betwixt threw, and not the simulation. Please report it: oops',
  ],
])('a worker that fails because %s does not blame the simulation', async (_, hostOf, message) => {
  server = createControlServer({ host: hostOf(), simulation, calls: callsOfPage().calls, post });
  pace = paceOf(server, firstPace(OPTIONS));
  await started();
  await turnsUntil(() => phase() === WORKER_PHASE.failed);
  expect(post.mock.lastCall?.[0]).toMatchObject({ stage: 'protocol', message });
  expect(logError).not.toHaveBeenCalled();
});

test('what the simulation throws in `init` is its own', async () => {
  vi.mocked(simulation.init).mockImplementation(() => {
    throw new RangeError('no scene');
  });
  await expect(started()).rejects.toThrow('no scene');
  expect(post.mock.lastCall?.[0]).toMatchObject({
    type: 'betwixt:failure',
    stage: 'init',
    name: 'RangeError',
    message: 'no scene',
  });
  expect(logError.mock.calls).toEqual([
    ['the simulation threw in init:', new RangeError('no scene')],
  ]);
});

test('steps run with the step of the tick rate, number each tick, and have one promise each', async () => {
  await started();
  expect(await server.step(2)).toBe(2);
  pace.set({ tickRateHz: 20, timeScale: 10 });
  expect(await Promise.all([server.step(1), server.step(2)])).toEqual([3, 5]);
  expect(vi.mocked(simulation.step).mock.calls).toEqual([
    [1 / 50, 1, []],
    [1 / 50, 2, []],
    ...[3, 4, 5].map((tick) => [1 / 20, tick, []]),
  ]);
  await stopped();
  expect(simulation.dispose).toHaveBeenCalledTimes(1);
});

test('steps are published, one state each, with their due times', async () => {
  await started();
  await server.step(3);
  const reader = new SnapshotReader(views);
  expect(reader.fetch()).toBe(true);
  const { header, stateHeaders } = reader.slot;
  expect(header[SLOT_HEADER.newestState]).toBe(3);
  expect(header[SLOT_HEADER.pausedVirtualMs]).toBe(60);
  expect(header[SLOT_HEADER.bodyCount]).toBe(1);
  expect(stateHeaders.map((state) => state[STATE_HEADER.tick])).toEqual([0, 1, 2, 3]);
  expect(stateHeaders.map((state) => state[STATE_HEADER.virtualMs])).toEqual([0, 20, 40, 60]);
  expect(stateHeaders.every((state) => state[STATE_HEADER.latenessMs] === 0)).toBe(true);
  await stopped();
});

test('a paused worker does not block its thread, whose own timers and messages run at once', async () => {
  const wait = vi.spyOn(Atomics, 'wait');
  onTestFinished(() => wait.mockRestore());
  await started();
  for (let turn = 0; turn < 5; turn++) await takeTurn();
  expect(Atomics.load(views.control, CONTROL.activity)).toBe(WORKER_ACTIVITY.idle);
  expect(wait).not.toHaveBeenCalled();
  await stopped();
});

test('wrong arguments from the page are also refused by the worker', async () => {
  await started();
  expect(() => server.step(0)).toThrow(/^ticks must be/);
  for (const [name, value] of [
    ['tickRateHz', Number.NaN],
    ['timeScale', 0],
    ['maxCatchUpTicks', 2.5],
  ] as const) {
    expect(() => server.follow({ ...firstPace(OPTIONS), [name]: value })).toThrow(
      new RegExp(`^${name} must be`),
    );
  }
  await stopped();
});

test('an unknown query is refused by name, with the list of known ones', async () => {
  await started();
  expect(await server.query('double', [21])).toBe(42);
  await expect(server.query('triple', [])).rejects.toThrow(
    'the simulation has no query "triple"; it has double, half',
  );
  // A command has to go through the queue.
  for (const name of ['jump', 'constructor', 'toString', '__proto__']) {
    await expect(server.query(name, [])).rejects.toThrow(RangeError);
  }
  await stopped();
});

test('a name used for both a command and a query is refused before `init`', async () => {
  const both = { ...simulation, commands: { half: () => 1 } };
  server = createControlServer({ host, simulation: both, calls: callsOfPage().calls, post });
  await expect(
    server.initialize({ transport: 'shared', buffer: views.buffer }, OPTIONS),
  ).rejects.toThrow(new TypeError('the simulation has a command and a query with the name "half"'));
  expect(simulation.init).not.toHaveBeenCalled();
});

test('a restart within `init` is tick 0, as any start', async () => {
  vi.mocked(simulation.init).mockImplementation((context) => {
    context.bodies.spawn(poseAt(1));
    context.restart();
  });
  await started();
  expect(await server.step(2)).toBe(2);
  const reader = new SnapshotReader(views);
  reader.fetch();
  const newest = present(reader.slot.header[SLOT_HEADER.newestState]);
  expect(reader.slot.stateHeaders[newest % 4]?.[STATE_HEADER.tick]).toBe(2);
  await stopped();
});

const push = (name: string, call: number): void => {
  const index = ['jump', 'build'].indexOf(name);
  new InputRecordWriter(new QueueWriter(inputQueueOf(views))).pushCommand(
    index,
    call,
    { args: '[]' },
    0,
  );
};
const replies = () =>
  post.mock.calls.flatMap(([message]) =>
    message.type === 'betwixt:replies' ? message.replies : [],
  );

test('commands are answered when their tick is done, with their results, those with a call in one message', async () => {
  const index = { x: 1 };
  (simulation.commands as Record<string, unknown>)['jump'] = () => index;
  vi.mocked(simulation.step).mockImplementation(() => {
    expect(replies()).toEqual([]);
    index.x = 2;
  });
  await started();
  for (const call of [5, 0, 6]) push('jump', call);
  await server.step(1);
  const answers = [5, 6].map((call) => ({ call, value: { x: 1 } }));
  expect(post.mock.calls.at(-1)?.[0]).toEqual({
    type: 'betwixt:replies',
    tick: 1,
    replies: answers,
  });
  await stopped();
});

test('a command is not answered when the step after it throws: it is not part of a run that continues', async () => {
  vi.mocked(simulation.step).mockImplementation(() => {
    throw new Error('boom');
  });
  await started();
  push('jump', 5);
  void server.step(1);
  await turnsUntil(() => phase() === WORKER_PHASE.failed);
  expect(replies()).toEqual([]);
});
