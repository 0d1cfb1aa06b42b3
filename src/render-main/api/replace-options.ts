/** How a worker is replaced. */
import type { CallOptions } from './call-options.js';

/** What happens if the next worker cannot restore the state of the current one. */
export type WhenStateDiffers = 'reject' | 'reset';
export const WHEN_STATE_DIFFERS: readonly WhenStateDiffers[] = ['reject', 'reset'];

/** How long to wait for the next worker, and what to do if it cannot continue the run. */
export interface ReplaceOptions extends CallOptions {
  /**
   * What happens if the next worker cannot restore the state of the current one, because its code is another one:
   *
   * - `'reject'` (the default): the call rejects, and the current worker continues
   * - `'reset'`: the run starts over at tick 0 in the next worker, with the same seed and setup. A world keeps its bodies:
   *   only the systems that cannot restore their state begin without it, with a warning on the worker's console.
   */
  readonly whenStateDiffers?: WhenStateDiffers | undefined;
}
