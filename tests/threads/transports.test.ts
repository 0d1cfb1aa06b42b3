/**
 * All messages of page and worker arrive over each transport, whole and in order. The other tests of
 * this folder use shared memory, and those of tests/unit this thread's.
 */
import { expect, test } from 'vitest';
import {
  QueueFullError,
  type ConnectOptions,
  type SimulationStatus,
} from '../../src/render-main/index.js';
import { decodeRecording, encodeRecording } from '../../src/shared/index.js';
import { replay } from '../../src/sim-worker/index.js';
import { eventually } from '../fixtures/eventually.js';
import { GIVE_UP_MS, HeldToy } from '../fixtures/held-toy.js';
import {
  connectToyForTest,
  ticksMatchTime,
  ticksPass,
  type ToyHandle,
} from '../fixtures/threads.js';
import { createToy } from '../fixtures/toy-simulation.js';
import { ONE_OF_EACH } from '../fixtures/typed-arrays.js';
import { tuned } from '../../src/render-main/api/connect-options.js';

type Over = NonNullable<ConnectOptions['transport']>;
const TRANSPORTS = ['shared', 'transfer', 'local'] as const satisfies readonly Over[];
const THREADS = ['shared', 'transfer'] as const satisfies readonly Over[];

const RECORDING = { hashEveryTicks: 1, rewindSeconds: 60, saveEverySeconds: 0.1 } as const;

/** Paused, unless the options say otherwise. */
const connectOver = (transport: Over, options: ConnectOptions = {}): Promise<ToyHandle> =>
  connectToyForTest({ startPaused: true, recording: RECORDING, transport, ...options });

const input = (code: number) =>
  ({ kind: 'custom', code, device: 0, x: 1, y: 2, z: 3, w: 4 }) as const;

/** The recording replays with equal hashes, through a file. */
async function expectReplays(simulation: ToyHandle): Promise<void> {
  const recording = decodeRecording(encodeRecording(simulation.recording()));
  const report = await replay(createToy(), recording);
  expect(report).toMatchObject({ tick: recording.lastTick, differsAt: undefined });
  expect(report.hashes).toBeGreaterThan(0);
}

test.each(TRANSPORTS)('the newest poses, velocities and values arrive over %s', async (over) => {
  const simulation = await connectOver(over, { display: { velocities: true, values: 3 } });
  const startMs = performance.now();
  const expectNewest = async (tick: number, frameMs: number, values: readonly number[]) => {
    const frame = simulation.sample(startMs + frameMs);
    expect(simulation.stats().tick).toBe(tick);
    for (let index = 0; index < 16; index++) {
      const body = await simulation.queries.bodyOf(index);
      const pose = Object.values((await simulation.queries.poseOf(index)) ?? {});
      expect([...(frame.newest(body, new Float64Array(7)) ?? [])]).toEqual(pose);
      // While paused, a frame shows the newest state.
      expect([...(simulation.pose(body, new Float64Array(7)) ?? [])]).toEqual(pose);
      const velocity = frame.velocity(body, new Float32Array(6));
      expect([...(velocity ?? [])]).toEqual([tick, index, 0.5, -1, -2, -tick]);
    }
    expect([...(frame.newestValues ?? [])]).toEqual(values);
    expect([...(frame.writeValues(new Float32Array(2), 1) ?? [])]).toEqual(values.slice(1));
  };
  await simulation.step(5);
  await expectNewest(5, 5, [5, -5, 0]);
  const saved = await simulation.save();
  await simulation.step(5);
  await simulation.setTickRate(50);
  await expectNewest(10, 10, [10, -10, 0]);
  await simulation.seek(3);
  await expectNewest(3, 15, [3, -3, 0]);
  // As in the state, except for what the toy writes when it is restored.
  await simulation.restore(saved);
  await expectNewest(5, 20, [5, 0.5, 0]);
  await simulation.replaceWorker();
  await simulation.step(1);
  await expectNewest(6, 25, [6, -6, 0]);
});

test.each(TRANSPORTS)('inputs and commands arrive over %s whole and in order', async (over) => {
  const simulation = await connectOver(over);
  for (let code = 0; code < 3; code++) simulation.inputs.push(input(code), performance.now());
  const assets = await simulation.openAssets();
  const array = Int32Array.of(1, 2, 3);
  const answers = [
    simulation.commands.push(0, 0.5),
    ...ONE_OF_EACH.map((each) => simulation.commands.pushBy(each)),
    simulation.commands.pushBy(array),
    // More than the queue holds.
    simulation.commands.pushAsset(assets.add(new Float32Array(100_000).fill(0.5))),
  ];
  // Arguments are sent as they were at the call.
  array.fill(0);
  await simulation.queries.sum();
  await simulation.step(2);
  const [pushed, ...received] = await Promise.all(answers);
  expect(pushed).toBeTypeOf('number');
  const kinds = ONE_OF_EACH.map((each) => each[Symbol.toStringTag]);
  expect(received.map((answer) => String(answer).split(' ').slice(1, 3).join(' '))).toEqual([
    ...ONE_OF_EACH.map((each, index) => `${kinds[index]} ${each.length}`),
    'Int32Array 3',
    'Float32Array 100000',
  ]);
  expect(received.slice(-2)).toEqual([' Int32Array 3 6', ' Float32Array 100000 50000']);
  const given = await simulation.queries.given();
  expect(given.map(({ tick, inputs }) => [tick, inputs.map(({ code }) => code)])).toEqual([
    [1, [0, 1, 2]],
  ]);
  expect(given[0]?.inputs[1]).toMatchObject(input(1));
  await expectReplays(simulation);
});

test.each(TRANSPORTS)('a full queue over %s refuses inputs, and has the others', async (over) => {
  const simulation = await connectOver(over, tuned({}, { inputWords: 64 }));
  const taken = Array.from({ length: 10 }, (_, code) =>
    simulation.inputs.push(input(code), performance.now()),
  );
  expect(taken).toEqual([true, true, true, true, ...Array<boolean>(6).fill(false)]);
  await expect(simulation.commands.push(1, 2)).rejects.toBeInstanceOf(QueueFullError);
  expect(simulation.stats().refusedInputs).toBe(7);
  await simulation.step();
  const [given] = await simulation.queries.given();
  expect(given?.inputs.map(({ code }) => code)).toEqual([0, 1, 2, 3]);
  expect(simulation.inputs.push(input(9), performance.now())).toBe(true);
});

test.each(TRANSPORTS)('answers and errors of calls arrive over %s', async (over) => {
  const { queries, commands } = await connectOver(over, { startPaused: false });
  const value = { list: [1, 2, 3], text: 'ü', nothing: undefined, when: new Date(5) };
  expect(await queries.echo(value)).toEqual(value);
  expect(await queries.later('in a while')).toBe('in a while');
  await expect(queries.fail('too far')).rejects.toMatchObject({
    name: 'RangeError',
    message: 'too far',
    stack: expect.stringContaining('toy-simulation') as string,
  });
  await expect(queries.failWith(7)).rejects.toThrow('7');
  await expect(queries.unclonable()).rejects.toThrow(/unserializable/i);
  await expect(queries.echo(() => {})).rejects.toThrow(/could not be cloned/);
  await expect(commands.push(99, 1)).rejects.toThrow('there is no point 99');
  expect(await queries.echo('still there')).toBe('still there');
});

test.each(TRANSPORTS)('events arrive over %s in order, or are counted as lost', async (over) => {
  const simulation = await connectOver(over, tuned({}, { eventWords: 64 }));
  const statuses: SimulationStatus[] = [];
  simulation.on('status', (status) => statuses.push(status));
  const ticks: number[] = [];
  simulation.on('tenth', ({ tick }) => ticks.push(tick), { when: 'now' });
  for (let step = 0; step < 5; step++) {
    await simulation.step(10);
    await eventually(() => expect(ticks).toHaveLength(step + 1));
  }
  await simulation.seek(25);
  await simulation.step(10);
  await eventually(() => expect(ticks).toEqual([10, 20, 30, 40, 50, 30]));
  // More than the queue holds, faster than the page reads.
  await simulation.step(1000);
  await eventually(async () => {
    await simulation.step(10);
    expect(ticks.at(-1)).toBe(simulation.stats().tick - 5);
  });
  const { lostEvents, tick } = simulation.stats();
  expect(ticks.length + lostEvents).toBe(6 + (tick - 35) / 10);
  simulation.sample(performance.now());
  expect(statuses.some(({ kind }) => kind === 'events-lost')).toBe(lostEvents > 0);
});

test.each(TRANSPORTS)('a recording made over %s is complete, and is shown there', async (over) => {
  const simulation = await connectOver(over, { startPaused: false, tickRateHz: 240 });
  for (let code = 0; code < 30; code++) {
    simulation.inputs.push(input(code), performance.now());
    simulation.commands.push(code % 16, 0.1).catch(() => {});
    await ticksPass(simulation, 2);
  }
  expect((await ticksMatchTime(simulation)).state).toBe('running');
  await simulation.pause();
  await simulation.resume();
  await ticksPass(simulation);
  await simulation.pause();
  const recording = simulation.recording();
  expect(recording.lastTick).toBe(simulation.stats().tick);
  const sum = await simulation.queries.sum();
  const report = await replay(createToy(), decodeRecording(encodeRecording(recording)));
  expect(report).toMatchObject({ hashes: recording.lastTick, differsAt: undefined });

  const other = await connectOver(over, { timeScale: 100, startPaused: false });
  const shown = await other.openReplay(recording);
  expect(await shown.ended).toEqual(report);
  expect(await other.queries.sum()).toBe(sum);
  expect(await shown.seek(20)).toMatchObject({ tick: 20, differsAt: undefined });
});

test.each(THREADS)('workers that throw, hang or die over %s lose nothing', async (transport) => {
  const toy = await HeldToy.connect({
    transport,
    tickRateHz: 240,
    capacity: 64,
    recovery: 'restart',
    recording: { hashEveryTicks: 4 },
  });
  const { simulation } = toy;
  let restarts = 0;
  simulation.on('status', ({ kind }) => {
    if (kind === 'restarted') restarts += 1;
  });
  const push = async (from: number): Promise<void> => {
    for (let code = from; code < from + 10; code++) {
      expect(simulation.inputs.push(input(code), performance.now())).toBe(true);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const codes = (): number[] =>
    simulation
      .recording()
      .entries.flatMap((entry) => (entry.kind === 'input' ? [entry.input.code] : []));
  await push(0);
  simulation.queries.failInNextTick('bad luck').catch(() => {});
  await push(10);
  await eventually(() => expect(restarts).toBe(1));
  // A thread that is terminated takes with it what it has taken and not reported.
  await eventually(() => expect(codes()).toHaveLength(20));
  await toy.hold();
  await push(20);
  const waiting = simulation.commands.push(1, 0.25);
  toy.clock.pass(GIVE_UP_MS);
  await eventually(() => expect(restarts).toBe(2));
  expect(await waiting).toBeTypeOf('number');
  await push(30);
  simulation.queries.exit().catch(() => {});
  await push(40);
  await eventually(() => expect(restarts).toBe(3));
  await push(50);
  await simulation.pause();
  await simulation.step(4);
  expect(codes()).toEqual(Array.from({ length: 60 }, (_, code) => code));
  await expectReplays(simulation);
});
