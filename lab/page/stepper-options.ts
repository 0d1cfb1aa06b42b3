/** The options that each stepper has on the page, in the order of its form. Pure. */
import { choice, decimal, flag, integer, pair, type Parameter } from '../../site/parameters.js';
import type { StepperKind } from '../engine/loops/registry.js';

export interface OptionSpec {
  /** The stepper's name for it. */
  readonly name: string;
  readonly label: string;
  readonly parameter: Parameter<unknown>;
}

/** Shown instead of a value: the stepper's default. */
export const OWN = 'own';

const spec = <T>(name: string, label: string, parameter: Parameter<T>): OptionSpec => ({
  name,
  label,
  parameter: parameter as Parameter<unknown>,
});

/** A limit of updates a frame; the steppers take Infinity for none. */
const cap: Parameter<number> = {
  rule: `none, or ${integer([1, 1000]).rule}`,
  parse: (text) => (text === 'none' ? Number.POSITIVE_INFINITY : integer([1, 1000]).parse(text)),
  format: (value) => (Number.isFinite(value) ? String(value) : 'none'),
};
const clamp: Parameter<readonly [number, number] | null> = {
  rule: `none, or ${pair([0, 1], [1, 1000]).rule}`,
  parse: (text) => (text === 'none' ? null : pair([0, 1], [1, 1000]).parse(text)),
  format: (value) => value?.join(':') ?? 'none',
};

const tick = spec('tickRateHz', 'Updates per second', decimal([1, 1000]));
const maxFrameSkip = spec('maxFrameSkip', 'Maximum updates per frame', cap);
const maxSteps = spec('maxSteps', 'Maximum updates per frame', cap);
const interpolate = spec('interpolate', 'Interpolate', flag);

export const STEPPER_OPTIONS: Readonly<Record<StepperKind, readonly OptionSpec[]>> = {
  unpaced: [tick],
  'frame-locked': [tick],
  variable: [tick, spec('clampRatio', 'Minimum and maximum step, × nominal', clamp)],
  'frame-skip': [tick, maxFrameSkip],
  'fixed-predict': [tick, maxFrameSkip],
  'semi-fixed': [tick, maxSteps],
  fixed: [
    tick,
    spec('maxFrameMs', 'Maximum time per frame, ms', decimal([1, 100_000])),
    maxSteps,
    interpolate,
  ],
  'refresh-multiple': [
    spec('assumedHz', 'Assumed display rate, Hz', decimal([1, 1000])),
    spec('maxIntervals', 'Maximum intervals per update', integer([1, 1000])),
    spec('thresholdMs', 'Overload threshold, ms', decimal([1, 100_000])),
    spec('overload', 'Then', choice(['slow-down', 'pass-through'])),
  ],
  'rate-groups': [
    tick,
    spec('renderHz', 'Frames per second', decimal([1, 1000])),
    spec('refreshHz', 'Counter refreshes per second', decimal([1, 1000])),
    spec('pollMs', 'Idle sleep, ms', decimal([0.01, 1000])),
    maxSteps,
    interpolate,
  ],
  'bounded-variable': [
    spec('maxDtMs', 'Longest step, ms', decimal([1, 1000])),
    spec('remainder', 'End with a short step', flag),
    spec('maxLagMs', 'No short step below, ms', decimal([0, 1000])),
    maxSteps,
  ],
};

/** Options given to steppers, by stepper and name. */
export type GivenOptions = Partial<Record<StepperKind, Readonly<Record<string, unknown>>>>;

/** The same options with one of them set, or reset to the default. */
export function withOption(
  options: GivenOptions,
  kind: StepperKind,
  name: string,
  value: unknown,
): GivenOptions {
  const { [name]: _before, ...others } = options[kind] ?? {};
  const own = value === undefined ? others : { ...others, [name]: value };
  const { [kind]: _all, ...otherKinds } = options;
  return Object.keys(own).length === 0 ? otherKinds : { ...otherKinds, [kind]: own };
}
