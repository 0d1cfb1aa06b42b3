/**
 * The parts of a churn: operations on bodies in each tick, and when the run is saved on the way.
 */
import fc from 'fast-check';

const KINDS = {
  /** One more. */
  spawn: 4,
  /** Until there is no room, and one more. */
  fill: 1,
  despawn: 4,
  /** Half of them. */
  thin: 1,
  clear: 1,
  /** One slot is given to that many bodies in sequence: generations wrap. */
  spin: 1,
  move: 3,
  teleport: 2,
  sleep: 1,
  /** Operations on dead bodies. */
  useStale: 2,
} as const;
export type ChurnKind = keyof typeof KINDS;

export interface ChurnOperation {
  readonly kind: ChurnKind;
  readonly n: number;
}

/**
 * `same`: saved, and restored immediately. `another`: it continues in another instance. `mark`:
 * saved. `back`: it returns to the mark, and the later ticks are run again.
 */
export type ChurnSave = 'none' | 'same' | 'another' | 'mark' | 'back';

export interface ChurnTick {
  readonly operations: readonly ChurnOperation[];
  readonly save: ChurnSave;
  /** Frames that are drawn after it, at these positions of its interval, in 1/16. */
  readonly frames: readonly number[];
}

export interface Churn {
  readonly capacity: number;
  readonly history: number;
  readonly seed: number;
  readonly ticks: readonly ChurnTick[];
}

const operation: fc.Arbitrary<ChurnOperation> = fc.record({
  kind: fc.oneof(
    ...Object.entries(KINDS).map(([kind, weight]) => ({
      arbitrary: fc.constant(kind as ChurnKind),
      weight,
    })),
  ),
  n: fc.nat({ max: 4095 }),
});

const save: fc.Arbitrary<ChurnSave> = fc.oneof(
  { arbitrary: fc.constant('none' as const), weight: 8 },
  fc.constantFrom('same' as const, 'another' as const, 'mark' as const, 'back' as const),
);

const tick: fc.Arbitrary<ChurnTick> = fc.record({
  operations: fc.array(operation, { maxLength: 6 }),
  save,
  frames: fc
    .array(fc.nat({ max: 15 }), { maxLength: 2 })
    .map((positions) => positions.toSorted((a, b) => a - b)),
});

export const churns: fc.Arbitrary<Churn> = fc.record({
  // More than one block of bodies, and less.
  capacity: fc.constantFrom(1, 2, 7, 64, 65, 200),
  history: fc.integer({ min: 2, max: 4 }),
  seed: fc.nat(),
  ticks: fc.array(tick, { minLength: 1, maxLength: 160, size: 'max' }),
});
