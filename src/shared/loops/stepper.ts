/**
 * What every game loop has in common: a *stepper* says what to do next, whoever runs it does that and
 * asks again. Pure: the time is always an argument.
 *
 *     driver    start(t0)   next(t1)      next(t2)      next(t3)     next(t4)
 *                             │  ▲          │  ▲          │  ▲         │
 *     stepper                 ▼  │          ▼  │          ▼  │         ▼
 *                          update: takes  update: takes  frame: draws  update …
 *                          its time       its time       and waits
 *
 * Asking after each action, rather than for a plan of a whole pass, lets each loop read the clock where
 * its article reads it: `frame-skip` between two updates, `fixed` once a pass.
 *
 * Accounts, in ms, at any time t between two calls; each stepper keeps them and tests hold them:
 *
 *     t − t0 + inventedMs = sum of the steps + leftMs(t) + droppedMs
 */

/** Advance the simulation, keeping the state before as the previous one. */
export interface UpdateAction {
  readonly kind: 'update';
  /** Simulated time of this update, in ms. May be 0 for a `variable` stepper's first. */
  readonly stepMs: number;
  /**
   * The moment that the new state stands for, in ms on the loop's clock: input up to it belongs to this
   * update, and a timeline draws the state at it. Never less than before.
   */
  readonly dueMs: number;
}

/** Draw, once. */
export interface FrameAction {
  readonly kind: 'frame';
  /** Where between the previous state (0) and the current one (1) the frame lies, in [0, 1]. */
  readonly alpha: number;
  /** How far beyond the current state to predict, in ms of simulated time; 0 for all but `fixed-predict`. */
  readonly predictMs: number;
}

/** Bring what is shown about the loop up to date: counters, window title. */
export interface RefreshAction {
  readonly kind: 'refresh';
}

/** Nothing to do before a moment, in ms on the loop's clock. Waking later is harmless, earlier too. */
export interface SleepAction {
  readonly kind: 'sleep';
  readonly untilMs: number;
}

export type Action = UpdateAction | FrameAction | RefreshAction | SleepAction;

export interface Stepper {
  readonly kind: string;
  /** Largest step that the rule allows, in ms; Infinity where there is no bound. */
  readonly stepBoundMs: number;
  /** Turns of the loop begun so far. */
  readonly passes: number;
  /** Time that the rule gave up, in ms. */
  readonly droppedMs: number;
  /** Simulated time that no real time stands behind, in ms: a `variable` step raised to its least size. */
  readonly inventedMs: number;
  /**
   * How long a driver that need not draw may sleep without changing what comes out, in ms on the loop's
   * clock: until the next update is due. Not after the last call where any later moment has an update: such
   * a driver then chooses a pace of its own.
   */
  readonly idleUntilMs: number;
  /** Begins, or begins anew. Call once before the first {@link next}. */
  start(nowMs: number): void;
  /**
   * What to do now. One object for each kind of action is reused: read it before the next call.
   *
   * @param nowMs The time on the loop's clock, in ms, never less than before.
   */
  next(nowMs: number): Action;
  /** Time that has passed and is not simulated yet, in ms; negative where the simulation is ahead. */
  leftMs(nowMs: number): number;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The reused actions of one stepper. */
export class ActionSet {
  readonly #update: Writable<UpdateAction> = { kind: 'update', stepMs: 0, dueMs: 0 };
  readonly #frame: Writable<FrameAction> = { kind: 'frame', alpha: 1, predictMs: 0 };
  readonly #refresh: RefreshAction = { kind: 'refresh' };
  readonly #sleep: Writable<SleepAction> = { kind: 'sleep', untilMs: 0 };

  update(stepMs: number, dueMs: number): UpdateAction {
    this.#update.stepMs = stepMs;
    this.#update.dueMs = dueMs;
    return this.#update;
  }

  /** Left out, the current state is drawn as it is. */
  frame(alpha = 1, predictMs = 0): FrameAction {
    this.#frame.alpha = alpha;
    this.#frame.predictMs = predictMs;
    return this.#frame;
  }

  refresh(): RefreshAction {
    return this.#refresh;
  }

  sleep(untilMs: number): SleepAction {
    this.#sleep.untilMs = untilMs;
    return this.#sleep;
  }
}

/**
 * Less than this, in ms, is the rounding of subtractions and no time to simulate: it stays for the next
 * frame. A nanosecond.
 */
export const EPSILON_MS = 1e-6;
