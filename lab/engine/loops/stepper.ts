/**
 * All game loops share this: a *stepper* decides what to do next, and its driver does that and asks again. This lets
 * each loop read the clock where its article reads it: `frame-skip` between two updates, `fixed` once per pass.
 *
 * Invariant, in ms, at any time t between two calls; each stepper maintains it, and tests check it:
 *
 *     t − t0 + inventedMs = sum of the steps + leftMs(t) + droppedMs
 */

/** Advance the simulation: the current state becomes the previous one. */
export interface UpdateAction {
  readonly kind: 'update';
  /** Simulated time of this update, in ms. May be 0 for the first one of a `variable` stepper. */
  readonly stepMs: number;
  /**
   * The moment that the new state represents, in ms on the loop's clock: input up to it belongs to this update, and a
   * timeline draws the state at it. Never decreases.
   */
  readonly dueMs: number;
}

/** Draw one frame. */
export interface FrameAction {
  readonly kind: 'frame';
  /** Position of the frame between the previous state (0) and the current one (1), in [0, 1]. */
  readonly alpha: number;
  /** How far to predict beyond the current state, in ms of simulated time; 0 for all but `fixed-predict`. */
  readonly predictMs: number;
}

/** Nothing to do before a moment, in ms on the loop's clock. Waking earlier or later is harmless. */
interface SleepAction {
  readonly kind: 'sleep';
  readonly untilMs: number;
}

export type Action =
  | UpdateAction
  | FrameAction
  /** Update the displayed information about the loop: counters, window title. */
  | { readonly kind: 'refresh' }
  | SleepAction;

export interface Stepper {
  readonly kind: string;
  /** Largest step that the loop allows, in ms; Infinity if unbounded. */
  readonly stepBoundMs: number;
  /** Passes of the loop begun so far. */
  readonly passes: number;
  /** Time that the loop dropped, in ms. */
  readonly droppedMs: number;
  /** Simulated time without corresponding real time, in ms: a `variable` step raised to its minimum. */
  readonly inventedMs: number;
  /**
   * How long a driver that does not draw may sleep without changing the result, in ms on the loop's clock: until the
   * next update is due. If any later moment has an update, this is not after the last call, and such a driver chooses
   * its own pace.
   */
  readonly idleUntilMs: number;
  /** Starts or restarts. Call once before the first {@link next}. */
  start(nowMs: number): void;
  /**
   * Decides what to do now. One object per kind of action is reused: read it before the next call.
   *
   * @param nowMs The time on the loop's clock, in ms, never decreasing.
   */
  next(nowMs: number): Action;
  /** Time that has passed but is not simulated yet, in ms; negative if the simulation is ahead. */
  leftMs(nowMs: number): number;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The reused actions of one stepper. */
export class ActionSet {
  readonly refresh: Action = { kind: 'refresh' };
  readonly #update: Writable<UpdateAction> = { kind: 'update', stepMs: 0, dueMs: 0 };
  readonly #frame: Writable<FrameAction> = { kind: 'frame', alpha: 1, predictMs: 0 };
  readonly #sleep: Writable<SleepAction> = { kind: 'sleep', untilMs: 0 };

  update(stepMs: number, dueMs: number): UpdateAction {
    this.#update.stepMs = stepMs;
    this.#update.dueMs = dueMs;
    return this.#update;
  }

  /** By default draws the current state unchanged. */
  frame(alpha = 1, predictMs = 0): FrameAction {
    this.#frame.alpha = alpha;
    this.#frame.predictMs = predictMs;
    return this.#frame;
  }

  sleep(untilMs: number): SleepAction {
    this.#sleep.untilMs = untilMs;
    return this.#sleep;
  }
}

/** In ms: a nanosecond. Less than this is a rounding error and not simulated: it stays for the next frame. */
export const EPSILON_MS = 1e-6;
