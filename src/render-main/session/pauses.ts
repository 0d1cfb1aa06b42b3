import { STATISTICS } from '../../shared/memory/layout.js';
import { withinLimits, type CallLimit } from '../queues/call-limits.js';
import type { CallOptions } from '../api/call-options.js';
import type { WorkerSupervisor } from '../worker/worker-supervisor.js';

/** Why the simulation is paused. It runs while there is no reason. */
export type PauseReason = 'user' | 'hidden' | 'frozen' | 'seeking';

export class Pauses {
  readonly #supervisor: WorkerSupervisor;
  readonly #onResume: () => void;
  /** The calls that gave each reason. */
  readonly #calls: Readonly<Record<PauseReason, Set<object>>> = {
    user: new Set(),
    hidden: new Set(),
    frozen: new Set(),
    seeking: new Set(),
  };
  /** To be looked at in each frame, which allocates nothing. */
  readonly #sets = Object.values(this.#calls);
  /** Calls that resume the simulation: how many in total, and how many are pending. */
  #resumes = 0;
  #resuming = 0;
  /** Whether a call has paused it: a machine may sleep while it is paused. */
  #wasPaused = false;

  /** @param onResume Called before the simulation resumes. */
  constructor(supervisor: WorkerSupervisor, onResume: () => void) {
    this.#supervisor = supervisor;
    this.#onResume = onResume;
  }

  get isPaused(): boolean {
    for (const { size } of this.#sets) if (size > 0) return true;
    return false;
  }

  /** The worker paused by itself, or starts paused; {@link resumeFrom} resumes it. */
  note(): void {
    this.#calls.user.add({});
  }

  /** Calls the worker even if another reason has paused it already: that call may not have been answered yet. */
  pauseFor(reason: PauseReason, options?: CallOptions): Promise<void> {
    return withinLimits('pause', options, (limit) => {
      const pauses = this.#calls[reason];
      const pause = {};
      pauses.add(pause);
      limit?.whenWithdrawn(() => {
        // No effect if a resume has come after it.
        pauses.delete(pause);
        // A resume that found it paused by this call did not call the worker.
        if (!this.isPaused) this.#goOn().catch(() => {});
      });
      return this.#stand(limit);
    });
  }

  resumeFrom(reason: PauseReason, options?: CallOptions): Promise<void> {
    return withinLimits('resume', options, async (limit) => {
      this.#supervisor.requireRunning();
      const pauses = this.#calls[reason];
      const before = [...pauses];
      pauses.clear();
      if (this.isPaused) return;
      if (before.length === 0 && this.#resuming === 0) {
        await this.#resetWatchdog(limit);
        return;
      }
      this.#resumes += 1;
      const resume = this.#resumes;
      limit?.whenWithdrawn(() => {
        // Another call has resumed it.
        if (resume !== this.#resumes) return;
        for (const pause of before) pauses.add(pause);
        // A worker that was started in the meantime may be running.
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

  /** The next worker starts with the current reasons, so these calls are carried over. */
  #stand(limit?: CallLimit): Promise<void> {
    const supervisor = this.#supervisor;
    this.#wasPaused = true;
    return supervisor.carryOver(() => supervisor.call((remote) => remote.pause(), limit), limit);
  }

  #goOn(limit?: CallLimit): Promise<void> {
    const supervisor = this.#supervisor;
    this.#onResume();
    return supervisor.carryOver(async () => {
      await (this.#wasPaused ? supervisor.alignClock() : supervisor.alignClockAgain());
      // It may have been paused again in the meantime.
      if (this.isPaused) return;
      await supervisor.call((remote) => remote.resume(), limit);
    }, limit);
  }

  /** A running simulation only has its watchdog to reset: the load may have been lowered. */
  async #resetWatchdog(limit?: CallLimit): Promise<void> {
    const { link } = this.#supervisor;
    if (Atomics.load(link.views.statistics, STATISTICS.watchdog) === 0) return;
    await this.#supervisor.call((remote) => remote.resetWatchdog(), limit);
  }
}
