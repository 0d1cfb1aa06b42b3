/** What the engine knows of masses, as the worker sends it: numbers in rows. */

/**
 * Of a body: its handle, the inverse of its mass, its center of mass (3), the inverse of its principal angular inertia (3), and
 * the frame of that (4).
 */
export const BODY_MASS_LENGTH = 12;
/** Of a collider: its handle, mass, volume and density. */
export const COLLIDER_MASS_LENGTH = 4;

/** Those that a batch has changed. */
export interface Masses {
  /** Rows of BODY_MASS_LENGTH numbers. */
  readonly bodies: Float64Array;
  /** Rows of COLLIDER_MASS_LENGTH numbers. */
  readonly colliders: Float64Array;
}
