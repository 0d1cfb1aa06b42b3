/** The parts of a live run: the simulation, the transport, and the events with their times. */
import fc from 'fast-check';
import type { SceneName } from '../../../demo/contract/scene-contract.js';

const KINDS = {
  input: 6,
  command: 6,
  /** The worker is busy between two ticks, or its next step takes longer. */
  stall: 3,
  /** This thread is busy, as a page may be. */
  busyPage: 1,
  pause: 2,
  resume: 4,
  step: 2,
  rate: 2,
  scale: 1,
  catchUp: 1,
  save: 1,
  goBack: 1,
} as const;

export interface LiveOperation {
  readonly kind: keyof typeof KINDS;
  readonly n: number;
  /** Real time to the next one, in ms. */
  readonly waitMs: number;
}

/** Few bodies: a run is short, so that there are many. */
export const LIVE_SCENES = {
  tower: 60,
  dominoes: 50,
  bridge: 20,
  vehicle: 20,
  tops: 8,
} as const satisfies Partial<Record<SceneName, number>>;
export type LiveScene = keyof typeof LIVE_SCENES;

export interface LiveRun {
  readonly simulated: 'toy' | LiveScene;
  readonly transport: 'shared' | 'transfer';
  readonly tickRateHz: number;
  readonly seed: number;
  readonly hashEveryTicks: number;
  readonly operations: readonly LiveOperation[];
}

export const liveRuns: fc.Arbitrary<LiveRun> = fc.record({
  simulated: fc.oneof(
    fc.constant('toy' as const),
    fc.constantFrom(...(Object.keys(LIVE_SCENES) as LiveScene[])),
  ),
  transport: fc.constantFrom('shared' as const, 'transfer' as const),
  tickRateHz: fc.constantFrom(60, 240, 500),
  seed: fc.nat(),
  hashEveryTicks: fc.constantFrom(1, 5),
  operations: fc.array(
    fc.record({
      kind: fc.oneof(
        ...Object.entries(KINDS).map(([kind, weight]) => ({
          arbitrary: fc.constant(kind as keyof typeof KINDS),
          weight,
        })),
      ),
      n: fc.nat({ max: 99 }),
      waitMs: fc.oneof(fc.constant(0), fc.nat({ max: 20 }), fc.nat({ max: 60 })),
    }),
    { minLength: 1, maxLength: 100, size: 'max' },
  ),
});

/** In words. */
export function stepsOf({ operations, ...beginning }: LiveRun): string {
  const steps = operations.map(({ kind, n, waitMs }) => `${kind} ${n}, ${waitMs} ms`);
  return `${JSON.stringify(beginning)} ${steps.join('; ')}`;
}
