/** Validates the options of `connect` and fills in the defaults, in one place. */
import { copyOfJson } from '../../shared/util/json.js';
import { INVALID_POSE_POLICIES, RUN_DEFAULTS } from '../../shared/recording/recording.js';
import { MAX_CAPACITY, MAX_VALUES } from '../../shared/memory/layout.js';
import { inputWordsOf } from '../../shared/memory/queue-sizes.js';
import * as LIMITS from '../../shared/util/limits.js';
import { DEFAULT_MAX_CATCH_UP_TICKS } from '../../shared/time/schedule.js';
import { TRANSPORTS } from '../../shared/protocol/transport.js';
import { requireKnownKeys } from '../../shared/util/known-keys.js';
import { requireChoice, requireInteger, requireNumber } from '../../shared/util/validate.js';
import type {
  ConnectOptions,
  DisplayOptions,
  InterpolationMode,
  RecordingOptions,
} from './connect-options.js';
import { tunablesOf, type Tunables } from './tunables.js';

export const INTERPOLATION_MODES: readonly InterpolationMode[] = [
  'none',
  'interpolate',
  'extrapolate',
];

/** Complete options, without short forms. */
export interface ResolvedOptions extends Readonly<Required<ConnectOptions>>, Tunables {
  readonly display: Readonly<Required<DisplayOptions>>;
  readonly recording: Readonly<Required<RecordingOptions>>;
  readonly inputWords: number;
  /** Whether the run is recorded. */
  readonly isRecorded: boolean;
}

const DEFAULTS: Omit<ResolvedOptions, 'isRecorded' | keyof Tunables> = {
  ...RUN_DEFAULTS,
  timeScale: 1,
  maxCatchUpTicks: DEFAULT_MAX_CATCH_UP_TICKS,
  turnsPerSecond: 2,
  display: {
    interpolation: 'interpolate',
    velocities: false,
    values: 0,
  },
  whenHidden: 'pause',
  startPaused: false,
  mergeMoves: true,
  recording: {
    limitBytes: 2 ** 26,
    hashEveryTicks: 60,
    rewindSeconds: 0,
    saveEverySeconds: 2,
  },
  recovery: 'none',
  transport: 'auto',
  devtools: false,
  signal: undefined,
};

const GROUPS = ['display', 'recording'] as const;

/** All options by their paths, for error messages about an unknown option. */
const PATHS = [
  ...Object.keys(DEFAULTS),
  ...GROUPS.flatMap((group) => Object.keys(DEFAULTS[group]).map((key) => `${group}.${key}`)),
];

/**
 * Validates the options and fills in the defaults.
 *
 * @returns A frozen, complete object.
 * @throws TypeError for a wrong type or an unknown option.
 * @throws RangeError for a value out of range, and for options that have no effect together.
 */
export function resolveOptions(options: ConnectOptions = {}): ResolvedOptions {
  const given = filled('', options, DEFAULTS);
  requireNumber('tickRateHz', given.tickRateHz, ...LIMITS.tickRateHz);
  requireInteger('capacity', given.capacity, 1, MAX_CAPACITY);
  requireNumber('timeScale', given.timeScale, ...LIMITS.timeScale);
  requireInteger('maxCatchUpTicks', given.maxCatchUpTicks, ...LIMITS.maxCatchUpTicks);
  requireNumber('turnsPerSecond', given.turnsPerSecond, ...LIMITS.turnsPerSecond);
  requireChoice('whenHidden', given.whenHidden, ['pause', 'run']);
  requireChoice('recovery', given.recovery, ['none', 'restart']);
  requireInteger('seed', given.seed, ...LIMITS.seed);
  const setup = copyOfJson('setup', given.setup);
  for (const name of ['startPaused', 'mergeMoves', 'devtools'] as const)
    requireBoolean(name, given[name]);
  requireChoice('invalidPosePolicy', given.invalidPosePolicy, INVALID_POSE_POLICIES);
  requireChoice('transport', given.transport, ['auto', ...TRANSPORTS]);
  requireSignal(given.signal);
  const tunables = tunablesOf(options);
  return Object.freeze({
    ...given,
    setup,
    display: displayOf(options.display),
    ...recordingOf(given.recovery === 'restart', options.recording),
    ...tunables,
    inputWords: tunables.inputWords ?? inputWordsOf(given.capacity),
  });
}

/** The given options, with defaults for the rest: an undefined value counts as omitted. */
function filled<Group extends object>(path: string, given: unknown, defaults: Group): Group {
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${path || 'options'} must be an object`);
  }
  const prefix = path && `${path}.`;
  requireKnownKeys('connect', given, Object.keys(defaults), { prefix, all: PATHS });
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.freeze({ ...defaults, ...Object.fromEntries(entries) });
}

function displayOf(given: DisplayOptions = {}): ResolvedOptions['display'] {
  const display = filled('display', given, DEFAULTS.display);
  requireChoice('display.interpolation', display.interpolation, INTERPOLATION_MODES);
  requireBoolean('display.velocities', display.velocities);
  requireInteger('display.values', display.values, 0, MAX_VALUES);
  return display;
}

function recordingOf(
  isRestarted: boolean,
  given: RecordingOptions | false = {},
): Pick<ResolvedOptions, 'recording' | 'isRecorded'> {
  const isRecorded = given !== false;
  if (!isRecorded && isRestarted) {
    throw new RangeError(
      "recovery: 'restart' continues from the recording: remove recording: false",
    );
  }
  const group = isRecorded ? given : {};
  const recording = filled('recording', group, DEFAULTS.recording);
  requireInteger('recording.limitBytes', recording.limitBytes, 2 ** 12, 2 ** 40);
  requireInteger('recording.hashEveryTicks', recording.hashEveryTicks, 0, 1_000_000);
  requireNumber('recording.rewindSeconds', recording.rewindSeconds, 0, 3600);
  requireNumber('recording.saveEverySeconds', recording.saveEverySeconds, 0.1, 60);
  // An explicit rewindSeconds of 0 is allowed: it may come from a setting.
  if (group.saveEverySeconds !== undefined && group.rewindSeconds === undefined && !isRestarted) {
    throw new RangeError(
      "recording.saveEverySeconds has no effect without recording.rewindSeconds or recovery: 'restart'",
    );
  }
  return { recording, isRecorded };
}

/** @throws TypeError unless it is an AbortSignal or undefined. */
export function requireSignal(signal: unknown): void {
  if (signal === undefined) return;
  if (typeof (signal as Partial<AbortSignal> | null)?.throwIfAborted === 'function') return;
  throw new TypeError('signal must be an AbortSignal');
}

function requireBoolean(name: string, value: unknown): void {
  if (typeof value !== 'boolean') throw new TypeError(`${name} must be a boolean`);
}
