/** The application's interface to a part of a run that is repeated. */
import type { CreateWorker } from './create-worker.js';
import type { ReplaceOptions } from './replace-options.js';

/** What is repeated. */
export interface RepeatOptions {
  /** The newest seconds of the run, in simulated time, from 0.1 to 3600; fewer if it has not run for so long. Default 5. */
  readonly seconds?: number;
}

/**
 * The newest part of a run, repeated with its recorded inputs and commands: what `repeatRun` resolves with. It is a
 * replay of the simulation, so `pause`, `resume` and `step` work, and commands are refused.
 */
export interface Repetition {
  /** The tick after which each round begins. */
  readonly fromTick: number;
  /** The last tick of each round. */
  readonly untilTick: number;
  /** How many rounds have ended. */
  readonly rounds: number;
  /**
   * Resolves after `stop`. Rejects with an Error if it ends in another way: a step throws, the simulation fails or is
   * disposed, something else is shown, or the next worker cannot run it. It need not be awaited.
   */
  readonly ended: Promise<void>;
  /**
   * Replaces the worker, as the method of the simulation does, and begins the next round in it: with other code, the same
   * inputs lead elsewhere.
   *
   * @param createWorker As for the simulation's `replaceWorker`.
   * @param options As there.
   * @throws What that method throws, by the promise; the old worker then continues to repeat.
   */
  replaceWorker(createWorker?: CreateWorker, options?: ReplaceOptions): Promise<void>;
  /**
   * Ends it: the run continues after {@link untilTick}, from the state to which the current code has led, with the
   * player's inputs.
   *
   * @throws Error, by the promise, if it has ended in another way.
   */
  stop(): Promise<void>;
}
