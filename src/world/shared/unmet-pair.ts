/** Colliders that pass through each other without an event; see `unmet-pairs.ts` of the worker. */

/** The event of one. Its value is an {@link UnmetPair}. */
export const UNMET_PAIR = 'betwixt/unmet-pair';

export type UnmetPair = {
  /** Their handles. */
  readonly colliders: readonly [number, number];
  /** Which active collision types they lack. */
  readonly types: 'KINEMATIC_FIXED' | 'KINEMATIC_KINEMATIC';
};
