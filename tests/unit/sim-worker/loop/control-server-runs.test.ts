import { beforeEach, expect, test, vi } from 'vitest';
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
  STATISTICS,
  WORKER_ACTIVITY,
  WORKER_PHASE,
  type BufferViews,
} from '../../../../src/shared/memory/layout.js';
import { QueueReader, QueueWriter } from '../../../../src/shared/memory/record-queue.js';
import type { RecordingEntry } from '../../../../src/shared/recording/recording.js';
import { createControlServer } from '../../../../src/sim-worker/loop/control-server.js';
import { firstPace, paceOf } from '../../../fixtures/page-pace.js';
import { callsOfPage } from '../../../fixtures/page-port.js';
import { present } from '../../../fixtures/present.js';
import { RunToy, createToyRun, inputOf } from '../../../fixtures/run-toy.js';
import { scriptedHost, turnsUntil } from '../../../fixtures/scripted-host.js';
import { DEFAULT_WORKER_OPTIONS } from '../../../fixtures/worker-options.js';

/** While paused, the loop never sleeps: it can run in this thread. */
const OPTIONS: WorkerOptions = {
  ...DEFAULT_WORKER_OPTIONS,
  tickRateHz: 50,
  seed: 7,
  isRecorded: true,
  hashEveryTicks: 1,
};
const STEP_SECONDS = 1 / 50;

/** A host without a page, on a clock that a test sets. */
let nowMs: number;
const host = scriptedHost(() => nowMs);

let views: BufferViews & { readonly buffer: ArrayBufferLike };
let toy: RunToy;
let posted: WorkerMessage[];
/** Refused poses that were counted when each message was posted. */
let countedInvalid: number[];
let server: WorkerControl;
let pace: ReturnType<typeof paceOf>;
let inputs: InputRecordWriter;

beforeEach(() => {
  nowMs = 1000;
  views = createBuffer(8, 4);
  inputs = new InputRecordWriter(new QueueWriter(inputQueueOf(views)));
  toy = new RunToy();
  posted = [];
  countedInvalid = [];
  server = createControlServer({
    host,
    simulation: toy,
    calls: callsOfPage().calls,
    post: (message, transfer = []) => {
      posted.push(structuredClone(message, { transfer }));
      countedInvalid.push(count('invalidPoses'));
    },
  });
  pace = paceOf(server, firstPace(OPTIONS, true));
});

const postedOf = <Type extends WorkerMessage['type']>(type: Type) =>
  posted.filter(
    (message): message is Extract<WorkerMessage, { type: Type }> => message.type === type,
  );
const journaled = () => postedOf('betwixt:journal').flatMap(({ items }) => items);
const entries = (): RecordingEntry[] =>
  journaled().filter(
    (item): item is RecordingEntry => item.kind !== 'restart' && item.kind !== 'state',
  );
const workerPhase = (): number => Atomics.load(views.control, CONTROL.phase);
const count = (name: keyof typeof STATISTICS): number => views.statistics[STATISTICS[name]] ?? 0;

async function started(options: Partial<WorkerOptions> = {}): Promise<void> {
  await server.initialize(
    { transport: 'shared', buffer: views.buffer },
    { ...OPTIONS, ...options },
  );
  pace.start();
}

async function stopped(): Promise<void> {
  Atomics.store(views.control, CONTROL.stopRequest, 1);
  server.stop();
  await turnsUntil(() => workerPhase() === WORKER_PHASE.stopped);
}

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
  await started();
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
  await stopped();
});

test('a command is answered with an error if its result cannot be cloned, and nothing is journaled unless requested', async () => {
  vi.spyOn(toy.commands, 'push').mockReturnValue((() => {}) as never);
  await started({ isRecorded: false, saveEveryTicks: 1 });
  inputs.pushCommand(0, 9, { args: '[0,1]' }, 991);
  await server.step(1);
  expect(journaled()).toEqual([]);
  expect(postedOf('betwixt:replies')).toMatchObject([
    { replies: [{ call: 9, error: { name: 'DataCloneError' } }] },
  ]);
  await stopped();
});

test('a state is reached in ticks that count as such, so that one that hangs is detected', async () => {
  await started();
  await server.step(6);
  const request = back(6);
  const activities: number[] = [];
  toy.onStep = () => {
    nowMs += 100;
    activities.push(Atomics.load(views.control, CONTROL.activity));
  };
  await server.seek(request);
  expect(activities).toEqual(Array.from({ length: 6 }, () => WORKER_ACTIVITY.ticking));
  await stopped();
});

test('which bodies live is posted when the ticks of a new worker start, and not while it moves there', async () => {
  const { run } = await createToyRun({ dt: STEP_SECONDS });
  run.runTick(STEP_SECONDS);
  const request = { ...back(1), entries: [], from: run.save() };
  const memory = { transport: 'shared', buffer: views.buffer } as const;
  await server.initialize(memory, { ...OPTIONS, resumeFrom: request });
  expect(postedOf('betwixt:bodies')).toEqual([]);
  pace.start();
  const list = { isComplete: true, spawned: toy.ids, despawned: [] };
  const tags = ['"toy 0"', '"toy 1"', '"toy 2"'];
  expect(postedOf('betwixt:bodies')).toMatchObject([{ ...list, tags, state: 0, tick: 1 }]);
  await stopped();
});

test('a seek needs a paused simulation', async () => {
  await started();
  pace.resume();
  await expect(server.seek(back(0))).rejects.toThrow(/seeking needs a paused simulation/);
  pace.pause();
  await stopped();
});

/** Records six ticks, goes back to the start and replays up to a tick. */
async function replaying(untilTick: number): Promise<void> {
  await started();
  inputs.pushInput(inputOf(1, 0.5), 990);
  await server.step(6);
  const request = { ...back(0), shownUntil: untilTick };
  await server.seek(request);
  posted.length = 0;
}

test("a replay leaves the page's inputs in the queue", async () => {
  await replaying(3);
  inputs.pushInput(inputOf(2, 5), 995);
  await server.step(2);
  expect(server.closeReplay()).toMatchObject({ differsAt: undefined });
  await server.step(1);
  expect(entries()).toContainEqual({ kind: 'input', tick: 3, input: inputOf(2, 5) });
  await stopped();
});

test('a replay journals nothing, and stays at its end when it is resumed', async () => {
  await replaying(3);
  await server.step(3);
  expect(journaled()).toEqual([]);
  pace.resume();
  expect(workerPhase()).toBe(WORKER_PHASE.paused);
  expect(postedOf('betwixt:notice')).toHaveLength(2);
  expect(server.closeReplay()).toMatchObject({ tick: 3 });
  await stopped();
});

const spoil: RunToy['onStep'] = ({ bodies }) =>
  void bodies.setPose(present(toy.ids[0]), Number.NaN, 0, 0, 0, 0, 0, 1);

test('an invalid pose is counted before it is reported, with the tag of its body', async () => {
  await started();
  toy.onStep = spoil;
  await server.step(1);
  expect(countedInvalid[posted.findIndex(({ type }) => type === 'betwixt:notice')]).toBe(1);
  expect(postedOf('betwixt:notice')).toMatchObject([{ notice: { tag: 'toy 0' } }]);
  await stopped();
});

test('a worker that has paused by itself is resumed by a resume, and by no other change of the pace', async () => {
  await started({ invalidPosePolicy: 'stop' });
  toy.onStep = spoil;
  pace.resume();
  nowMs += 21;
  await turnsUntil(() => postedOf('betwixt:notice').length > 0);
  // The page does not know yet.
  pace.set({ tickRateHz: 25 });
  expect(workerPhase()).toBe(WORKER_PHASE.paused);
  pace.resume();
  expect(workerPhase()).toBe(WORKER_PHASE.running);
  pace.pause();
  await stopped();
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
  await started();
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
  await stopped();
});

test('the page is notified of the end of all pairs when the queue has room for it, without events', async () => {
  await started();
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
  await stopped();
});
