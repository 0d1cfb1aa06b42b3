import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { RunRecorder } from '../../../../src/render-main/recording/run-recorder.js';
import type {
  Recording,
  RecordingEntry,
  SavedState,
} from '../../../../src/shared/recording/recording.js';
import type { TickCommand, TickInputs } from '../../../../src/shared/input/tick-inputs.js';
import { replay } from '../../../../src/sim-worker/run/replay.js';
import { saveRun } from '../../../../src/sim-worker/run/saved-run.js';
import { decodeRecording, encodeRecording } from '../../../../src/shared/index.js';
import { typedArrays } from '../../../fixtures/typed-arrays.js';
import {
  RunToy,
  STEP_SECONDS,
  commandOf,
  createToyRun,
  inputOf,
} from '../../../fixtures/run-toy.js';

/** What the ticks of a run are given. */
interface PlannedTick extends TickInputs {
  readonly dt: number;
}

/** A run that followed a plan, and all of its journal. */
async function recordRun(plan: readonly PlannedTick[], seed = 7, toy = new RunToy()) {
  const { run, journal } = await createToyRun({ seed, hashEveryTicks: 1 }, toy);
  const states: SavedState[] = [saveRun(run)];
  for (const { dt, ...tickInputs } of plan) {
    run.runTick(dt, tickInputs);
    states.push(saveRun(run));
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
      // Its array is in JSON.
      typedArrays.map((array) => commandOf('pushAll', [1, array, null])),
    ),
    { maxLength: 3 },
  ),
});
const plans = fc.array(plannedTicks, { minLength: 1, maxLength: 12 });

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

/** The step that a simulation receives when it is built. */
const stepAtInit = async (simulate: (toy: RunToy) => Promise<unknown>): Promise<unknown> => {
  const toy = new RunToy();
  const init = vi.spyOn(toy, 'init');
  const steps: number[] = [];
  init.mockImplementation((context) => {
    steps.push(context.dt);
    RunToy.prototype.init.call(toy, context);
  });
  await simulate(toy);
  return steps[0];
};

const quietTick: PlannedTick = { dt: STEP_SECONDS, inputs: [], commands: [] };
const longPlan: PlannedTick[] = Array.from({ length: 12 }, (_, index) => ({
  dt: index < 6 ? STEP_SECONDS : 2 * STEP_SECONDS,
  inputs: index % 2 === 0 ? [inputOf(index, 0.5, 0.25)] : [],
  commands: index % 3 === 0 ? [commandOf('push', [1, index])] : [],
}));

const changed = (
  { entries, ...rest }: Recording,
  change: (entry: RecordingEntry) => RecordingEntry | undefined,
): Recording => ({ ...rest, entries: entries.flatMap((entry) => change(entry) ?? []) });

describe('a replay', () => {
  test('of any run has the same hash after every tick', async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.nat(), async (plan, seed) => {
        const { recording } = await recordRun(plan, seed);
        expect(await replay(new RunToy(), recording)).toEqual({
          tick: plan.length,
          hashes: plan.length,
          differsAt: undefined,
          equalUpTo: plan.length,
        });
      }),
      { numRuns: 40 },
    );
  });

  test('of any run has the same hashes when it was a file, and its commands the same arguments', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const original = new RunToy();
        const { recording } = await recordRun(plan, 7, original);
        const file = encodeRecording(recording);
        const replayed = new RunToy();
        const report = await replay(replayed, decodeRecording(file));
        expect(report).toMatchObject({ hashes: plan.length, differsAt: undefined });
        expect(pushesOf(replayed)).toEqual(pushesOf(original));
        // They changed only what was theirs.
        expect(encodeRecording(recording)).toEqual(file);
      }),
      { numRuns: 40 },
    );
  });

  test('from any of its states continues identically', async () => {
    const { recording, states } = await recordRun(longPlan);
    for (const start of states) {
      const report = await replay(new RunToy(), { ...recording, start });
      expect(report).toMatchObject({ tick: 12, hashes: 12 - start.tick, differsAt: undefined });
    }
  });

  test.each<[string, number, (entry: RecordingEntry) => RecordingEntry | undefined]>([
    [
      'another value',
      5,
      (entry) =>
        entry.kind === 'input' && entry.tick === 5
          ? { ...entry, input: { ...entry.input, x: 0.5000001 } }
          : entry,
    ],
    [
      'another fraction',
      7,
      (entry) =>
        entry.kind === 'input' && entry.tick === 7
          ? { ...entry, input: { ...entry.input, fraction: 0.75 } }
          : entry,
    ],
    [
      'an input less',
      3,
      (entry) => (entry.kind === 'input' && entry.tick === 3 ? undefined : entry),
    ],
    [
      'a command less',
      4,
      (entry) => (entry.kind === 'command' && entry.tick === 4 ? undefined : entry),
    ],
    [
      'another step',
      7,
      (entry) =>
        entry.kind === 'step' && entry.tick === 7 ? { ...entry, dt: STEP_SECONDS } : entry,
    ],
  ])('with %s differs from tick %i on', async (_, tick, change) => {
    const { recording } = await recordRun(longPlan);
    const report = await replay(new RunToy(), changed(recording, change));
    expect(report).toMatchObject({ tick: 12, differsAt: tick, equalUpTo: tick - 1 });
  });

  test('with another seed differs immediately', async () => {
    const { recording } = await recordRun(longPlan);
    const report = await replay(new RunToy(), {
      ...recording,
      run: { ...recording.run, seed: 8 },
    });
    expect(report).toMatchObject({ differsAt: 1, equalUpTo: 0 });
  });

  test('is built from the setup, with the same capacity', async () => {
    const toy = new RunToy();
    const { recording } = await recordRun([quietTick]);
    await replay(toy, { ...recording, run: { ...recording.run, capacity: 5, setup: 5 } });
    expect(toy.context.capacity).toBe(5);
    expect(toy.ids).toHaveLength(5);
  });

  test('treats invalid poses as the run did', async () => {
    const { recording } = await recordRun(longPlan, 7, spoiling());
    expect(await replay(spoiling(), recording)).toMatchObject({ differsAt: undefined });
    const { run } = recording;
    const removing: Recording = { ...recording, run: { ...run, invalidPoses: 'remove' } };
    expect(await replay(spoiling(), removing)).toMatchObject({ differsAt: 1 });
  });

  test.each<[string, (toy: RunToy) => TickCommand[]]>([
    ['and nothing more', () => []],
    ['and whose commands name bodies', ({ ids }) => [commandOf('remove', [ids[1]])]],
  ])('of a run that was restarted, %s, runs identically', async (_, commandsOf) => {
    const toy = new RunToy();
    const { run, journal } = await createToyRun({ hashEveryTicks: 1 }, toy);
    run.runTick(STEP_SECONDS);
    // As a query does it: the scene is rebuilt, and then the run restarts.
    toy.reset();
    toy.context.restart();
    run.runTick(STEP_SECONDS);
    run.runTick(STEP_SECONDS, { inputs: [], commands: commandsOf(toy) });
    const recorder = new RunRecorder({ keptTicks: () => 0, limitBytes: 2 ** 20 });
    recorder.add(journal.items);
    const report = await replay(new RunToy(), recorder.recording(run.tick));
    expect(report).toMatchObject({ tick: 2, hashes: 2, differsAt: undefined });
  });

  test('ends with its last tick, whatever comes after', async () => {
    const { recording } = await recordRun(longPlan);
    const toy = new RunToy();
    const report = await replay(toy, { ...recording, lastTick: 4 });
    expect(report).toMatchObject({ tick: 4, hashes: 4, equalUpTo: 4 });
    expect(toy.log.filter((entry) => entry.startsWith('step'))).toHaveLength(4);
  });
});

describe('the caller of a replay', () => {
  test('is refused more ticks than are allowed, before anything is built', async () => {
    const toy = new RunToy();
    const { recording } = await recordRun([{ dt: STEP_SECONDS, inputs: [], commands: [] }]);
    const endless = { ...recording, lastTick: Number.MAX_SAFE_INTEGER };
    await expect(replay(toy, endless)).rejects.toThrow(/has 9007199254740991 ticks, and at most/);
    await expect(replay(toy, { ...recording, lastTick: 4 }, { maxTicks: 3 })).rejects.toThrow(
      RangeError,
    );
    expect(toy.log).toEqual([]);
    expect((await replay(toy, { ...recording, lastTick: 3 }, { maxTicks: 3 })).tick).toBe(3);
  });

  test.each<[string, (recording: Recording) => object]>([
    ['run.capacity', ({ run }) => ({ run: { ...run, capacity: 2 ** 31 } })],
    ['lastTick', () => ({ lastTick: '5' })],
    ['lastTick', () => ({ lastTick: 3.5 })],
    ['entries', () => ({ entries: [{ kind: 'step', tick: 1, dt: Number.NaN }] })],
  ])('is refused what is impossible before anything is built: %s', async (name, change) => {
    const toy = new RunToy();
    const { recording } = await recordRun([quietTick]);
    const wrong = { ...recording, ...change(recording) };
    await expect(replay(toy, wrong)).rejects.toThrow(new RegExp(`^${name}(\\[0\\]:)? `));
    expect(toy.log).toEqual([]);
  });

  test('can end it with a signal, and the simulation is disposed', async () => {
    const toy = new RunToy();
    const { recording } = await recordRun([{ dt: STEP_SECONDS, inputs: [], commands: [] }]);
    const abort = new AbortController();
    const reason = new Error('enough');
    const onTick = (tick: number): void => {
      if (tick === 100) abort.abort(reason);
    };
    const options = { signal: abort.signal, onTick };
    await expect(replay(toy, { ...recording, lastTick: 10_000 }, options)).rejects.toBe(reason);
    expect(toy.log.filter((line) => line.startsWith('step'))).toHaveLength(120);
    expect(toy.log.at(-1)).toBe('dispose');
  });

  test('can end it from another task: a message, a timer', async () => {
    const toy = new RunToy();
    const { recording } = await recordRun([quietTick]);
    const abort = new AbortController();
    // Before the first turn of the replay.
    setImmediate(() => abort.abort(new Error('enough')));
    const replaying = replay(toy, { ...recording, lastTick: 600 }, { signal: abort.signal });
    await expect(replaying).rejects.toThrow('enough');
    expect(toy.log.filter((line) => line.startsWith('step'))).toHaveLength(60);
  });

  test.each(['look', 'melt', 'constructor'])(
    'is refused a recording with the unknown command "%s"',
    async (name) => {
      const toy = new RunToy();
      const { recording } = await recordRun([{ dt: STEP_SECONDS, inputs: [], commands: [] }]);
      const entries: RecordingEntry[] = [
        ...recording.entries,
        { kind: 'command', tick: 1, name, args: '[]' },
      ];
      await expect(replay(toy, { ...recording, entries })).rejects.toThrow(
        `the recording calls "${name}", but this simulation has no such command`,
      );
      expect(toy.log.filter((line) => line.startsWith('step'))).toEqual([]);
    },
  );

  test('can see every tick', async () => {
    const { recording } = await recordRun(longPlan);
    const seen: [number, string][] = [];
    await replay(new RunToy(), recording, { onTick: (tick, hash) => seen.push([tick, hash()]) });
    expect(seen).toEqual(
      recording.entries.flatMap((entry) =>
        entry.kind === 'hash' ? [[entry.tick, entry.hash]] : [],
      ),
    );
  });

  test('receives its progress now and then, and is waited for', async () => {
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
});

describe('a simulation that replays', () => {
  test('is refused on another engine, before a tick, and disposed', async () => {
    const { recording } = await recordRun(longPlan);
    const toy = new RunToy();
    toy.engineName = 'toy 2';
    await expect(replay(toy, recording)).rejects.toThrow(
      'it was made with the engine "toy 1", and this simulation runs on "toy 2"',
    );
    expect(toy.log).toEqual(['init', 'dispose']);
  });

  test('is disposed when a step throws', async () => {
    const { recording } = await recordRun(longPlan);
    const toy = new RunToy();
    toy.onStep = () => {
      throw new Error('boom');
    };
    await expect(replay(toy, recording)).rejects.toThrow('boom');
    expect(toy.log.at(-1)).toBe('dispose');
  });

  test('receives the step of its first tick when it is built, as in the recording', async () => {
    const { recording } = await recordRun(longPlan);
    const live = await stepAtInit((toy) => recordRun([quietTick], 7, toy));
    expect(await stepAtInit((toy) => replay(toy, recording))).toBe(live);
  });
});
