/** Lists of handles, as applications have them. */

/** A list of what a world has, as in Rapier. */
export interface HandleSet<T> {
  /** The number of them. */
  len(): number;
  /** Whether it has a thing. @param handle Its number: things of a world are counted from 1. */
  contains(handle: number): boolean;
  /** A thing, or null. @param handle Its number: things of a world are counted from 1. */
  get(handle: number): T | null;
  /** All of them, in a new array, in the order in which they were created. */
  getAll(): T[];
  /** Calls a function for each. */
  forEach(callback: (item: T) => void): void;
}
