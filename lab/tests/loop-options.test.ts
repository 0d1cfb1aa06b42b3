import { expect, test } from 'vitest';
import {
  createStepper,
  resolveStepperOptions,
  type StepperOptions,
  STEPPER_KINDS,
  type StepperKind,
} from '../engine/loops/registry.js';
import { STEPPER_INFO } from '../engine/loops/stepper-info.js';

test('the default options of each loop are those of the literature', () => {
  const defaults = Object.fromEntries(
    STEPPER_KINDS.map((kind) => {
      const { kind: _kind, ...rest } = resolveStepperOptions({ kind });
      return [kind, rest];
    }),
  );
  expect(defaults).toEqual({
    unpaced: { tickRateHz: 60 },
    'frame-locked': { tickRateHz: 25 },
    variable: { tickRateHz: 60, clampRatio: null },
    'frame-skip': { tickRateHz: 50, maxFrameSkip: 10 },
    'fixed-predict': { tickRateHz: 25, maxFrameSkip: 5 },
    'semi-fixed': { tickRateHz: 60, maxSteps: Infinity },
    fixed: { tickRateHz: 100, maxFrameMs: 250, maxSteps: Infinity, interpolate: true },
    'refresh-multiple': {
      assumedHz: 60,
      maxIntervals: 4,
      thresholdMs: 100,
      overload: 'slow-down',
    },
    'rate-groups': {
      tickRateHz: 60,
      renderHz: 50,
      refreshHz: 4,
      pollMs: 1,
      maxSteps: Infinity,
      interpolate: false,
    },
    'bounded-variable': { maxDtMs: 20, remainder: false, maxLagMs: 5, maxSteps: Infinity },
  });
});

test('the loops have the same order everywhere, and each has its name', () => {
  expect(STEPPER_KINDS).toEqual(Object.keys(STEPPER_INFO));
  for (const kind of STEPPER_KINDS) {
    expect(createStepper({ kind }).kind).toBe(kind);
  }
});

test('resolved options of a loop are frozen and resolve to themselves', () => {
  for (const kind of STEPPER_KINDS) {
    const resolved = resolveStepperOptions({ kind });
    expect(Object.isFrozen(resolved)).toBe(true);
    expect(resolveStepperOptions(resolved)).toEqual(resolved);
  }
});

test.each<[Record<string, unknown>, string]>([
  [{ kind: 'fix' }, 'stepper must be one of unpaced, '],
  [{}, 'stepper must be one of '],
  [{ kind: 'fixed', rate: 1 }, 'unknown option "rate" of fixed: did you mean "tickRateHz"?'],
  [{ kind: 'fixed', tickRateHz: 0 }, 'fixed: tickRateHz must be a number from 1 to 1000, but is 0'],
  [
    { kind: 'fixed', tickRateHz: '60' },
    'fixed: tickRateHz must be a number, but is a value of type',
  ],
  [{ kind: 'fixed', interpolate: 1 }, 'fixed: interpolate must be true or false, but is 1'],
  [{ kind: 'variable', clampRatio: 1 }, 'variable: clampRatio must be a pair of numbers'],
  [{ kind: 'variable', clampRatio: [0.5, 0.7] }, "variable: clampRatio's second must be "],
  [
    { kind: 'frame-skip', maxFrameSkip: 0 },
    'frame-skip: maxFrameSkip must be a whole number from 1 ',
  ],
  [{ kind: 'semi-fixed', maxSteps: 0 }, 'semi-fixed: maxSteps must be '],
  [
    { kind: 'refresh-multiple', overload: 'x' },
    'refresh-multiple: overload must be one of slow-down, ',
  ],
  [{ kind: 'refresh-multiple', maxIntervals: 0 }, 'refresh-multiple: maxIntervals must be '],
  [{ kind: 'refresh-multiple', thresholdMs: 0 }, 'refresh-multiple: thresholdMs must be '],
  [{ kind: 'rate-groups', renderHz: 0 }, 'rate-groups: renderHz must be '],
  [{ kind: 'rate-groups', pollMs: 0 }, 'rate-groups: pollMs must be '],
  [{ kind: 'bounded-variable', maxDtMs: 0 }, 'bounded-variable: maxDtMs must be '],
  [
    { kind: 'bounded-variable', remainder: 'yes' },
    'bounded-variable: remainder must be true or false',
  ],
  [{ kind: 'bounded-variable', tickRateHz: 60 }, 'unknown option "tickRateHz" of bounded-variable'],
])('a loop with the options %o is refused', (options, message) => {
  expect(() => createStepper(options as unknown as StepperOptions)).toThrow(message);
});

test.each<[StepperKind, number]>([
  ['unpaced', 1000 / 60],
  ['frame-locked', 40],
  ['variable', Infinity],
  ['frame-skip', 20],
  ['fixed-predict', 40],
  ['semi-fixed', 1000 / 60],
  ['fixed', 10],
  ['refresh-multiple', 4 * (1000 / 60)],
  ['rate-groups', 1000 / 60],
  ['bounded-variable', 20],
])('%s steps by at most %d ms by default', (kind, boundMs) => {
  expect(createStepper({ kind }).stepBoundMs).toBe(boundMs);
});
