/**
 * Counts what a loop does and makes its report. The caller passes the times, virtual or real, so
 * both give the same columns.
 */
import type { FrameAction, Stepper, UpdateAction } from './loops/stepper.js';
import { leadMsOf } from './lead.js';
import type { ResolvedStepperOptions } from './loops/registry.js';
import { Motion } from './motion.js';
import type { RunReport, SecondCounts } from './report.js';
import type { StampedInput } from './sliced-input.js';
import type { Trace } from './trace.js';
import {
  WATCHDOG_STATES,
  Watchdog,
  requireWatchdogOptions,
  type WatchdogOptions,
  type WatchdogState,
} from './watchdog.js';
import type { World } from './world.js';

/** When a frame happened, in ms since the loop's start. */
export interface FrameTimes {
  readonly startMs: number;
  /** Drawing was done. */
  readonly drawnMs: number;
  /** The display showed it. */
  readonly displayedMs: number;
  /** The loop continued. */
  readonly endMs: number;
}

interface PendingInput {
  readonly atMs: number;
  readonly update: number;
}

const badnessOf = (state: WatchdogState): number => WATCHDOG_STATES.indexOf(state);

export class Recorder {
  readonly #world: World;
  readonly #stepper: Stepper;
  readonly #trace: Trace | undefined;
  readonly #watchdog: Watchdog;
  readonly #watchdogOptions: Required<WatchdogOptions>;
  #worstState: WatchdogState = 'ok';
  #slowFrames = 0;
  #criticalFrames = 0;
  readonly #motion = new Motion();
  readonly #perSecond: SecondCounts[];
  readonly #pendingInputs: PendingInput[] = [];
  #passStartMs = Number.NaN;
  #passLeftMs = 0;
  #passes = 0;
  #largestBacklogMs = 0;
  #updatesSinceFrame = 0;
  #largestStepMs = 0;
  #previousDueMs = 0;
  #currentDueMs = 0;
  #frames = 0;
  #repeatedFrames = 0;
  #skippedFrames = 0;
  #refreshes = 0;
  #sleptMs = 0;
  #waitedMs = 0;
  #inputLatencySumMs = 0;
  #inputsShown = 0;
  #unresponsiveAtMs: number | null = null;

  constructor(
    world: World,
    stepper: Stepper,
    seconds: number,
    trace?: Trace,
    watchdog?: WatchdogOptions,
  ) {
    this.#world = world;
    this.#stepper = stepper;
    this.#trace = trace;
    this.#watchdogOptions = requireWatchdogOptions(watchdog);
    this.#watchdog = new Watchdog(this.#watchdogOptions);
    this.#perSecond = Array.from({ length: Math.ceil(seconds) }, () => ({
      iterations: 0,
      updated: 0,
      rendered: 0,
      refreshed: 0,
    }));
  }

  /** A turn of the loop began; `leftMs` of time are not simulated. */
  pass(startMs: number, leftMs: number): void {
    this.#endPass(startMs);
    this.#passStartMs = startMs;
    this.#passLeftMs = leftMs;
    this.#passes += 1;
    this.#largestBacklogMs = Math.max(this.#largestBacklogMs, leftMs);
    this.#secondAt(startMs).iterations += 1;
  }

  /** An update has run; the world is in its new state. */
  update(
    startMs: number,
    endMs: number,
    action: UpdateAction,
    inputs: readonly StampedInput<unknown>[],
  ): void {
    const { stepMs, dueMs } = action;
    this.#updatesSinceFrame += 1;
    this.#largestStepMs = Math.max(this.#largestStepMs, stepMs);
    this.#previousDueMs = this.#currentDueMs;
    this.#currentDueMs = dueMs;
    this.#secondAt(startMs).updated += 1;
    const { updates } = this.#world;
    for (const { atMs } of inputs) this.#pendingInputs.push({ atMs, update: updates });
    this.#trace?.add({ kind: 'update', startMs, endMs, stepMs, dueMs });
  }

  /** A frame was drawn. */
  frame(times: FrameTimes, action: FrameAction): void {
    const { startMs, drawnMs, displayedMs, endMs } = times;
    const { alpha, predictMs } = action;
    const { previousMs, currentMs, updates } = this.#world;
    const leadMs = leadMsOf(this.#stepper);
    const dueSpanMs = this.#currentDueMs - this.#previousDueMs;
    const isRepeat = this.#motion.add({
      previousMs,
      currentMs,
      alpha,
      predictMs,
      displayedMs,
      // A prediction goes from the state's tick to the moment at which the frame began, however far
      // that is. A state of a loop in slow motion represents a later moment than its tick, which
      // must not be added.
      dueMs: predictMs > 0 ? startMs : this.#currentDueMs - dueSpanMs * (1 - alpha),
      isMoving: updates > 0,
    });
    this.#frames += 1;
    if (isRepeat) this.#repeatedFrames += 1;
    this.#waitedMs += endMs - drawnMs;
    this.#secondAt(startMs).rendered += 1;
    this.#showInputs(displayedMs, alpha);
    this.#watch(startMs);
    const shown = { previousMs, currentMs, alpha, predictMs, leadMs };
    this.#trace?.add({ kind: 'frame', startMs, endMs: drawnMs, displayedMs, ...shown, isRepeat });
    if (endMs > drawnMs) this.#trace?.add({ kind: 'wait', startMs: drawnMs, endMs });
  }

  /** The loop asked for a frame and it was not drawn. */
  skippedFrame(startMs: number): void {
    this.#skippedFrames += 1;
    this.#watch(startMs);
  }

  refresh(startMs: number, endMs: number): void {
    this.#refreshes += 1;
    this.#secondAt(startMs).refreshed += 1;
    this.#trace?.add({ kind: 'refresh', startMs, endMs });
  }

  sleep(startMs: number, endMs: number): void {
    this.#sleptMs += endMs - startMs;
    this.#trace?.add({ kind: 'sleep', startMs, endMs });
  }

  /** @param endMs When the run ended. */
  report(options: ResolvedStepperOptions, endMs: number): RunReport {
    this.#endPass(endMs);
    this.#passStartMs = Number.NaN;
    const world = this.#world;
    const stepper = this.#stepper;
    const simulatedS = world.currentMs / 1000;
    return {
      stepper: options.kind,
      tickHz: 'tickRateHz' in options ? options.tickRateHz : null,
      passes: this.#passes,
      updates: world.updates,
      frames: this.#frames,
      distinctFrames: this.#frames - this.#repeatedFrames,
      repeatedFrames: this.#repeatedFrames,
      skippedFrames: this.#skippedFrames,
      refreshes: this.#refreshes,
      simulatedS,
      realS: endMs / 1000,
      effectiveSpeed: (simulatedS * 1000) / endMs,
      largestStepMs: this.#largestStepMs,
      droppedMs: stepper.droppedMs,
      inventedMs: stepper.inventedMs,
      leftMs: stepper.leftMs(endMs),
      largestBacklogMs: this.#largestBacklogMs,
      driftS: world.driftS,
      sleptMs: this.#sleptMs,
      waitedMs: this.#waitedMs,
      inputLatencyMs: this.#inputsShown === 0 ? 0 : this.#inputLatencySumMs / this.#inputsShown,
      ...this.#motion.summary,
      shotsThrough: world.shotsThrough,
      watchdog: {
        worst: this.#worstState,
        slowFrames: this.#slowFrames,
        criticalFrames: this.#criticalFrames,
        unresponsiveAtMs: this.#unresponsiveAtMs,
      },
      perSecond: this.#perSecond,
      stateHash: world.hash(),
    };
  }

  #endPass(endMs: number): void {
    if (Number.isNaN(this.#passStartMs)) return;
    const leftMs = this.#passLeftMs;
    this.#trace?.add({ kind: 'pass', startMs: this.#passStartMs, endMs, leftMs });
  }

  #watch(startMs: number): void {
    const updates = this.#updatesSinceFrame;
    this.#updatesSinceFrame = 0;
    const { slowUpdates, criticalUpdates } = this.#watchdogOptions;
    if (updates > criticalUpdates) this.#criticalFrames += 1;
    else if (updates > slowUpdates) this.#slowFrames += 1;
    const state = this.#watchdog.frame(updates, startMs);
    if (badnessOf(state) > badnessOf(this.#worstState)) this.#worstState = state;
    if (state === 'unresponsive') this.#unresponsiveAtMs ??= startMs;
  }

  /** An input becomes visible in the first frame beyond the state before its update. */
  #showInputs(displayedMs: number, alpha: number): void {
    const pending = this.#pendingInputs;
    const { updates } = this.#world;
    let shown = 0;
    for (const { atMs, update } of pending) {
      if (update === updates && alpha === 0) break;
      this.#inputLatencySumMs += displayedMs - atMs;
      shown += 1;
    }
    this.#inputsShown += shown;
    if (shown > 0) pending.splice(0, shown);
  }

  #secondAt(ms: number): SecondCounts {
    const index = Math.min(this.#perSecond.length - 1, Math.floor(ms / 1000));
    const second = this.#perSecond[index];
    if (second === undefined) throw new RangeError(`no second at ${ms} ms`);
    return second;
  }
}
