/** A class whose instances only a world makes: for `instanceof`. */
export interface HandleClass<T> {
  /** What all handles of this kind have. */
  readonly prototype: T;
  /** Whether something is such a handle: `thing instanceof RigidBody`. */
  [Symbol.hasInstance](value: unknown): value is T;
}
