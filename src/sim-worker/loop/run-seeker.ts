/**
 * Saves a run and moves it: to another tick, to a saved state, into a replay of a recording, and out of it again.
 *
 *     seek ─▶ checked ─▶ state restored, or beginning built ─▶ its ticks, at full speed ─▶ arrived
 *               └ refused    └ throws: nothing has changed        ├ a step throws: back to where it was
 *                                                                 └ a query restarts the run: it stays there
 *
 * Nothing of this is journaled or reported as events: the caller knows it.
 */
import type { Arrival, SeekRequest, ReplayReport } from '../../shared/protocol/control-protocol.js';
import { WORKER_ACTIVITY } from '../../shared/memory/layout.js';
import { KeptStates, isKept, returnTo, type Position } from '../run/kept-states.js';
import { ReplayScript, requireCommands } from '../run/replay.js';
import { thrownError } from '../../shared/util/errors.js';
import { TAKEN_ELSEWHERE, type LoopParts } from './loop-parts.js';

/** Time between turns of the event loop, in ms: control calls are answered in them. */
const BUDGET_MS = 50;

const STARTED_OVER = 'a query restarted the run';

interface SeekerParts extends LoopParts {
  /** Called after a seek. @param hasMoved False if it was refused, so that nothing has changed. */
  readonly onMoved: (hasMoved: boolean) => void;
  /** Called when a step has thrown and the state before it cannot be restored. */
  readonly onFailure: (error: unknown) => void;
}

/** A seek in progress. */
interface Seek {
  hasLeft: boolean;
  /** Where it began. Undefined: it cannot return there. */
  readonly before: Position | undefined;
  /** A query has restarted the run: it ends before its destination. */
  isStartedOver: boolean;
}

export class RunSeeker {
  readonly #parts: SeekerParts;
  readonly #kept: KeptStates;
  #seek: Seek | undefined;
  /** The page's own run, saved before the replay. */
  #own: Position | undefined;

  constructor(parts: SeekerParts) {
    this.#parts = parts;
    const { run, options } = parts;
    this.#kept = new KeptStates(run, options, parts.now);
    if (run.journal !== undefined) run.journal.keeper = this.#kept;
  }

  get isSeeking(): boolean {
    return this.#seek !== undefined;
  }

  /**
   * Goes to the end of a segment of a run. Control calls run at regular intervals.
   *
   * @param isFirst This is where a new worker begins: pages may still wait for answers to commands among the entries.
   * @throws whatever the simulation throws; Error if not paused, or if a query restarts the run.
   */
  async seek(request: SeekRequest, isFirst = false): Promise<Arrival> {
    if (!this.#parts.schedule.isPaused || this.isSeeking) {
      throw new Error('seeking needs a paused simulation');
    }
    this.#parts.steps.end(TAKEN_ELSEWHERE);
    const { run } = this.#parts;
    const { restarts = run.restarts } = request;
    if (restarts !== run.restarts) throw new Error(STARTED_OVER);
    run.requireEngine(request.run.engine);
    requireCommands(run.simulation, request.entries);
    const { from, kept } = request;
    const nearest = kept && this.#kept.find(kept, from?.tick ?? 0, request.untilTick);
    const before = isFirst || !run.canSave ? undefined : this.#here(nearest !== undefined);
    // A replay continues with this script after the arrival, including what it has counted.
    const script = new ReplayScript(
      request.entries,
      request.shownUntil ?? request.untilTick,
      isFirst,
    );
    const { checkpoints } = request;
    if (checkpoints !== undefined && run.canSave) {
      const onDiffering = (differsAt: number): void =>
        this.#parts.post({ type: 'betwixt:replay-state', state: run.save(), differsAt });
      script.checkpoints = { ticks: checkpoints, onDiffering };
    }
    const seek: Seek = { hasLeft: false, before, isStartedOver: false };
    // A build that fails then goes back to it.
    const wasShown = isKept(this.#own);
    this.#seek = seek;
    run.journal?.setOn(false);
    run.events.setMuted(true);
    run.invalidPosePolicy = request.run.invalidPoses;
    try {
      // If a kept state cannot be restored, the engine is left in no usable one.
      seek.hasLeft = nearest !== undefined;
      if (nearest === undefined) this.#build(request, before);
      else returnTo(run, nearest);
      seek.hasLeft = true;
      await this.#runTicks(request.untilTick, script, seek);
      if (seek.isStartedOver) throw new Error(STARTED_OVER);
      if (request.shownUntil === undefined) {
        this.closeReplay(request.isJump === true);
      } else {
        this.#own ??= before;
        this.#parts.tickSource.startReplay(script, request.run.invalidPoses);
      }
    } catch (error) {
      this.#goBack(seek, error);
      throw error;
    } finally {
      if (isKept(before) && before !== this.#own) this.#kept.release(before);
      run.events.setMuted(false);
      this.#seek = undefined;
      this.#parts.onMoved(seek.hasLeft || wasShown);
    }
    return { report: script.report(run.tick), run: run.description };
  }

  /** The current position, for returning to it. */
  #here(mayKeep: boolean): Position {
    return (mayKeep ? this.#kept.keep() : undefined) ?? this.#parts.run.save();
  }

  /** Builds the beginning of the segment. States that were kept of another world are lost with it. */
  #build({ run: description, from, isNewCode }: SeekRequest, before: Position | undefined): void {
    const { run } = this.#parts;
    const own = this.#own;
    if (isKept(own)) {
      returnTo(run, own);
      this.#own = run.save();
    }
    try {
      if (from === undefined) run.reset(description);
      else run.restore(from, isNewCode);
    } catch (error) {
      if (isKept(own)) this.#restore(before);
      throw error;
    }
    this.#kept.clear();
  }

  /** A query has restarted the run: it is now the page's own run, and any replay or seek ends. */
  noteRestart(): void {
    if (this.#seek !== undefined) this.#seek.isStartedOver = true;
    this.#kept.clear();
    const wasShown = this.closeReplay() !== undefined;
    if (wasShown) this.#parts.post({ type: 'betwixt:replay-stopped', thrown: undefined });
  }

  /**
   * Ends the replay. The run continues from its current position.
   *
   * @param isJump Whether the player may hold something else by now. Otherwise a new worker continues the same run.
   */
  closeReplay(isJump = true): ReplayReport | undefined {
    if (isKept(this.#own)) this.#kept.release(this.#own);
    this.#own = undefined;
    this.#kept.forgetAfter(this.#parts.run.tick);
    if (isJump) this.#parts.tickSource.releaseInputs();
    return this.#parts.tickSource.stopReplay();
  }

  /** A step has thrown. In a replay, restores the page's own run; otherwise returns false. */
  failReplay(error: unknown): boolean {
    const { run, onMoved, post } = this.#parts;
    const tick = run.tick + 1;
    if (!this.#restore(this.#own)) return false;
    this.closeReplay();
    onMoved(true);
    post({ type: 'betwixt:replay-stopped', thrown: { ...thrownError(error), tick } });
    return true;
  }

  async #runTicks(untilTick: number, script: ReplayScript, seek: Seek): Promise<void> {
    const { run, now, words } = this.#parts;
    const turn = this.#parts.createTurn();
    try {
      while (run.tick < untilTick && !seek.isStartedOver && !words.isStopRequested) {
        const endMs = now() + BUDGET_MS;
        words.setActivity(WORKER_ACTIVITY.ticking);
        while (run.tick < untilTick && now() < endMs) {
          script.runTick(run);
          words.beat();
        }
        words.setActivity(WORKER_ACTIVITY.idle);
        await turn.take();
      }
    } finally {
      words.setActivity(WORKER_ACTIVITY.idle);
      turn.close();
    }
  }

  #goBack({ hasLeft, before, isStartedOver }: Seek, error: unknown): void {
    if (isStartedOver) return;
    if (hasLeft && this.failReplay(error)) return;
    if (hasLeft && !this.#restore(before)) this.#parts.onFailure(error);
    this.#parts.tickSource.settle();
  }

  /** @returns False if there is no such state, or the simulation throws. */
  #restore(before: Position | undefined): boolean {
    if (before === undefined) return false;
    const { run } = this.#parts;
    try {
      returnTo(run, before);
      return true;
    } catch {
      return false;
    }
  }
}
