/** The steppers' own options as arguments. */
import type { StepperKind } from '../engine/loops/registry.js';
import { number, pair, stepCap } from './values.js';

interface StepperFlag {
  readonly flag: string;
  /** The stepper's name for it. */
  readonly name: string;
  /** The steppers that have it. */
  readonly of: readonly StepperKind[];
  readonly read: (flag: string, value: unknown) => unknown;
}

/** The text of a flag's value is parsed by `read`. */
const text =
  (read: (flag: string, value: string) => unknown) =>
  (flag: string, value: unknown): unknown =>
    read(flag, String(value));
const asIs = (_flag: string, value: unknown): unknown => value;

const flags = {
  'clamp-ratio': {
    heading: 'Options of steppers',
    value: 'LOW:HIGH',
    about: 'of variable (default 0.75:1.5)',
  },
  'max-frame-skip': { value: 'N', about: 'of frame-skip (default 10) and fixed-predict (5)' },
  'max-frame-ms': { value: 'MS', about: 'of fixed (default 250)' },
  interpolate: { about: 'of fixed, which does unless it has --no-interpolate, and rate-groups' },
  'assumed-hz': { value: 'HZ', about: "of refresh-multiple (default: the display's)" },
  'max-intervals': { value: 'N', about: 'of refresh-multiple (default 4)' },
  'threshold-ms': { value: 'MS', about: 'of refresh-multiple (default 100)' },
  overload: { value: 'slow-down|pass-through', about: 'of refresh-multiple (default slow-down)' },
  'refresh-hz': { value: 'HZ', about: 'of rate-groups (default 4)' },
  'poll-ms': { value: 'MS', about: 'of rate-groups (default 1)' },
  'max-dt-ms': { value: 'MS', about: 'of bounded-variable (default 20)' },
  remainder: { about: 'of bounded-variable' },
  'max-lag-ms': { value: 'MS', about: 'of bounded-variable (default 5)' },
} as const;

type FlagName = keyof typeof flags;

const flag = (
  name: FlagName,
  option: string,
  of: readonly StepperKind[],
  read: StepperFlag['read'],
): StepperFlag => ({ flag: name, name: option, of, read });

const list: readonly StepperFlag[] = [
  flag('clamp-ratio', 'clampRatio', ['variable'], text(pair)),
  flag('max-frame-skip', 'maxFrameSkip', ['frame-skip', 'fixed-predict'], text(stepCap)),
  flag('max-frame-ms', 'maxFrameMs', ['fixed'], text(number)),
  flag('interpolate', 'interpolate', ['fixed', 'rate-groups'], asIs),
  flag('assumed-hz', 'assumedHz', ['refresh-multiple'], text(number)),
  flag('max-intervals', 'maxIntervals', ['refresh-multiple'], text(number)),
  flag('threshold-ms', 'thresholdMs', ['refresh-multiple'], text(number)),
  flag('overload', 'overload', ['refresh-multiple'], asIs),
  flag('refresh-hz', 'refreshHz', ['rate-groups'], text(number)),
  flag('poll-ms', 'pollMs', ['rate-groups'], text(number)),
  flag('max-dt-ms', 'maxDtMs', ['bounded-variable'], text(number)),
  flag('remainder', 'remainder', ['bounded-variable'], asIs),
  flag('max-lag-ms', 'maxLagMs', ['bounded-variable'], text(number)),
];

/** Definitions for the command, and how to apply each value. */
export const STEPPER_FLAGS = { flags, list } as const;
