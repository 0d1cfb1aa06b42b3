import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventQueueOf, inputQueueOf } from '../../../../src/shared/memory/buffer.js';
import { createBuffer } from '../../../../src/shared/memory/create-buffer.js';
import type {
  WorkerControl,
  WorkerMessage,
  WorkerOptions,
} from '../../../../src/shared/protocol/control-protocol.js';
import { HEAD_WORDS } from '../../../../src/shared/events/event-record.js';
import { InputRecordWriter } from '../../../../src/shared/input/input-record.js';
import {
  CONTROL,
  SLOT_HEADER,
  STATISTICS,
  WORKER_ACTIVITY,
  WORKER_PHASE,
} from '../../../../src/shared/memory/layout.js';
import { QueueReader, QueueWriter } from '../../../../src/shared/memory/record-queue.js';
import { StatusReader } from '../../../../src/shared/memory/snapshot-reader.js';
import type { RecordingEntry } from '../../../../src/shared/recording/recording.js';
import type { Simulation } from '../../../../src/sim-worker/index.js';
import { createControlServer } from '../../../../src/sim-worker/loop/control-server.js';
import type { WorkerHost } from '../../../../src/sim-worker/thread/host.js';
import { firstPace, paceOf } from '../../../fixtures/page-pace.js';
import { callsOfPage } from '../../../fixtures/page-port.js';
import { poseAt } from '../../../fixtures/poses.js';
import { present } from '../../../fixtures/present.js';
import { RunToy, createToyRun, inputOf } from '../../../fixtures/run-toy.js';
import { scriptedHost, takeTurn, turnsUntil } from '../../../fixtures/scripted-host.js';
import { DEFAULT_WORKER_OPTIONS } from '../../../fixtures/worker-options.js';

/** While paused, the loop never sleeps: it can run in this thread. */
const OPTIONS: WorkerOptions = { ...DEFAULT_WORKER_OPTIONS, tickRateHz: 50 };
const STEP_SECONDS = 1 / 50;

/** A host without a page, on a clock that a test sets. */
let nowMs: number;
const logError = vi.fn<(what: string, error: unknown) => void>();
const host = scriptedHost(() => nowMs, { logError });

let views: ReturnType<typeof createBuffer>;
let inputs: InputRecordWriter;
let posted: WorkerMessage[];
/** Refused poses that were counted when each message was posted. */
let countedInvalid: number[];
let simulation: Simulation;
let toy: RunToy;
let server: WorkerControl;
let pace: ReturnType<typeof paceOf>;

beforeEach(() => {
  nowMs = 1000;
  logError.mockClear();
  views = createBuffer(8, 4);
  inputs = new InputRecordWriter(new QueueWriter(inputQueueOf(views)));
  posted = [];
  countedInvalid = [];
  simulation = {
    init: vi.fn<Simulation['init']>(({ bodies }) => void bodies.spawn(poseAt(1))),
    step: vi.fn<Simulation['step']>(),
    commands: { jump: () => 'jumped', build: (height: number) => height },
    queries: { double: (value: number) => 2 * value, half: (value: number) => value / 2 },
    dispose: vi.fn<() => void>(),
  };
  toy = new RunToy();
  open(simulation);
});

function open(given: Simulation, on = host): void {
  server = createControlServer({
    host: on,
    simulation: given,
    calls: callsOfPage().calls,
    post: (message, transfer = []) => {
      posted.push(structuredClone(message, { transfer }));
      countedInvalid.push(count('invalidPoses'));
    },
  });
  pace = paceOf(server, firstPace(OPTIONS, true));
}

const phase = (): number => Atomics.load(views.control, CONTROL.phase);
const count = (name: keyof typeof STATISTICS): number => views.statistics[STATISTICS[name]] ?? 0;
const postedOf = <Type extends WorkerMessage['type']>(type: Type) =>
  posted.filter(
    (message): message is Extract<WorkerMessage, { type: Type }> => message.type === type,
  );

const initialize = (options: Partial<WorkerOptions> = {}) =>
  server.initialize({ transport: 'shared', buffer: views.buffer }, { ...OPTIONS, ...options });

async function started(options: Partial<WorkerOptions> = {}): Promise<void> {
  await initialize(options);
  pace.start();
}

async function stopped(): Promise<void> {
  Atomics.store(views.control, CONTROL.stopRequest, 1);
  server.stop();
  await turnsUntil(() => phase() === WORKER_PHASE.stopped);
}

afterEach(async () => {
  if (phase() === WORKER_PHASE.running || phase() === WORKER_PHASE.paused) await stopped();
});

test('a worker reports that it has not been initialized', () => {
  expect(() => pace.start()).toThrow(/has not been initialized/);
  expect(() => server.step(1)).toThrow(/has not been initialized/);
});

test('initializing a worker reports the names that the simulation has, and is done once', async () => {
  const first = initialize();
  await expect(initialize()).rejects.toThrow(/initialized already/);
  expect(await first).toEqual({
    commands: ['jump', 'build'],
    queries: ['double', 'half'],
    canSave: false,
  });
  expect(simulation.init).toHaveBeenCalledTimes(1);
  expect(phase()).toBe(WORKER_PHASE.starting);
});

test('a worker that lacks the memory of its page says what has it', async () => {
  await expect(server.initialize({ transport: 'local' }, OPTIONS)).rejects.toThrow(/runLocally/);
});

test('the phase of a worker is paused and stopped, and failed after a tick has thrown', async () => {
  await started();
  expect(phase()).toBe(WORKER_PHASE.paused);
  vi.mocked(simulation.step).mockImplementation(() => {
    throw new Error('boom');
  });
  void server.step(1);
  await turnsUntil(() => phase() === WORKER_PHASE.failed);
  expect(posted.filter(({ type }) => type !== 'betwixt:bodies')).toEqual([
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
      vi.spyOn(Atomics, 'wait').mockImplementation(() => {
        throw new TypeError('Atomics.wait cannot be called in this context');
      });
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
  open(simulation, hostOf());
  pace = paceOf(server, firstPace(OPTIONS));
  await started();
  await turnsUntil(() => phase() === WORKER_PHASE.failed);
  expect(posted.at(-1)).toMatchObject({ stage: 'protocol', message });
  expect(logError).not.toHaveBeenCalled();
});

test('what the simulation throws in `init` is its own', async () => {
  vi.mocked(simulation.init).mockImplementation(() => {
    throw new RangeError('no scene');
  });
  await expect(started()).rejects.toThrow('no scene');
  expect(posted.at(-1)).toMatchObject({
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

test('a paused worker does not block its thread, whose own timers and messages run at once', async () => {
  const wait = vi.spyOn(Atomics, 'wait');
  await started();
  for (let turn = 0; turn < 5; turn++) await takeTurn();
  expect(Atomics.load(views.control, CONTROL.activity)).toBe(WORKER_ACTIVITY.idle);
  expect(wait).not.toHaveBeenCalled();
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
});

test('a name used for both a command and a query is refused before `init`', async () => {
  open({ ...simulation, commands: { half: () => 1 } });
  await expect(initialize()).rejects.toThrow(
    new TypeError('the simulation has a command and a query with the name "half"'),
  );
  expect(simulation.init).not.toHaveBeenCalled();
});

test('a restart within `init` is tick 0, as any start', async () => {
  vi.mocked(simulation.init).mockImplementation((context) => {
    context.bodies.spawn(poseAt(1));
    context.restart();
  });
  await started();
  expect(await server.step(2)).toBe(2);
  expect(new StatusReader(views).read()[SLOT_HEADER.newestTick]).toBe(2);
});

test('commands are answered when their tick is done, with their results, those with a call in one message', async () => {
  const index = { x: 1 };
  (simulation.commands as Record<string, unknown>)['jump'] = () => index;
  vi.mocked(simulation.step).mockImplementation(() => {
    expect(postedOf('betwixt:replies')).toEqual([]);
    index.x = 2;
  });
  await started();
  for (const call of [5, 0, 6]) inputs.pushCommand(0, call, { args: '[]' }, 0);
  await server.step(1);
  const answers = [5, 6].map((call) => ({ call, value: { x: 1 } }));
  expect(posted.at(-1)).toEqual({ type: 'betwixt:replies', tick: 1, replies: answers });
});

/** A run that is recorded, of a toy with three bodies. */
async function toyStarted(options: Partial<WorkerOptions> = {}): Promise<void> {
  open(toy);
  await started({ seed: 7, isRecorded: true, hashEveryTicks: 1, ...options });
}

const journaled = () => postedOf('betwixt:journal').flatMap(({ items }) => items);
const entries = (): RecordingEntry[] =>
  journaled().filter(
    (item): item is RecordingEntry => item.kind !== 'restart' && item.kind !== 'state',
  );

/** Goes back to the start with what was recorded so far. */
const back = (untilTick: number) => ({
  run: {
    seed: 7,
    setup: null,
    capacity: 8,
    engine: 'toy 1',
    invalidPoses: 'freeze' as const,
    generation: 0,
  },
  from: undefined,
  entries: entries(),
  untilTick,
});

test('which bodies live is posted by ticks that change it, before their state, and after a jump', async () => {
  await toyStarted();
  await server.step(2);
  toy.onStep = ({ bodies }) => void bodies.despawn(present(toy.ids[1]));
  await server.step(1);
  toy.onStep = () => {};
  await server.step(1);
  await server.seek(back(2));
  expect(postedOf('betwixt:bodies')).toMatchObject([
    { state: 0, tick: 0, isComplete: true, spawned: toy.ids },
    { state: 3, tick: 3, isComplete: false, spawned: [], despawned: [toy.ids[1]] },
    { state: 5, tick: 2, isComplete: true, spawned: toy.ids },
  ]);
});

test('a command is answered with an error if its result cannot be cloned, and nothing is journaled unless requested', async () => {
  vi.spyOn(toy.commands, 'push').mockReturnValue((() => {}) as never);
  await toyStarted({ isRecorded: false, saveEveryTicks: 1 });
  inputs.pushCommand(0, 9, { args: '[0,1]' }, 991);
  await server.step(1);
  expect(journaled()).toEqual([]);
  expect(postedOf('betwixt:replies')).toMatchObject([
    { replies: [{ call: 9, error: { name: 'DataCloneError' } }] },
  ]);
});

test('a state is reached in ticks that count as such, so that one that hangs is detected', async () => {
  await toyStarted();
  await server.step(6);
  const request = back(6);
  const activities: number[] = [];
  toy.onStep = () => {
    nowMs += 100;
    activities.push(Atomics.load(views.control, CONTROL.activity));
  };
  await server.seek(request);
  expect(activities).toEqual(Array.from({ length: 6 }, () => WORKER_ACTIVITY.ticking));
});

test('which bodies live is posted when the ticks of a new worker start, and not while it moves there', async () => {
  const { run } = await createToyRun({ dt: STEP_SECONDS });
  run.runTick(STEP_SECONDS);
  const request = { ...back(1), entries: [], from: run.save() };
  open(toy);
  await initialize({ isRecorded: true, resumeFrom: request });
  expect(postedOf('betwixt:bodies')).toEqual([]);
  pace.start();
  const list = { isComplete: true, spawned: toy.ids, despawned: [] };
  const tags = ['"toy 0"', '"toy 1"', '"toy 2"'];
  expect(postedOf('betwixt:bodies')).toMatchObject([{ ...list, tags, state: 0, tick: 1 }]);
});

test('a seek needs a paused simulation', async () => {
  await toyStarted();
  pace.resume();
  await expect(server.seek(back(0))).rejects.toThrow(/seeking needs a paused simulation/);
});

test("a replay leaves the page's inputs in the queue", async () => {
  await toyStarted();
  await server.step(6);
  await server.seek({ ...back(0), shownUntil: 3 });
  inputs.pushInput(inputOf(2, 5), 995);
  await server.step(2);
  expect(server.closeReplay()).toMatchObject({ differsAt: undefined });
  await server.step(1);
  expect(entries()).toContainEqual({ kind: 'input', tick: 3, input: inputOf(2, 5) });
});

const spoil: RunToy['onStep'] = ({ bodies }) =>
  void bodies.setPose(present(toy.ids[0]), Number.NaN, 0, 0, 0, 0, 0, 1);

test('an invalid pose is counted before it is reported, with the tag of its body', async () => {
  await toyStarted();
  toy.onStep = spoil;
  await server.step(1);
  expect(countedInvalid[posted.findIndex(({ type }) => type === 'betwixt:notice')]).toBe(1);
  expect(postedOf('betwixt:notice')).toMatchObject([{ notice: { tag: 'toy 0' } }]);
});

test('a worker that has paused by itself is resumed by a resume, and by no other change of the pace', async () => {
  await toyStarted({ invalidPosePolicy: 'stop' });
  toy.onStep = spoil;
  pace.resume();
  nowMs += 21;
  await turnsUntil(() => postedOf('betwixt:notice').length > 0);
  // The page does not know yet.
  pace.set({ tickRateHz: 25 });
  expect(phase()).toBe(WORKER_PHASE.paused);
  pace.resume();
  expect(phase()).toBe(WORKER_PHASE.running);
});

/** The page reads all events, and asks for the next ones. */
function readEvents(): void {
  const reader = new QueueReader(eventQueueOf(views));
  Atomics.store(views.control, CONTROL.eventWakeRequested, 1);
  reader.begin();
  while (reader.next()) reader.take();
  reader.end();
}

test('the page is notified once of new events, if it asked for that and has not read them', async () => {
  await toyStarted();
  toy.onStep = ({ events }) => events.emit('tick', {});
  await server.step(1);
  expect(postedOf('betwixt:events')).toEqual([]);
  readEvents();
  toy.onStep = () => {};
  await server.step(1);
  expect(postedOf('betwixt:events')).toEqual([]);
  expect(Atomics.load(views.control, CONTROL.eventWakeRequested)).toBe(1);
  toy.onStep = ({ events }) => events.emit('tick', {});
  await server.step(2);
  await server.step(1);
  expect(postedOf('betwixt:events')).toHaveLength(1);
  expect(count('events')).toBe(4);
});

test('the page is notified of the end of all pairs when the queue has room for it, without events', async () => {
  await toyStarted();
  const queue = new QueueWriter(eventQueueOf(views));
  const { freeWords } = queue;
  await server.step(1);
  readEvents();
  // An event of all words.
  toy.onStep = ({ events }) => events.emit('x', 'y'.repeat(4 * freeWords - 35));
  await server.step(1);
  toy.onStep = () => {};
  await server.seek(back(0));
  expect([queue.freeWords, postedOf('betwixt:events').length]).toEqual([0, 1]);
  readEvents();
  await server.step(1);
  expect([freeWords - queue.freeWords, postedOf('betwixt:events').length]).toEqual([
    HEAD_WORDS + 1,
    2,
  ]);
  expect([count('events'), count('lostEvents')]).toEqual([1, 0]);
});
