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

/** The text of a flag's value is parsed by `read`; parseArgs returns strings for these. */
const text =
  (read: (flag: string, value: string) => unknown) =>
  (flag: string, value: unknown): unknown =>
    read(flag, String(value));
const asIs = (_flag: string, value: unknown): unknown => value;

const options = {
  'clamp-ratio': { type: 'string' },
  'max-frame-skip': { type: 'string' },
  'max-frame-ms': { type: 'string' },
  interpolate: { type: 'boolean' },
  'assumed-hz': { type: 'string' },
  'max-intervals': { type: 'string' },
  'threshold-ms': { type: 'string' },
  overload: { type: 'string' },
  'refresh-hz': { type: 'string' },
  'poll-ms': { type: 'string' },
  'max-dt-ms': { type: 'string' },
  remainder: { type: 'boolean' },
  'max-lag-ms': { type: 'string' },
} as const;

type Flag = keyof typeof options;

const flag = (
  name: Flag,
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

/** Definitions for parseArgs, and how to apply each value. */
export const STEPPER_FLAGS = { options, list } as const;
