import { expect, test, vi } from 'vitest';
import type { RecordingEntry } from '../../../../src/shared/recording/recording.js';
import { NO_TICK_INPUTS } from '../../../../src/shared/input/tick-inputs.js';
import { ReplayScript } from '../../../../src/sim-worker/run/replay-script.js';
import { inputOf } from '../../../fixtures/run-toy.js';

const hashAt = (tick: number, hash = `hash ${tick}`): RecordingEntry => ({
  kind: 'hash',
  tick,
  hash,
});

const callsOf = (script: ReplayScript) => script.tickInputsOf(2).commands.map(({ call }) => call);

const entries: RecordingEntry[] = [
  { kind: 'command', tick: 2, name: 'jump', args: '[1]', call: 7 },
  { kind: 'input', tick: 2, input: inputOf(1, 1) },
  { kind: 'command', tick: 2, name: 'build', args: '[]' },
  { kind: 'input', tick: 2, input: inputOf(2, 2, 0.5) },
  { kind: 'input', tick: 4, input: inputOf(3, 3) },
  { kind: 'input', tick: 5, input: inputOf(4, 4) },
];
const recorded = new ReplayScript(entries, 4);

test('the inputs of a replayed tick are those recorded for it, in order', () => {
  expect(recorded.tickInputsOf(2)).toEqual({
    inputs: [inputOf(1, 1), inputOf(2, 2, 0.5)],
    commands: [
      { kind: 'command', tick: 2, name: 'jump', args: '[1]', call: 0 },
      { kind: 'command', tick: 2, name: 'build', args: '[]', call: 0 },
    ],
  });
  expect(recorded.tickInputsOf(4).inputs).toEqual([inputOf(3, 3)]);
});

test('replayed commands have call numbers where calls are answered: elsewhere the numbers belong to another page', () => {
  expect([callsOf(recorded), callsOf(new ReplayScript(entries, 4, true))]).toEqual([
    [0, 0],
    [7, 0],
  ]);
});

test('the inputs of a replayed tick are empty if nothing was recorded, and beyond the last tick', () => {
  expect(recorded.tickInputsOf(3)).toBe(NO_TICK_INPUTS);
  expect(recorded.tickInputsOf(5)).toBe(NO_TICK_INPUTS);
  expect(recorded.lastTick).toBe(4);
});

test('the step of a replayed tick is that of the newest change before it', () => {
  const script = new ReplayScript(
    [
      { kind: 'step', tick: 3, dt: 0.5 },
      { kind: 'step', tick: 7, dt: 0.25 },
      { kind: 'step', tick: 9, dt: 2 },
    ],
    8,
  );
  expect([1, 2, 3, 6, 7, 8, 9].map((tick) => script.dtOf(tick))).toEqual([
    undefined,
    undefined,
    0.5,
    0.5,
    0.25,
    0.25,
    0.25,
  ]);
});

test('the step of a replayed tick is found without reading all of them', () => {
  let reads = 0;
  const steps = Array.from({ length: 1000 }, (_, index): RecordingEntry => {
    const read = (): number => {
      reads += 1;
      return index + 1;
    };
    return Object.defineProperty({ kind: 'step', tick: 0, dt: index + 1 }, 'tick', { get: read });
  });
  const script = new ReplayScript(steps, 1000);
  for (let tick = 1; tick <= 1000; tick++) expect(script.dtOf(tick)).toBe(tick);
  // Bisecting a thousand takes ten.
  expect(reads).toBeLessThan(12_000);
});

test('a replay hashes only the ticks whose hash was recorded', () => {
  const script = new ReplayScript([hashAt(2), hashAt(4)], 4);
  const hash = vi.fn<() => string>().mockReturnValueOnce('hash 2').mockReturnValueOnce('hash 4');
  for (let tick = 1; tick <= 4; tick++) script.check({ tick, hash });
  expect(hash).toHaveBeenCalledTimes(2);
  expect(script.report(4)).toEqual({ tick: 4, hashes: 2, differsAt: undefined, equalUpTo: 4 });
});

test('a replay reports the first tick that differs, and the last equal one before it', () => {
  const script = new ReplayScript(
    [2, 4, 6, 8, 10].map((tick) => hashAt(tick)),
    8,
  );
  for (let tick = 1; tick <= 9; tick++) {
    script.check({ tick, hash: () => (tick === 6 ? 'another' : `hash ${tick}`) });
  }
  expect(script.report(9)).toEqual({ tick: 9, hashes: 4, differsAt: 6, equalUpTo: 4 });
});

test('a replay without any hashes reports no difference', () => {
  const script = new ReplayScript([], 8);
  script.check({ tick: 1, hash: () => 'any' });
  expect(script.report(1)).toEqual({ tick: 1, hashes: 0, differsAt: undefined, equalUpTo: 0 });
});
