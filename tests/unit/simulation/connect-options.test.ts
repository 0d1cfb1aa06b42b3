import { expect, test } from 'vitest';
import { connect, type ConnectOptions, type WorkerLike } from '../../../src/render-main/index.js';
import { resolveOptions } from '../../../src/render-main/api/connect-options.js';

/** Options that untyped code could pass. */
const given = (options: unknown): ConnectOptions => options as ConnectOptions;

test('the options of connect have these defaults, complete and frozen', () => {
  expect(resolveOptions()).toEqual({
    tickRateHz: 60,
    capacity: 4096,
    timeScale: 1,
    maxCatchUpTicks: 5,
    turnsPerSecond: 2,
    display: { interpolation: 'interpolate', velocities: false, values: 0 },
    whenHidden: 'pause',
    startPaused: false,
    seed: 1,
    setup: null,
    isRecorded: true,
    recording: { limitBytes: 2 ** 26, hashEveryTicks: 60, rewindSeconds: 0, saveEverySeconds: 2 },
    recovery: 'none',
    invalidPosePolicy: 'freeze',
    transport: 'auto',
    devtools: false,
    history: 4,
    marginMs: 'auto',
    startTimeoutMs: 30_000,
    hangLimitMs: 2000,
    restartAfterMs: 6000,
    keptBytes: 2 ** 28,
    inputWords: 2 ** 18,
    eventWords: 2 ** 16,
  });
  const resolved = resolveOptions({});
  expect(resolved).toEqual(resolveOptions());
  const parts = [resolved, resolved.display, resolved.recording];
  expect(parts.map((part) => Object.isFrozen(part))).toEqual([true, true, true]);
});

test('options of connect that are undefined are as if omitted', () => {
  const recording = { limitBytes: undefined, saveEverySeconds: undefined, hashEveryTicks: 7 };
  const some = { tickRateHz: undefined, capacity: 10, display: undefined, recording };
  const defaults = resolveOptions();
  expect(resolveOptions(given(some))).toEqual({
    ...defaults,
    capacity: 10,
    recording: { ...defaults.recording, hashEveryTicks: 7 },
  });
});

test('the option recording has a short form: nothing is recorded', () => {
  expect(resolveOptions({ recording: false })).toEqual({ ...resolveOptions(), isRecorded: false });
});

test.each<ConnectOptions>([
  { tickRateHz: 1 },
  { tickRateHz: 1000 },
  { capacity: 1 },
  { capacity: 2 ** 20 },
  { display: { values: 2 ** 16 } },
  { seed: 2 ** 32 - 1 },
  { recording: { limitBytes: 4096 } },
  { recording: { limitBytes: 2 ** 40 } },
  { recording: { hashEveryTicks: 0 } },
  { recording: { rewindSeconds: 3600 } },
  { recording: { rewindSeconds: 30, saveEverySeconds: 0.1 } },
  // The interval of a setting that is 0 now.
  { recording: { rewindSeconds: 0, saveEverySeconds: 60 } },
])('the options of connect may be %o', (options: ConnectOptions) => {
  expect(resolveOptions(options)).toMatchObject(options);
});

const wrong: readonly [unknown, typeof TypeError | typeof RangeError, RegExp][] = [
  [null, TypeError, /^the options of connect must be an object, but /],
  [{ gravity: 1 }, TypeError, /^unknown option "gravity" of connect: it has tickRateHz, capacit/],
  [{ display: { values: 2 ** 16 + 1 } }, RangeError, /^display.values must be a whole number fr/],
  [{ tickRate: 1 }, TypeError, /^unknown option "tickRate" of connect: did you mean "tickRateHz/],
  [{ hashEveryTicks: 1 }, TypeError, /: did you mean "recording\.hashEveryTicks"\?$/],
  [{ rewind: 30 }, TypeError, /"rewind" of connect: did you mean "recording\.rewindSeconds"\?$/],
  [{ recording: { retries: 64 } }, TypeError, /"recording\.retries" of connect: it has limitB/],
  [{ recovery: false }, TypeError, /^recovery must be one of none, restart, but is a value of/],
  [{ tickRateHz: 0 }, RangeError, /^tickRateHz must be a number from 1 to 1000, but is 0$/],
  [{ tickRateHz: '60' }, TypeError, /^tickRateHz must be a number, but is a value of type string$/],
  [{ capacity: 0 }, RangeError, /^capacity must be a whole number from 1 to 1048576, but is 0$/],
  [{ timeScale: 0 }, RangeError, /^timeScale must be a number from 0.01 to 100, but is 0$/],
  [{ display: { interpolation: 'linear' } }, RangeError, /^display\.interpolation must be one o/],
  [{ startPaused: 'yes' }, TypeError, /^startPaused must be true or false, but is a value of /],
  [{ setup: () => {} }, TypeError, /^setup must be a value that JSON can hold, but is a function$/],
  [{ setup: { size: Number.NaN } }, TypeError, /^setup, at size, must .* but is NaN$/],
  [{ recording: { limitBytes: 4095 } }, RangeError, /^recording\.limitBytes must be .* 4096 /],
  [{ recording: false, recovery: 'restart' }, RangeError, /^recovery: 'restart' continues from/],
  [{ recording: { saveEverySeconds: 2 } }, RangeError, /^recording\.saveEverySeconds has no eff/],
  [{ invalidPosePolicy: 'hide' }, RangeError, /^invalidPosePolicy must be one of freeze, remove/],
];

test.each(wrong)(
  'the wrong options %o throw before anything is started, and name the option and its rule',
  async (options, kind, message) => {
    let workers = 0;
    const createWorker = (): WorkerLike => {
      workers += 1;
      throw new Error('must not be reached');
    };
    const error: unknown = await connect(createWorker, given(options)).catch((reason) => reason);
    expect(error).toBeInstanceOf(kind);
    expect((error as Error).message).toMatch(message);
    expect(workers).toBe(0);
  },
);

test('createWorker must be a function', async () => {
  const notAFunction = {} as unknown as () => WorkerLike;
  await expect(connect(notAFunction)).rejects.toThrow(
    new TypeError('createWorker must be a function that returns a Worker'),
  );
});
