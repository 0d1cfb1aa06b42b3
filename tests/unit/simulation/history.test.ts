/** Recordings, and going back in a run, in virtual time. Failures and calls in between are tested next to this. */
import { expect, test } from 'vitest';
import {
  RecordingFormatError,
  decodeRecording,
  encodeRecording,
} from '../../../src/shared/index.js';
import { ReplayShownError } from '../../../src/render-main/index.js';
import { replay } from '../../../src/sim-worker/index.js';
import type { ToyHandle } from '../../fixtures/threads.js';
import { createToy } from '../../fixtures/toy-simulation.js';
import { connectInVirtualTime, type VirtualTime } from '../../fixtures/virtual-time.js';

const OPTIONS = {
  tickRateHz: 240,
  capacity: 64,
  recording: { hashEveryTicks: 10, rewindSeconds: 60, saveEverySeconds: 0.1 },
} as const;
const PAUSED = { ...OPTIONS, startPaused: true } as const;

const input = (code: number) =>
  ({ kind: 'custom', code, device: 0, x: 0.01 * code, y: 0, z: 0, w: 0 }) as const;

/** Plays for some ticks, with inputs and commands, and pauses. */
async function play(time: VirtualTime, simulation: ToyHandle, ticks: number): Promise<void> {
  const end = simulation.stats().tick + ticks;
  for (let code = 0; simulation.stats().tick < end; code++) {
    simulation.inputs.push(input(code), time.nowMs);
    if (code % 7 === 0) simulation.commands.push(code % 16, 0.1).catch(() => {});
    await time.advance(5);
  }
  await time.until(simulation.pause());
}

async function expectReplays(simulation: ToyHandle): Promise<void> {
  const recording = decodeRecording(encodeRecording(simulation.recording()));
  const report = await replay(createToy(), recording);
  expect(report).toMatchObject({ tick: recording.lastTick, differsAt: undefined });
  expect(report.hashes).toBeGreaterThan(0);
}

test('what is no recording or no state is refused by name, and what is shown continues', async () => {
  const { time, simulation } = await connectInVirtualTime(PAUSED);
  await time.until(simulation.step(10));
  const recording = simulation.recording();
  const shown = await time.until(simulation.openReplay(recording));
  for (const wrong of [{}, null, 'file', { ...recording, entries: undefined }]) {
    await expect(simulation.openReplay(wrong as never)).rejects.toThrow(
      /^(the recording|lastTick|entries) must be /,
    );
    await expect(simulation.restore(wrong as never)).rejects.toThrow(/^state(\.tick)? must be /);
  }
  expect(simulation.replay).toBe(shown);
});

test.each(['sum', 'constructor'])(
  'a recording with the unknown command "%s" is refused, and the run continues',
  async (name) => {
    const { time, simulation } = await connectInVirtualTime(PAUSED);
    await time.until(simulation.step(20));
    const recording = simulation.recording();
    const strange = { kind: 'command', tick: 15, name, args: '[]' } as const;
    const entries = [...recording.entries, strange].toSorted((a, b) => a.tick - b.tick);
    const sum = await time.until(simulation.queries.sum());
    const refused = simulation.openReplay({ ...recording, entries }).catch(String);
    expect(await time.until(refused)).toContain(
      `the recording calls "${name}", but this simulation has no such command`,
    );
    expect(simulation.replay).toBeUndefined();
    expect(await time.until(simulation.queries.sum())).toBe(sum);
    expect(await time.until(simulation.step(1))).toBe(21);
    expect(simulation.recording().lastTick).toBe(21);
  },
);

test('a saved state comes back exactly, and the recording begins there', async () => {
  const { time, simulation } = await connectInVirtualTime(PAUSED);
  await time.until(simulation.step(40));
  const state = await time.until(simulation.save());
  const hashes = async (): Promise<(number | undefined)[]> => {
    void simulation.commands.push(3, 1);
    await time.until(simulation.step(30));
    return (await time.until(simulation.queries.hashes())).slice(41, 71);
  };
  const first = [...(await hashes())];
  await time.until(simulation.restore(state));
  expect(simulation.stats()).toMatchObject({
    tick: 40,
    simulatedS: expect.closeTo(40 / 240) as number,
  });
  expect(await hashes()).toEqual(first);
  expect(simulation.recording().start?.tick).toBe(40);
  await expectReplays(simulation);
});

test('a run that went back to a tick continues differently from there', async () => {
  const { time, simulation } = await connectInVirtualTime(OPTIONS);
  await play(time, simulation, 80);
  const { from, to } = simulation.rewindRange;
  expect(from).toBeLessThan(to - 50);
  const middle = to - 30;
  expect((await time.until(simulation.seek(middle))).tick).toBe(middle);
  expect(simulation.stats().tick).toBe(middle);
  expect(simulation.rewindRange.to).toBe(middle);
  await time.until(simulation.resume());
  await play(time, simulation, 20);
  await expectReplays(simulation);
  await expect(async () => simulation.seek(simulation.stats().tick + 1)).rejects.toThrow(
    RangeError,
  );
});

test('bytes that are no state are refused, and the run continues', async () => {
  const { time, simulation } = await connectInVirtualTime(OPTIONS);
  const state = await time.until(simulation.save());
  const damaged = { ...state, bytes: state.bytes.slice(0, 20) };
  const refused = simulation.restore(damaged).catch((error: unknown) => error);
  expect(await time.until(refused)).toBeInstanceOf(RecordingFormatError);
  await time.advance(100);
  expect(simulation.state).toBe('running');
  expect(simulation.stats().tick).toBeGreaterThan(20);
});

test('a simulation that cannot be saved says what it needs', async () => {
  const { time, simulation } = await connectInVirtualTime(OPTIONS, { cannotSave: true });
  expect(simulation.canSave).toBe(false);
  const refused = simulation.save().catch(String);
  expect(await time.until(refused)).toMatch(/give it save\(\) and restore\(\)/);
});

test('an overloaded simulation does not catch up after it is moved to another run', async () => {
  const { time, simulation } = await connectInVirtualTime({
    ...PAUSED,
    tickRateHz: 1000,
    timeScale: 100,
    maxCatchUpTicks: 1000,
  });
  await time.until(simulation.step(300));
  const recording = simulation.recording();
  await time.until(simulation.resume());
  await time.advance(10);
  await time.until(simulation.seek(100));
  const { ended } = await time.until(simulation.openReplay(recording));
  expect(await time.until(ended)).toMatchObject({ tick: 300, hashes: 30, differsAt: undefined });
});

test('a recording without ticks has ended as it begins, and nothing comes after its end', async () => {
  const { time, simulation } = await connectInVirtualTime(PAUSED);
  await time.until(simulation.step(30));
  await time.until(simulation.restore(await time.until(simulation.save())));
  const empty = simulation.recording();
  expect(empty.lastTick).toBe(empty.start?.tick);
  const shown = await time.until(simulation.openReplay(empty));
  expect(shown.state).toBe('ended');
  expect(await time.until(shown.ended)).toMatchObject({ tick: 30, hashes: 0 });
  await expect(simulation.resume()).rejects.toThrow(
    /replay\.close\(\) returns to the player's own run/,
  );
  await expect(simulation.commands.push(1, 1)).rejects.toBeInstanceOf(ReplayShownError);
  await time.until(shown.close());
  await time.until(simulation.resume());
  expect(simulation.state).toBe('running');
});
