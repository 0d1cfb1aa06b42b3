import { describe, expect, test } from 'vitest';
import { RecordingFormatError, decodeRecording, encodeRecording } from '../../src/shared/index.js';
import { ReplayShownError, SimulationDisposedError } from '../../src/render-main/index.js';
import { replay } from '../../src/sim-worker/index.js';
import { sleep } from '../fixtures/busy.js';
import { eventually } from '../fixtures/eventually.js';
import { connectToyForTest, ticksPass, type ToyHandle } from '../fixtures/threads.js';
import { createToy } from '../fixtures/toy-simulation.js';

const OPTIONS = {
  tickRateHz: 240,
  capacity: 64,
  recording: { hashEveryTicks: 10, rewindSeconds: 60, saveEverySeconds: 0.1 },
} as const;

/** Plays until this many ticks have run, however slow a busy machine is. */
async function playUntil(simulation: ToyHandle, tick: number): Promise<void> {
  do await play(simulation, 20);
  while (simulation.stats().tick < tick);
}

async function play(simulation: ToyHandle, count: number): Promise<void> {
  for (let code = 0; code < count; code++) {
    simulation.inputs.push(
      { kind: 'custom', code, device: 0, x: 0.01 * code, y: 0, z: 0, w: 0 },
      performance.now(),
    );
    if (code % 7 === 0) void simulation.commands.push(code % 16, 0.1);
    await sleep(3);
  }
}

describe('a recording', () => {
  test('replays with the same hashes, in this thread and in a worker, through a file', async () => {
    const simulation = await connectToyForTest(OPTIONS);
    await playUntil(simulation, 70);
    await simulation.pause();
    const recording = simulation.recording();
    const read = decodeRecording(encodeRecording(recording));
    const report = await replay(createToy(), read);
    expect(report).toMatchObject({ tick: recording.lastTick, differsAt: undefined });
    expect(report.hashes).toBe(Math.floor(recording.lastTick / 10));

    const other = await connectToyForTest({ ...OPTIONS, timeScale: 3 });
    const shown = await other.openReplay(read);
    expect(await shown.ended).toEqual(report);
    expect(other.state).toBe('paused');
    expect(other.replay).toBe(shown);
    expect(shown).toMatchObject({ recording: read, state: 'ended', report });
    expect(await other.queries.sum()).toBe(await simulation.queries.sum());
  });

  test('of a run that exceeds its limit begins later, and replays', async () => {
    const limited = { limitBytes: 2 ** 14, hashEveryTicks: 1 };
    const simulation = await connectToyForTest({ ...OPTIONS, recording: limited });
    let firstTick = 0;
    // While it continues: what is read in the meantime is right as well.
    for (let begins = 0; begins < 3;) {
      await play(simulation, 5);
      const recording = simulation.recording();
      const report = await replay(createToy(), recording);
      expect(report).toMatchObject({ tick: recording.lastTick, differsAt: undefined });
      const { tick = 0 } = recording.start ?? {};
      if (tick > firstTick) begins += 1;
      firstTick = tick;
    }
    await simulation.pause();
    const recording = simulation.recording();
    const report = await replay(createToy(), recording);
    expect(report).toMatchObject({ tick: recording.lastTick, differsAt: undefined });
    expect(report.hashes).toBe(recording.lastTick - (recording.start?.tick ?? 0));
  });

  test('that was changed differs where it was changed', async () => {
    const simulation = await connectToyForTest({ ...OPTIONS, startPaused: true });
    for (let code = 1; code <= 60; code++) {
      simulation.inputs.push(
        { kind: 'custom', code, device: 0, x: 0.01 * code, y: 0, z: 0, w: 0 },
        performance.now(),
      );
      await simulation.step();
    }
    const recording = simulation.recording();
    const at = recording.entries.findIndex(({ kind, tick }) => kind === 'input' && tick === 37);
    const entries = recording.entries.toSpliced(at, 1);
    const report = await replay(createToy(), { ...recording, entries });
    expect(report).toMatchObject({ tick: 60, differsAt: 40, equalUpTo: 30 });
  });

  test('that is shown refuses inputs, can seek, and can be taken over', async () => {
    const simulation = await connectToyForTest(OPTIONS);
    await playUntil(simulation, 60);
    await simulation.pause();
    const recording = simulation.recording();
    const input = { kind: 'custom', code: 1, device: 0, x: 1, y: 0, z: 0, w: 0 } as const;
    const shown = await simulation.openReplay(recording);
    expect(simulation.inputs.push(input, performance.now())).toBe(false);
    expect((await shown.seek(50)).differsAt).toBeUndefined();
    expect(simulation.stats().tick).toBe(50);
    const report = await shown.close();
    expect(report.tick).toBe(50);
    expect(await shown.ended).toEqual(report);
    await simulation.resume();
    expect(simulation.inputs.push(input, performance.now())).toBe(true);
    await ticksPass(simulation);
    await simulation.pause();
    const continued = simulation.recording();
    expect(continued.lastTick).toBeGreaterThan(50);
    expect(await replay(createToy(), continued)).toMatchObject({
      tick: continued.lastTick,
      differsAt: undefined,
    });
  });

  test('that is invalid, or an invalid state, is refused by name, and what is shown continues', async () => {
    const simulation = await connectToyForTest({ ...OPTIONS, startPaused: true });
    await simulation.step(10);
    const recording = simulation.recording();
    const shown = await simulation.openReplay(recording);
    for (const wrong of [{}, null, 'file', { ...recording, entries: undefined }]) {
      await expect(simulation.openReplay(wrong as never)).rejects.toThrow(
        /^(the recording|lastTick|entries) must be /,
      );
      await expect(simulation.restore(wrong as never)).rejects.toThrow(/^state(\.tick)? must be /);
    }
    expect(simulation.replay).toBe(shown);
  });

  test('of another engine is refused, and the run continues', async () => {
    const simulation = await connectToyForTest(OPTIONS);
    await play(simulation, 10);
    const recording = simulation.recording();
    const foreign = { ...recording, run: { ...recording.run, engine: 'rapier 9' } };
    await expect(simulation.openReplay(foreign)).rejects.toThrow(/engine "rapier 9".*"toy 1"/s);
    await expect(replay(createToy(), foreign)).rejects.toThrow('toy 1');
    expect(simulation.state).toBe('running');
    expect(
      simulation.inputs.push({ kind: 'custom', code: 1, device: 0, x: 0, y: 0, z: 0, w: 0 }, 1),
    ).toBe(true);
    await ticksPass(simulation);
  });
});

test.each(['melt', 'sum', 'constructor'])(
  'with the unknown command "%s" is refused, and the run continues',
  async (name) => {
    const simulation = await connectToyForTest({ ...OPTIONS, startPaused: true });
    await simulation.step(20);
    const recording = simulation.recording();
    const strange = { kind: 'command', tick: 15, name, args: '[]' } as const;
    const entries = [...recording.entries, strange].toSorted((a, b) => a.tick - b.tick);
    const sum = await simulation.queries.sum();
    await expect(simulation.openReplay({ ...recording, entries })).rejects.toThrow(
      `the recording calls "${name}", but this simulation has no such command`,
    );
    expect(simulation.replay).toBeUndefined();
    expect(await simulation.queries.sum()).toBe(sum);
    expect(await simulation.step(1)).toBe(21);
    expect(simulation.recording().lastTick).toBe(21);
  },
);

describe('going back', () => {
  test('to a saved state restores exactly that state, and the recording continues from it', async () => {
    const simulation = await connectToyForTest({ ...OPTIONS, startPaused: true });
    await simulation.step(40);
    const state = await simulation.save();
    const hashes = async (): Promise<(number | undefined)[]> => {
      void simulation.commands.push(3, 1);
      await simulation.step(30);
      return (await simulation.queries.hashes()).slice(41, 71);
    };
    const first = await hashes();
    expect(simulation.stats().tick).toBe(70);
    await simulation.restore(state);
    expect(simulation.stats()).toMatchObject({
      tick: 40,
      simulatedS: expect.closeTo(40 / 240) as number,
    });
    expect(await hashes()).toEqual(first);
    const recording = simulation.recording();
    expect(recording.start?.tick).toBe(40);
    expect(await replay(createToy(), recording)).toMatchObject({
      tick: 70,
      differsAt: undefined,
    });
  });

  test('to a tick of the run continues differently from there', async () => {
    const simulation = await connectToyForTest(OPTIONS);
    await playUntil(simulation, 120);
    await simulation.pause();
    const { from, to } = simulation.rewindRange;
    expect(from).toBeLessThan(to - 50);
    const middle = to - 30;
    expect((await simulation.seek(middle)).tick).toBe(middle);
    expect(simulation.stats().tick).toBe(middle);
    expect(simulation.rewindRange.to).toBe(middle);
    await simulation.resume();
    await play(simulation, 20);
    await simulation.pause();
    const recording = simulation.recording();
    expect(await replay(createToy(), recording)).toMatchObject({
      tick: recording.lastTick,
      differsAt: undefined,
    });
    await expect(async () => simulation.seek(recording.lastTick + 1)).rejects.toThrow(RangeError);
  });

  test('to bytes that are not a state is refused, and the run continues', async () => {
    const simulation = await connectToyForTest(OPTIONS);
    const state = await simulation.save();
    const damaged = { ...state, bytes: state.bytes.slice(0, 20) };
    await expect(simulation.restore(damaged)).rejects.toBeInstanceOf(RecordingFormatError);
    await ticksPass(simulation);
    expect(simulation.state).toBe('running');
  });

  test('in a simulation that cannot be saved reports that', async () => {
    const simulation = await connectToyForTest(OPTIONS, { cannotSave: true });
    await expect(simulation.save()).rejects.toThrow(/give it save\(\) and restore\(\)/);
  });
});

/** Records 30 ticks and is at the beginning of their replay. */
async function showOwnRun() {
  const simulation = await connectToyForTest({ ...OPTIONS, startPaused: true });
  await simulation.step(30);
  const recording = simulation.recording();
  const { ended } = await simulation.openReplay(recording);
  return { simulation, recording, failure: ended.catch((reason: unknown) => reason) };
}

describe('a replay that does not reach its end rejects', () => {
  test('when another one is shown', async () => {
    const { simulation, recording, failure } = await showOwnRun();
    const next = await simulation.openReplay({ ...recording, lastTick: 10 });
    expect(String(await failure)).toContain('another replay was opened');
    await simulation.resume();
    expect((await next.ended).tick).toBe(10);
  });

  test('when a state is restored', async () => {
    const { simulation, failure } = await showOwnRun();
    await simulation.restore(await simulation.save());
    expect(String(await failure)).toContain('another replay was opened');
  });

  test('when the simulation is disposed', async () => {
    const { simulation, failure } = await showOwnRun();
    const disposal = simulation.dispose();
    expect(await failure).toBeInstanceOf(SimulationDisposedError);
    await disposal;
  });
});

test('after a replay has ended, steps run one by one again', async () => {
  // Rounding of due times decides: tests/unit/simulation/replays-in-the-loop.test.ts does it with many lengths and clocks.
  const simulation = await connectToyForTest({ ...OPTIONS, timeScale: 3, startPaused: true });
  await simulation.step(30);
  const recording = simulation.recording();
  for (let lastTick = 10; lastTick < 15; lastTick++) {
    const shown = await simulation.openReplay({ ...recording, lastTick });
    await simulation.resume();
    expect((await shown.ended).tick).toBe(lastTick);
    await shown.close();
    expect(await simulation.step()).toBe(lastTick + 1);
  }
});

test('an overloaded simulation does not catch up after it is moved to another run', async () => {
  const options = { ...OPTIONS, tickRateHz: 1000, timeScale: 100, maxCatchUpTicks: 1000 };
  const simulation = await connectToyForTest({ ...options, startPaused: true });
  await simulation.step(300);
  const recording = simulation.recording();
  await simulation.resume();
  await eventually(() => expect(simulation.stats().tick).toBeGreaterThan(300));
  await simulation.seek(100);
  const { ended } = await simulation.openReplay(recording);
  expect(await ended).toMatchObject({ tick: 300, hashes: 30, differsAt: undefined });
});

test('a recording without ticks has ended as it begins, and nothing comes after an end', async () => {
  const simulation = await connectToyForTest({ ...OPTIONS, startPaused: true });
  await simulation.step(30);
  await simulation.restore(await simulation.save());
  const empty = simulation.recording();
  expect(empty.lastTick).toBe(empty.start?.tick);
  const shown = await simulation.openReplay(empty);
  expect(shown.state).toBe('ended');
  expect(await shown.ended).toMatchObject({ tick: 30, hashes: 0 });
  await expect(simulation.resume()).rejects.toThrow(
    /replay\.close\(\) returns to the player's own run/,
  );
  await expect(simulation.commands.push(1, 1)).rejects.toBeInstanceOf(ReplayShownError);
  await shown.close();
  await simulation.resume();
  expect(simulation.state).toBe('running');
});
