/** One pass of the loop: runs and publishes due ticks, and answers completed calls of `step`. */
import { STATISTICS } from '../../shared/memory/layout.js';
import { SimulationThrew, type LoopParts } from './loop-parts.js';
import type { PacedTick } from './pacer.js';
import type { RunSeeker } from './run-seeker.js';

/** Most ticks stepped by hand that become due in one pass: control calls are answered between passes. */
const MAX_STEPS_PER_PASS = 5;

export class TickPass {
  readonly #parts: LoopParts;
  readonly #seeker: RunSeeker;
  /** The current tick, and when it began, in ms of page time. */
  #tick!: PacedTick;
  #startedMs = 0;
  #isPauseWanted = false;

  constructor(parts: LoopParts, seeker: RunSeeker) {
    this.#parts = parts;
    this.#seeker = seeker;
  }

  hasDueTicks(nowMs: number): boolean {
    return !this.#parts.steps.isEmpty || this.#parts.pacer.hasDueTicks(nowMs);
  }

  /** Pauses after the current tick, even if more are due. For calls within a tick. */
  pauseAfterTick(): void {
    this.#isPauseWanted = true;
  }

  /**
   * @param asleepSinceMs When the sleep before this pass began, in ms of page time.
   * @param wokenMs When it ended.
   */
  run(asleepSinceMs: number, wokenMs: number): void {
    // Read once. The loop runs so rarely that it stays unoptimized for minutes, and each field that it reads costs time.
    const { post, run, steps, words, schedule, pacer, statistics } = this.#parts;
    const isStepping = !steps.isEmpty;
    if (isStepping) this.#makeStepsDue();
    words.beat();
    const gapMs = pacer.begin(wokenMs, asleepSinceMs);
    if (gapMs > 0) {
      statistics.add(STATISTICS.gaps);
      statistics.add(STATISTICS.gapMs, Math.round(gapMs));
      post({ type: 'betwixt:notice', notice: { kind: 'gap', gapMs } });
    }
    let ticks = 0;
    let tick = pacer.next();
    if (tick !== undefined && !schedule.isPaused) {
      statistics.record('lateness', wokenMs - schedule.shiftMs - tick.beginVirtualMs);
    }
    while (tick !== undefined && !words.isStopRequested) {
      const hasRun = this.#runTick(tick);
      if (hasRun) ticks += 1;
      tick = hasRun && !this.#pauseIsDue(tick) ? pacer.next() : undefined;
    }
    const droppedTicks = pacer.takeDroppedTicks();
    if (statistics.recordPass(wokenMs, ticks, droppedTicks)) {
      const { isSlow } = statistics;
      post({ type: 'betwixt:notice', notice: { kind: 'slow', isSlow, tick: run.tick } });
    }
    this.reportEvents();
    if (isStepping) this.#answerStepped();
  }

  /** Whether a call of `step` waits for ticks, and none is due. */
  get #isStepIdle(): boolean {
    return !this.#parts.steps.isEmpty && !this.#parts.pacer.hasDueTicks(this.#parts.now());
  }

  #makeStepsDue(): void {
    if (!this.#isStepIdle) return;
    const { pacer, schedule, steps, tickSource } = this.#parts;
    const max = Math.min(MAX_STEPS_PER_PASS, pacer.maxCatchUpTicks);
    const ticks = steps.take(max, tickSource.ticksLeft);
    if (ticks > 0) schedule.step(ticks);
  }

  #answerStepped(): void {
    if (!this.#isStepIdle) return;
    const answer = this.#parts.steps.done();
    if (answer === undefined) return;
    this.#parts.mirror?.send(true);
    answer(this.#parts.run.tick);
  }

  /** @returns False if the tick has thrown and thereby ended the replay. */
  #runTick(tick: PacedTick): boolean {
    const { now, tickSource, publisher, run, words } = this.#parts;
    this.#tick = tick;
    this.#startedMs = now();
    const tickInputs = tickSource.tickInputsOf(tick, this.#startedMs);
    const virtualMs = publisher.virtualMsOf(tick.dueVirtualMs);
    try {
      run.runTick(tickSource.dt, tickInputs, virtualMs, this.#publishTick);
    } catch (error) {
      this.#parts.schedule.pause(now());
      publisher.setPhase();
      if (!this.#seeker.failReplay(error)) throw new SimulationThrew('', { cause: error });
      return false;
    }
    words.beat();
    const report = tickSource.check();
    if (report !== undefined) this.#parts.post({ type: 'betwixt:replay-report', report });
    return true;
  }

  /** Publishes the tick that was just stepped. Created once, to avoid allocations per tick. */
  readonly #publishTick = (): void => {
    const { now, schedule, publisher, tickSource, statistics } = this.#parts;
    const steppedMs = now();
    const latenessMs = steppedMs - schedule.shiftMs - this.#tick.beginVirtualMs;
    publisher.publishState(this.#tick.dueVirtualMs, latenessMs, tickSource.inputMs);
    statistics.record('step', steppedMs - this.#startedMs);
    statistics.record('publish', now() - steppedMs);
  };

  /** Pauses after a tick that must be the last for now, at its due time, so that no other tick is owed. */
  #pauseIsDue(tick: PacedTick): boolean {
    const report = this.#parts.tickSource.endReport;
    if (report === undefined && !this.#isPauseWanted) return false;
    this.#isPauseWanted = false;
    const { schedule, pacer } = this.#parts;
    const nowMs = this.#parts.now();
    // Ticks that were owed when it was paused are not part of the recording: the pause moves back to its end.
    if (report !== undefined && pacer.hasDueTicks(nowMs)) schedule.resume(nowMs);
    schedule.pauseAtVirtualMs(tick.dueVirtualMs);
    this.#parts.publisher.publishPause();
    if (report !== undefined)
      this.#parts.post({ type: 'betwixt:notice', notice: { kind: 'replayed', report } });
    return true;
  }

  /** Counts the new events, and tells the page, if it wants that, that its queue has something to read. */
  reportEvents(): void {
    const { lost, reported } = this.#parts.run.events;
    this.#parts.statistics.set(STATISTICS.lostEvents, lost);
    this.#parts.statistics.set(STATISTICS.events, reported);
    if (this.#parts.words.takeEventNudge()) this.#parts.post({ type: 'betwixt:events' });
  }
}
