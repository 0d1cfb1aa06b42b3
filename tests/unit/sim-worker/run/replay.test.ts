import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { RunRecorder } from '../../../../src/render-main/recording/run-recorder.js';
import type {
  Recording,
  RecordingEntry,
  SavedState,
} from '../../../../src/shared/recording/recording.js';
import type { BodyId } from '../../../../src/shared/memory/body-meta.js';
import type { TickInput, TickInputs } from '../../../../src/shared/input/tick-inputs.js';
import type { SimulationContext } from '../../../../src/sim-worker/index.js';
import { replay, ReplayScript } from '../../../../src/sim-worker/run/replay.js';
import { decodeRecording, encodeRecording } from '../../../../src/shared/index.js';
import { typedArrays } from '../../../fixtures/typed-arrays.js';
import {
  RunToy,
  STEP_SECONDS,
  commandOf,
  createToyRun,
  inputOf,
} from '../../../fixtures/run-toy.js';

/** The inputs and time step of a tick. */
interface PlannedTick extends TickInputs {
  readonly dt: number;
}

/** A run that followed a plan, and all of its journal. */
async function recordRun(plan: readonly PlannedTick[], seed = 7, toy = new RunToy()) {
  const { run, journal } = await createToyRun({ seed, hashEveryTicks: 1 }, toy);
  const states: SavedState[] = [run.save()];
  for (const { dt, ...tickInputs } of plan) {
    run.runTick(dt, tickInputs);
    states.push(run.save());
  }
  const recording: Recording = {
    run: run.description,
    start: undefined,
    lastTick: run.tick,
    entries: journal.items.filter(
      (item): item is RecordingEntry => item.kind !== 'restart' && item.kind !== 'state',
    ),
    states: [],
  };
  return { run, journal, states, recording };
}

const plannedTicks: fc.Arbitrary<PlannedTick> = fc.record({
  dt: fc.constantFrom(STEP_SECONDS, STEP_SECONDS, STEP_SECONDS, 1 / 50, 0.1),
  inputs: fc.array(
    fc
      .tuple(fc.nat({ max: 5 }), fc.float({ noNaN: true, min: -4, max: 4 }))
      .map(([code, x]) => inputOf(code, x, 0.5)),
    { maxLength: 3 },
  ),
  commands: fc.array(
    fc.oneof(
      fc.tuple(fc.nat({ max: 4 }), fc.integer({ min: -3, max: 3 })).map((args) =>
        // Bodies 3 and 4 do not exist: a command that throws is part of the run.
        commandOf('push', args),
      ),
      fc.tuple(fc.constantFrom(1, -2), typedArrays).map((args) => commandOf('pushAll', args)),
      // The command's array is in JSON.
      typedArrays.map((array) => commandOf('pushAll', [1, array, null])),
    ),
    { maxLength: 3 },
  ),
});
const plans = fc.array(plannedTicks, { minLength: 1, maxLength: 12 });

const stepsOf = ({ log }: RunToy): string[] => log.filter((line) => line.startsWith('step'));
const pushesOf = ({ log }: RunToy): string[] => log.filter((line) => line.startsWith('push'));

/** A simulation whose first body gets an invalid pose in every tick. */
const spoiling = (): RunToy => {
  const toy = new RunToy();
  toy.onStep = ({ bodies }) => {
    const [first] = toy.ids;
    if (first !== undefined) bodies.setPose(first, Number.NaN, 0, 0, 0, 0, 0, 1);
  };
  return toy;
};

const withInput =
  (change: Partial<TickInput>) =>
  (entry: RecordingEntry): RecordingEntry =>
    entry.kind === 'input' ? { ...entry, input: { ...entry.input, ...change } } : entry;

const quietTick: PlannedTick = { dt: STEP_SECONDS, inputs: [], commands: [] };
const longPlan: PlannedTick[] = Array.from({ length: 12 }, (_, index) => ({
  dt: index < 6 ? STEP_SECONDS : 2 * STEP_SECONDS,
  inputs: index % 2 === 0 ? [inputOf(index, 0.5, 0.25)] : [],
  commands: index % 3 === 0 ? [commandOf('push', [1, index])] : [],
}));

test('a replay names the first body that differs in a saved state, with both values', async () => {
  const { recording, states } = await recordRun([quietTick, quietTick, quietTick, quietTick]);
  /** @param change Made of body 1 in tick 2. */
  const differenceAfter = async (change: (toy: RunToy, id: BodyId) => void) => {
    const toy = new RunToy();
    let ticks = 0;
    toy.onStep = () => {
      ticks += 1;
      if (ticks === 2) change(toy, toy.ids[1] as BodyId);
    };
    // Two states, of ticks 0 and 3.
    const kept = states.filter(({ tick }) => tick % 3 === 0);
    return replay(toy, { ...recording, states: kept });
  };
  const teleported = await differenceAfter((toy) => void (toy.positions[1] = 7));
  expect(teleported).toMatchObject({ differsAt: 3, equalUpTo: 2 });
  expect(teleported.difference).toMatch(
    /^at tick 3, the first body that differs is that with the tag "toy 1": recorded at \([^)]*\), rotated by \(0, 0, 0, 1\), awake, replayed at \(6\.9\d*, 0, 0\)/,
  );
  const slept = await differenceAfter(({ context }, id) => context.bodies.setAsleep(id, true));
  expect(slept.difference).toMatch(/awake, replayed .* asleep$/);
  const gone = await differenceAfter(({ context }, id) => context.bodies.despawn(id));
  expect(gone.difference).toMatch(/"toy 1": recorded at .*, replayed not there$/);
  expect((await differenceAfter(() => {})).difference).toBeUndefined();
});

test('a replay of any run, from its start or a state, also of a file, and to any tick, has the same hash after every tick, and its commands the same arguments', async () => {
  await fc.assert(
    fc.asyncProperty(plans, fc.nat(), fc.nat(), async (plan, seed, n) => {
      const original = new RunToy();
      const { recording, states } = await recordRun(plan, seed, original);
      const file = encodeRecording(recording);
      for (const source of [recording, decodeRecording(file)]) {
        const replayed = new RunToy();
        expect(await replay(replayed, source)).toEqual({
          tick: plan.length,
          hashes: plan.length,
          differsAt: undefined,
          equalUpTo: plan.length,
        });
        expect(pushesOf(replayed)).toEqual(pushesOf(original));
      }
      const start = states[n % states.length] as SavedState;
      const ticks = seed % (plan.length - start.tick + 1);
      const lastTick = start.tick + ticks;
      const part = new RunToy();
      const report = await replay(part, { ...recording, start, lastTick });
      expect(report).toMatchObject({ tick: lastTick, hashes: ticks, differsAt: undefined });
      expect(stepsOf(part)).toHaveLength(ticks);
      // The commands changed only what was theirs.
      expect(encodeRecording(recording)).toEqual(file);
    }),
    { numRuns: 25 },
  );
});

test.each<
  [string, RecordingEntry['kind'], number, (entry: RecordingEntry) => RecordingEntry | undefined]
>([
  ['another value', 'input', 5, withInput({ x: 0.5000001 })],
  ['another fraction', 'input', 7, withInput({ fraction: 0.75 })],
  ['an input less', 'input', 3, () => undefined],
  ['a command less', 'command', 4, () => undefined],
  ['another step', 'step', 7, () => ({ kind: 'step', tick: 7, dt: STEP_SECONDS })],
])('a replay with %s (%s) differs from tick %i on', async (_, kind, tick, change) => {
  const { recording } = await recordRun(longPlan);
  const entries = recording.entries.flatMap((entry) =>
    entry.kind === kind && entry.tick === tick ? (change(entry) ?? []) : entry,
  );
  const report = await replay(new RunToy(), { ...recording, entries });
  expect(report).toMatchObject({ tick: 12, differsAt: tick, equalUpTo: tick - 1 });
});

test('a simulation that replays is built from the setup, with the same capacity, and disposed', async () => {
  const toy = new RunToy();
  const { recording } = await recordRun([quietTick]);
  await replay(toy, { ...recording, run: { ...recording.run, capacity: 5, setup: 5 } });
  expect(toy.context.capacity).toBe(5);
  expect(toy.ids).toHaveLength(5);
  expect(toy.log.at(-1)).toBe('dispose');
});

test('a replay treats invalid poses as the run did', async () => {
  const { recording } = await recordRun(longPlan, 7, spoiling());
  expect(await replay(spoiling(), recording)).toMatchObject({ differsAt: undefined });
  const { run } = recording;
  const removing: Recording = { ...recording, run: { ...run, invalidPoses: 'remove' } };
  expect(await replay(spoiling(), removing)).toMatchObject({ differsAt: 1 });
});

test('a replay of a run that was restarted, and whose commands name bodies, runs identically', async () => {
  const toy = new RunToy();
  const { run, journal } = await createToyRun({ hashEveryTicks: 1 }, toy);
  run.runTick(STEP_SECONDS);
  // As a query does it: the scene is rebuilt, and then the run restarts.
  toy.reset();
  toy.context.restart();
  run.runTick(STEP_SECONDS);
  run.runTick(STEP_SECONDS, { inputs: [], commands: [commandOf('remove', [toy.ids[1]])] });
  const recorder = new RunRecorder({ keptTicks: () => 0, limitBytes: 2 ** 20 });
  recorder.add(journal.items);
  const report = await replay(new RunToy(), recorder.recording(run.tick));
  expect(report).toMatchObject({ tick: 2, hashes: 2, differsAt: undefined });
});

test('a replay is refused more ticks than are allowed, or an impossible number, before anything is built', async () => {
  const toy = new RunToy();
  const { recording } = await recordRun([quietTick]);
  for (const [lastTick, options, message] of [
    [Number.MAX_SAFE_INTEGER, {}, /has 9007199254740991 ticks, and at most/],
    [4, { maxTicks: 3 }, /has 4 ticks, and at most 3/],
    [3.5, {}, /^lastTick must be/],
  ] as const) {
    await expect(replay(toy, { ...recording, lastTick }, options)).rejects.toThrow(message);
  }
  expect(toy.log).toEqual([]);
  expect((await replay(toy, { ...recording, lastTick: 3 }, { maxTicks: 3 })).tick).toBe(3);
});

test('a signal from another task ends a replay within a second of ticks, and the simulation is disposed', async () => {
  const toy = new RunToy();
  const { recording } = await recordRun([quietTick]);
  const abort = new AbortController();
  const reason = new Error('enough');
  // Before the first turn of the replay.
  setImmediate(() => abort.abort(reason));
  const replaying = replay(toy, { ...recording, lastTick: 600 }, { signal: abort.signal });
  await expect(replaying).rejects.toBe(reason);
  expect(stepsOf(toy)).toHaveLength(60);
  expect(toy.log.at(-1)).toBe('dispose');
});

test.each(['look', 'melt', 'constructor'])(
  'a replay is refused a recording with the unknown command "%s"',
  async (name) => {
    const toy = new RunToy();
    const { recording } = await recordRun([quietTick]);
    const command = { kind: 'command', tick: 1, name, args: '[]' } as const;
    const entries = [...recording.entries, command];
    await expect(replay(toy, { ...recording, entries })).rejects.toThrow(
      `the recording calls "${name}", but this simulation has no such command`,
    );
    expect(stepsOf(toy)).toEqual([]);
  },
);

test('the caller of a replay can see every tick', async () => {
  const { recording } = await recordRun(longPlan);
  const seen: [number, string][] = [];
  await replay(new RunToy(), recording, { onTick: (tick, hash) => seen.push([tick, hash()]) });
  expect(seen).toEqual(
    recording.entries.flatMap((entry) => (entry.kind === 'hash' ? [[entry.tick, entry.hash]] : [])),
  );
});

test('the caller of a replay receives its progress each second of ticks, and is waited for', async () => {
  const { recording } = await recordRun(Array.from({ length: 130 }, () => quietTick));
  const order: string[] = [];
  await replay(new RunToy(), recording, {
    onTick: (tick) => void (tick === 61 && order.push('tick 61')),
    onProgress: async (tick) => {
      await Promise.resolve();
      order.push(`reported ${tick}`);
    },
  });
  expect(order).toEqual(['reported 60', 'tick 61', 'reported 120']);
});

test('a replay on another engine is refused before a tick, and the simulation is disposed', async () => {
  const { recording } = await recordRun(longPlan);
  const toy = new RunToy();
  toy.engineName = 'toy 2';
  await expect(replay(toy, recording)).rejects.toThrow(
    'it was made with the engine "toy 1", and this simulation runs on "toy 2"',
  );
  expect(toy.log).toEqual(['init', 'dispose']);
});

test('a simulation that replays receives the step of its first tick when it is built, as in the recording', async () => {
  const steps: number[] = [];
  class Toy extends RunToy {
    override init(context: SimulationContext): void {
      steps.push(context.dt);
      super.init(context);
    }
  }
  const { recording } = await recordRun([quietTick], 7, new Toy());
  await replay(new Toy(), recording);
  expect(steps).toEqual([STEP_SECONDS, STEP_SECONDS]);
});

test('replayed commands have call numbers where calls are answered: elsewhere the numbers belong to another page', () => {
  const entries: RecordingEntry[] = [
    { kind: 'command', tick: 2, name: 'jump', args: '[1]', call: 7 },
    { kind: 'command', tick: 2, name: 'build', args: '[]' },
  ];
  const calls = [false, true].map((isAnswered) =>
    new ReplayScript(entries, 4, isAnswered).tickInputsOf(2).commands.map(({ call }) => call),
  );
  expect(calls).toEqual([
    [0, 0],
    [7, 0],
  ]);
});

test('a replay hashes only the ticks whose hash was recorded, and reports no difference without any', () => {
  const hashes = [2, 4].map((tick) => ({ kind: 'hash', tick, hash: `hash ${tick}` }) as const);
  const script = new ReplayScript(hashes, 4);
  const hash = vi.fn<() => string>().mockReturnValueOnce('hash 2').mockReturnValueOnce('hash 4');
  for (let tick = 1; tick <= 4; tick++) script.check({ tick, hash });
  expect(hash).toHaveBeenCalledTimes(2);
  expect(script.report(4)).toEqual({ tick: 4, hashes: 2, differsAt: undefined, equalUpTo: 4 });
  const none = { tick: 1, hashes: 0, differsAt: undefined, equalUpTo: 0 };
  expect(new ReplayScript([], 8).report(1)).toEqual(none);
});
