/** The parts of a walk: how it connects, and its sequence of operations. */
import fc from 'fast-check';
import type { ConnectOptions, InterpolationMode } from '../../../src/render-main/index.js';
import { tuned } from '../../../src/render-main/api/connect-options.js';

/** Operations that move the run. */
export const TRAVELS = [
  'seek',
  'restore',
  'openReplay',
  'seekInReplay',
  'closeReplay',
  'rebuild',
] as const;

/** How often each is chosen. */
const WEIGHTS = {
  note: 8,
  noteAndThrow: 1,
  input: 4,
  pause: 2,
  resume: 4,
  step: 4,
  seek: 3,
  restore: 2,
  openReplay: 2,
  seekInReplay: 3,
  closeReplay: 3,
  rebuild: 1,
  save: 2,
  recording: 2,
  rate: 2,
  scale: 1,
  catchUp: 1,
  echo: 2,
  refuse: 1,
  never: 1,
  sample: 3,
  stats: 1,
  resetStats: 1,
  events: 1,
  stall: 1,
  stallStep: 1,
  failOnce: 1,
  poison: 1,
  hang: 1,
  openGate: 1,
  timePasses: 1,
  kill: 1,
  replaceWorker: 2,
  dispose: 0.25,
} as const;
export type OperationKind = keyof typeof WEIGHTS;

export interface Operation {
  readonly kind: OperationKind;
  /** The random part of it: a tick, a rate, a count. */
  readonly n: number;
  /** When the signal of the call is aborted, if it has one. */
  readonly stop: 'none' | 'before' | 'soon';
  /** How long the walk waits then: turns of the event loop, ms, or until it is settled. */
  readonly wait: 'no' | 'turns' | 'ms' | 'settled';
}

const operation: fc.Arbitrary<Operation> = fc.record({
  kind: fc.oneof(
    ...Object.entries(WEIGHTS).map(([kind, weight]) => ({
      arbitrary: fc.constant(kind as OperationKind),
      weight: weight * 4,
    })),
  ),
  n: fc.nat({ max: 30 }),
  stop: fc.oneof(
    { arbitrary: fc.constant('none' as const), weight: 6 },
    fc.constantFrom('before' as const, 'soon' as const),
  ),
  wait: fc.oneof(
    { arbitrary: fc.constant('no' as const), weight: 3 },
    fc.constantFrom('turns' as const, 'ms' as const, 'settled' as const),
  ),
});

export interface Walk {
  readonly options: ConnectOptions;
  readonly cannotSave: boolean;
  readonly cannotReset: boolean;
  readonly stepCostMs: number;
  readonly operations: readonly Operation[];
}

const often = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 3 }, fc.constantFrom(...others));

/** An option without effect next to the others is refused. */
function asOptions({ isRecorded, recovery, recording, tunables, ...rest }: Drawn): ConnectOptions {
  return tuned(
    { ...rest, recovery, recording: isRecorded || recovery === 'restart' ? recording : false },
    tunables,
  );
}

const drawn = fc.record({
  tickRateHz: often(50, 10, 240, 1000),
  timeScale: often(1, 0.25, 4),
  maxCatchUpTicks: often(5, 1, 40),
  display: fc.record({
    interpolation: often<InterpolationMode>('interpolate', 'none', 'extrapolate'),
  }),
  startPaused: fc.boolean(),
  seed: fc.nat(),
  isRecorded: often(true, false),
  recording: fc.record({
    hashEveryTicks: often(1, 7),
    rewindSeconds: often(0, 1),
    saveEverySeconds: often(0.1, 2),
  }),
  recovery: fc.constantFrom('restart' as const, 'none' as const),
  tunables: fc.record({
    marginMs: often<number | 'auto'>('auto', 0, 20),
    history: fc.integer({ min: 2, max: 4 }),
    // Some walks fill it.
    inputWords: often(2 ** 12, 2 ** 7),
    eventWords: often(2 ** 12, 2 ** 6),
  }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer Options> ? Options : never;

/** @param length Operations of a walk, at most. */
export const walksOf = (length: number): fc.Arbitrary<Walk> =>
  fc.record({
    options: drawn.map(asOptions),
    cannotSave: often(false, true),
    cannotReset: fc.oneof({ arbitrary: fc.constant(false), weight: 9 }, fc.constant(true)),
    stepCostMs: often(0, 4),
    operations: fc.array(operation, { minLength: 1, maxLength: length, size: 'max' }),
  });

const DEFAULTS: Operation = { kind: 'note', n: 0, stop: 'none', wait: 'no' };

/** A description, as short as possible. */
export function stepsOf({ operations, ...beginning }: Walk): string {
  const steps = operations.map(({ kind, ...rest }) => {
    const parts = Object.entries(rest).flatMap(([name, value]) =>
      DEFAULTS[name as keyof Operation] === value ? [] : `${name} ${value}`,
    );
    return parts.length === 0 ? kind : `${kind}(${parts.join(', ')})`;
  });
  return `${JSON.stringify(beginning)} ${steps.join('; ')}`;
}
