/** Validates the options of `connect` and fills in the defaults, in one place. */
import { copyOfJson } from '../../shared/util/json.js';
import { INVALID_POSE_POLICIES, RUN_DEFAULTS } from '../../shared/recording/recording.js';
import { MAX_CAPACITY, MAX_VALUES, inputWordsOf } from '../../shared/memory/layout.js';
import * as LIMITS from '../../shared/util/limits.js';
import { DEFAULT_MAX_CATCH_UP_TICKS } from '../../shared/time/schedule.js';
import { TRANSPORTS } from '../../shared/protocol/transport.js';
import {
  checkOptions,
  choice,
  flag,
  group,
  integer,
  number,
  type Check,
  type Checked,
} from '../../shared/util/options.js';
import type { ConnectOptions, InterpolationMode } from './connect-options.js';
import { tunablesOf, type Tunables } from './tunables.js';

export const INTERPOLATION_MODES: readonly InterpolationMode[] = [
  'none',
  'interpolate',
  'extrapolate',
];

/** An AbortSignal or undefined. */
export const abortSignal = (name: string, value: unknown): AbortSignal | undefined => {
  const signal = value as AbortSignal | null | undefined;
  if (signal === undefined || typeof signal?.throwIfAborted === 'function') return signal;
  throw new TypeError(`${name} must be an AbortSignal`);
};

const RECORDING = group('connect', {
  limitBytes: integer(2 ** 12, 2 ** 40, 2 ** 26),
  hashEveryTicks: integer(0, 1_000_000, 60),
  rewindSeconds: number(0, 3600, 0),
  saveEverySeconds: number(0.1, 60, 2),
});

const OPTIONS = {
  tickRateHz: number(...LIMITS.tickRateHz, RUN_DEFAULTS.tickRateHz),
  capacity: integer(1, MAX_CAPACITY, RUN_DEFAULTS.capacity),
  timeScale: number(...LIMITS.timeScale, 1),
  maxCatchUpTicks: integer(...LIMITS.maxCatchUpTicks, DEFAULT_MAX_CATCH_UP_TICKS),
  turnsPerSecond: number(...LIMITS.turnsPerSecond, 2),
  display: group('connect', {
    interpolation: choice(INTERPOLATION_MODES, 'interpolate'),
    velocities: flag(false),
    values: integer(0, MAX_VALUES, 0),
  }),
  whenHidden: choice(['pause', 'run'], 'pause'),
  startPaused: flag(false),
  seed: integer(...LIMITS.seed, RUN_DEFAULTS.seed),
  setup: (name: string, value: unknown = null) => copyOfJson(name, value),
  mergeMoves: flag(true),
  recording: Object.assign(
    (name: string, value: unknown, all: readonly string[]) =>
      RECORDING(name, value === false ? {} : value, all),
    { table: RECORDING.table },
  ),
  recovery: choice(['none', 'restart'], 'none'),
  invalidPosePolicy: choice(INVALID_POSE_POLICIES, RUN_DEFAULTS.invalidPosePolicy),
  transport: choice(['auto', ...TRANSPORTS], 'auto'),
  devtools: flag(false),
  signal: abortSignal,
} satisfies Readonly<Record<keyof ConnectOptions, Check<unknown>>>;

/** Complete options, without short forms. */
export interface ResolvedOptions extends Checked<typeof OPTIONS>, Tunables {
  readonly inputWords: number;
  /** Whether the run is recorded. */
  readonly isRecorded: boolean;
}

/**
 * Validates the options and fills in the defaults.
 *
 * @returns A frozen, complete object.
 * @throws TypeError for a wrong type or an unknown option.
 * @throws RangeError for a value out of range, and for options that have no effect together.
 */
export function resolveOptions(options: ConnectOptions = {}): ResolvedOptions {
  const checked = checkOptions('connect', options, OPTIONS);
  const { recording } = options;
  const isRestarted = checked.recovery === 'restart';
  if (recording === false && isRestarted) {
    throw new RangeError(
      "recovery: 'restart' continues from the recording: remove recording: false",
    );
  }
  // An explicit rewindSeconds of 0 is allowed: it may come from a setting.
  const { saveEverySeconds, rewindSeconds } = recording || {};
  if (saveEverySeconds !== undefined && rewindSeconds === undefined && !isRestarted) {
    throw new RangeError(
      "recording.saveEverySeconds has no effect without recording.rewindSeconds or recovery: 'restart'",
    );
  }
  const tunables = tunablesOf(options);
  const inputWords = tunables.inputWords ?? inputWordsOf(checked.capacity);
  return Object.freeze({ ...checked, ...tunables, inputWords, isRecorded: recording !== false });
}
