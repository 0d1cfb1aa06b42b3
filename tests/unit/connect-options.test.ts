import { describe, expect, test } from 'vitest';
import { connect, type WorkerLike } from '../../src/render-main/index.js';
import { resolveOptions, type ConnectOptions } from '../../src/render-main/options.js';

/** What somebody without types could pass. */
const given = (options: unknown): ConnectOptions => options as ConnectOptions;

describe('options', () => {
  test('have these defaults, complete and frozen', () => {
    expect(resolveOptions()).toEqual({
      tickRateHz: 60,
      capacity: 4096,
      history: 4,
      timeScale: 1,
      maxCatchUpTicks: 5,
      stepper: { kind: 'fixed' },
      interpolation: 'interpolate',
      marginMs: 'auto',
      whenHidden: 'pause',
      startPaused: false,
      startTimeoutMs: 30_000,
      seed: 1,
      setup: null,
      mergeMoves: true,
      record: true,
      recordingLimitBytes: 2 ** 26,
      hashEveryTicks: 60,
      rewindS: 0,
      saveEveryS: 2,
      recovery: 'none',
      hangLimitMs: 2000,
      restartAfterMs: 6000,
      invalidPoses: 'freeze',
      watchdog: {},
      whenUnresponsive: 'slow-motion',
      inputWords: 2 ** 14,
      eventWords: 2 ** 16,
      transport: 'auto',
    });
    expect(Object.isFrozen(resolveOptions())).toBe(true);
    expect(resolveOptions({})).toEqual(resolveOptions());
  });

  test('a rate of the loop `fixed` is the tick rate', () => {
    const { tickRateHz } = resolveOptions({
      tickRateHz: 30,
      stepper: { kind: 'fixed', tickRateHz: 50 },
    });
    expect(tickRateHz).toBe(50);
  });

  test('that are undefined are as if left out', () => {
    expect(resolveOptions(given({ tickRateHz: undefined, capacity: 10 }))).toEqual(
      resolveOptions({ capacity: 10 }),
    );
  });

  test.each<ConnectOptions>([
    { tickRateHz: 1 },
    { tickRateHz: 59.94 },
    { tickRateHz: 1000 },
    { transport: 'transfer' },
    { capacity: 1 },
    { capacity: 2 ** 20 },
    { history: 2 },
    { timeScale: 0.01 },
    { timeScale: 100 },
    { maxCatchUpTicks: 1 },
    { maxCatchUpTicks: 1000 },
    { interpolation: 'none' },
    { interpolation: 'extrapolate' },
    { marginMs: 0 },
    { marginMs: 1000 },
    { marginMs: 'auto' },
    { whenHidden: 'run' },
    { startPaused: true },
    { startTimeoutMs: 1 },
    { seed: 0 },
    { seed: 2 ** 32 - 1 },
    { setup: { scene: ['tower', 3, null] } },
    { mergeMoves: false },
    { record: false },
    { recordingLimitBytes: 4096 },
    { recordingLimitBytes: 2 ** 40 },
    { hashEveryTicks: 0 },
    { rewindS: 3600 },
    { saveEveryS: 0.1 },
    { recovery: 'restart' },
    { hangLimitMs: Number.POSITIVE_INFINITY },
    { restartAfterMs: 100 },
    { invalidPoses: 'stop' },
    { watchdog: { slowUpdates: 3 } },
    { whenUnresponsive: 'pause' },
    { inputWords: 64 },
    { eventWords: 2 ** 22 },
  ])('may be %o', (options) => {
    expect(resolveOptions(options)).toMatchObject(options);
  });
});

const wrong: readonly [unknown, typeof TypeError | typeof RangeError, RegExp][] = [
  [null, TypeError, /^options must be an object$/],
  ['fast', TypeError, /^options must be an object$/],
  [{ speed: 1 }, TypeError, /^connect has no option "speed"; it has tickRateHz, capacity, /],
  [{ tickRateHz: 0 }, RangeError, /^tickRateHz must be a number from 1 to 1000, and is 0$/],
  [{ tickRateHz: -60 }, RangeError, /^tickRateHz must .* and is -60$/],
  [{ tickRateHz: 1001 }, RangeError, /^tickRateHz must .* and is 1001$/],
  [{ tickRateHz: Number.NaN }, RangeError, /^tickRateHz must .* and is NaN$/],
  [{ tickRateHz: Number.POSITIVE_INFINITY }, RangeError, /^tickRateHz must .* and is Infinity$/],
  [{ tickRateHz: '60' }, TypeError, /^tickRateHz must be a number, and is a value of type string$/],
  [{ tickRateHz: null }, TypeError, /^tickRateHz must be a number, and is null$/],
  [{ tickRateHz: [60] }, TypeError, /^tickRateHz must be a number, and is an array$/],
  [{ tickRateHz: 60n }, TypeError, /^tickRateHz must be a number, and is a value of type bigint$/],
  [{ capacity: 0 }, RangeError, /^capacity must be a whole number from 1 to 1048576, and is 0$/],
  [{ capacity: 10.5 }, RangeError, /^capacity must be a whole number .* and is 10.5$/],
  [{ capacity: 2 ** 20 + 1 }, RangeError, /^capacity must .* and is 1048577$/],
  [{ capacity: Number.NaN }, RangeError, /^capacity must .* and is NaN$/],
  [{ capacity: '10' }, TypeError, /^capacity must be a number/],
  [{ history: 1 }, RangeError, /^history must be a whole number from 2 to 4, and is 1$/],
  [{ history: 5 }, RangeError, /^history must .* and is 5$/],
  [{ history: 2.5 }, RangeError, /^history must .* and is 2.5$/],
  [{ timeScale: 0 }, RangeError, /^timeScale must be a number from 0.01 to 100, and is 0$/],
  [{ timeScale: -1 }, RangeError, /^timeScale must .* and is -1$/],
  [{ timeScale: 101 }, RangeError, /^timeScale must .* and is 101$/],
  [{ stepper: 'fixed' }, TypeError, /^stepper must be an object with a kind/],
  [
    { stepper: { kind: 'unpaced' } },
    RangeError,
    /^stepper.kind must be one of frame-locked, .* "unpaced"$/,
  ],
  [{ stepper: { kind: 'semi-fixed', maxSteps: 0 } }, RangeError, /maxSteps/],
  [
    { stepper: { kind: 'fixed', maxSteps: 3 } },
    RangeError,
    /^stepper.maxSteps has no effect on the loop 'fixed' in a worker: maxCatchUpTicks bounds it/,
  ],
  [
    { stepper: { kind: 'rate-groups', renderHz: 30 } },
    RangeError,
    /^stepper.renderHz has no effect on the loop 'rate-groups' in a worker: a worker draws nothing/,
  ],
  [{ stepper: { kind: 'fixed', rate: 3 } }, TypeError, /^fixed has no option "rate"/],
  [{ stepper: { kind: 'fixed', tickRateHz: 0 } }, RangeError, /^stepper.tickRateHz must be a/],
  [
    { stepper: { kind: 'variable' }, maxCatchUpTicks: 5 },
    RangeError,
    /^maxCatchUpTicks bounds the loop 'fixed' alone: 'variable' has a bound of its own, or none$/,
  ],
  [{ maxCatchUpTicks: 0 }, RangeError, /^maxCatchUpTicks must be a whole number from 1 to 1000/],
  [{ maxCatchUpTicks: 1.5 }, RangeError, /^maxCatchUpTicks must .* and is 1.5$/],
  [
    { interpolation: 'linear' },
    RangeError,
    /^interpolation must be one of none, interpolate, extrapolate, and is "linear"$/,
  ],
  [
    { interpolation: true },
    TypeError,
    /^interpolation must be one of none, interpolate, extrapolate, and is a value of type bool/,
  ],
  [{ marginMs: -1 }, RangeError, /^marginMs must be a number from 0 to 1000, and is -1$/],
  [{ marginMs: 1001 }, RangeError, /^marginMs must .* and is 1001$/],
  [{ marginMs: Number.NaN }, RangeError, /^marginMs must .* and is NaN$/],
  [
    { marginMs: 'big' },
    RangeError,
    /^marginMs must be 'auto' or a number from 0 to 1000, and is "big"/,
  ],
  [{ marginMs: null }, TypeError, /^marginMs must be a number, and is null$/],
  [{ whenHidden: 'stop' }, RangeError, /^whenHidden must be one of pause, run, and is "stop"$/],
  [{ startPaused: 'yes' }, TypeError, /^startPaused must be a boolean$/],
  [
    { startTimeoutMs: 0 },
    RangeError,
    /^startTimeoutMs must be a number from 1 to 600000, and is 0$/,
  ],
  [{ seed: -1 }, RangeError, /^seed must be a whole number from 0 to 4294967295, and is -1$/],
  [{ seed: 0.5 }, RangeError, /^seed must .* and is 0.5$/],
  [{ setup: () => {} }, TypeError, /^setup must be a value that JSON can hold, and is a function$/],
  [{ setup: { size: Number.NaN } }, TypeError, /^setup, at size, must .* and is NaN$/],
  [{ mergeMoves: 'yes' }, TypeError, /^mergeMoves must be a boolean$/],
  [{ recordingLimitBytes: 4095 }, RangeError, /^recordingLimitBytes must be .* 4096 /],
  [{ recordingLimitBytes: 2 ** 40 + 1 }, RangeError, /^recordingLimitBytes must be/],
  [{ recordingLimitBytes: '64 MiB' }, TypeError, /^recordingLimitBytes must be/],
  [{ record: 1 }, TypeError, /^record must be a boolean$/],
  [{ hashEveryTicks: -1 }, RangeError, /^hashEveryTicks must be a whole number from 0 to 1000000/],
  [{ rewindS: 3601 }, RangeError, /^rewindS must be a number from 0 to 3600, and is 3601$/],
  [{ saveEveryS: 0 }, RangeError, /^saveEveryS must be a number from 0.1 to 60, and is 0$/],
  [{ recovery: 'retry' }, RangeError, /^recovery must be one of none, restart, and is "retry"$/],
  [{ hangLimitMs: 99 }, RangeError, /^hangLimitMs must be a number from 100 to Infinity/],
  [{ restartAfterMs: '2' }, TypeError, /^restartAfterMs must be a number/],
  [{ invalidPoses: 'hide' }, RangeError, /^invalidPoses must be one of freeze, remove, stop, and/],
  [{ watchdog: { slow: 1 } }, TypeError, /^the watchdog has no option "slow"; it has /],
  [{ watchdog: { slowUpdates: -1 } }, RangeError, /^slowUpdates must be a whole number/],
  [
    { whenUnresponsive: 'stop' },
    RangeError,
    /^whenUnresponsive must be one of slow-motion, pause, and is "stop"$/,
  ],
  [{ inputWords: 100 }, RangeError, /^inputWords must be a power of two from 64 to 4194304, and/],
  [{ eventWords: 2 ** 23 }, RangeError, /^eventWords must be a power of two .* and is 8388608$/],
  [
    { whenUnresponsive: () => {} },
    TypeError,
    /^whenUnresponsive must be one of slow-motion, pause,/,
  ],
];

describe.each(wrong)('the wrong options %o', (options, kind, message) => {
  test('throw before anything is started, and name the option and its rule', async () => {
    let workers = 0;
    const createWorker = (): WorkerLike => {
      workers += 1;
      throw new Error('must not be reached');
    };
    await expect(connect(createWorker, given(options))).rejects.toThrow(kind);
    await expect(connect(createWorker, given(options))).rejects.toThrow(message);
    expect(workers).toBe(0);
  });
});

test('createWorker must be a function', async () => {
  const notAFunction = {} as unknown as () => WorkerLike;
  await expect(connect(notAFunction)).rejects.toThrow(TypeError);
  await expect(connect(notAFunction)).rejects.toThrow(/createWorker must be a function/);
});
