/** Pausing and resuming for several reasons: the simulation runs while there is none. */
import { STATISTICS } from '../../shared/memory/layout.js';
import { withinLimits, type CallLimit } from '../queues/call-limits.js';
import type { CallOptions } from '../api/call-options.js';
import type { WorkerSupervisor } from '../worker/worker-supervisor.js';

/** Who wants the simulation to stand still. It runs when nobody does. */
export type PauseReason = 'user' | 'hidden' | 'frozen' | 'seeking';

/** Who wants it to stand still, and the calls by which they said so. */
export class PauseReasons {
  readonly #calls = new Map<PauseReason, Set<object>>();

  get isPaused(): boolean {
    return [...this.#calls.values()].some(({ size }) => size > 0);
  }

  /** The calls of a reason, to be changed. */
  of(reason: PauseReason): Set<object> {
    const calls = this.#calls.get(reason) ?? new Set();
    this.#calls.set(reason, calls);
    return calls;
  }

  /** The worker has paused by itself, or starts so; {@link Pauses.resumeFrom} lets it go on. */
  note(): void {
    this.of('user').add({});
  }
}

export class Pauses {
  readonly #reasons: PauseReasons;
  readonly #supervisor: WorkerSupervisor;
  readonly #onResume: () => void;
  /** Calls that let it go on: all of them, and those that are under way. */
  #resumes = 0;
  #resuming = 0;

  /** @param onResume Called before it goes on. */
  constructor(reasons: PauseReasons, supervisor: WorkerSupervisor, onResume: () => void) {
    this.#reasons = reasons;
    this.#supervisor = supervisor;
    this.#onResume = onResume;
  }

  /** Asked also where it is paused for another reason: the call that did so may not have been answered yet. */
  pauseFor(reason: PauseReason, options?: CallOptions): Promise<void> {
    return withinLimits('pause', options, (limit) => {
      const pauses = this.#reasons.of(reason);
      const pause = {};
      pauses.add(pause);
      limit?.whenWithdrawn(() => {
        // Without effect where a resume has come after it.
        pauses.delete(pause);
        // A resume that found it paused by this one has asked the worker for nothing.
        if (!this.#reasons.isPaused) this.#goOn().catch(() => {});
      });
      return this.#stand(limit);
    });
  }

  resumeFrom(reason: PauseReason, options?: CallOptions): Promise<void> {
    return withinLimits('resume', options, async (limit) => {
      this.#supervisor.requireRunning();
      const pauses = this.#reasons.of(reason);
      const before = [...pauses];
      pauses.clear();
      if (this.#reasons.isPaused) return;
      if (before.length === 0 && this.#resuming === 0) {
        await this.#resetWatchdog(limit);
        return;
      }
      this.#resumes += 1;
      const resume = this.#resumes;
      limit?.whenWithdrawn(() => {
        // Somebody else has let it go on.
        if (resume !== this.#resumes) return;
        for (const pause of before) pauses.add(pause);
        // A worker that was started meanwhile may run.
        this.#stand().catch(() => {});
      });
      this.#resuming += 1;
      try {
        await this.#goOn(limit);
      } finally {
        this.#resuming -= 1;
      }
    });
  }

  /** The next worker is started as the reasons say, so these calls are carried over. */
  #stand(limit?: CallLimit): Promise<void> {
    const supervisor = this.#supervisor;
    return supervisor.carryOver(() => supervisor.call((remote) => remote.pause(), limit), limit);
  }

  #goOn(limit?: CallLimit): Promise<void> {
    const supervisor = this.#supervisor;
    this.#onResume();
    return supervisor.carryOver(async () => {
      await supervisor.alignClock();
      // Somebody may have paused it again meanwhile.
      if (this.#reasons.isPaused) return;
      await supervisor.call((remote) => remote.resume(), limit);
    }, limit);
  }

  /** One that runs has nothing to resume but the watchdog: the load may have been lowered. */
  async #resetWatchdog(limit?: CallLimit): Promise<void> {
    const { link } = this.#supervisor;
    if (Atomics.load(link.views.statistics, STATISTICS.watchdog) === 0) return;
    await this.#supervisor.call((remote) => remote.resetWatchdog(), limit);
  }
}
