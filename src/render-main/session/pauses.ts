import type { WorkerSupervisor } from '../worker/worker-supervisor.js';

/** Why the simulation is paused. It runs while there is no reason. */
export type PauseReason = 'user' | 'hidden' | 'frozen' | 'seeking';

export class Pauses {
  readonly #supervisor: WorkerSupervisor;
  readonly #onResume: () => void;
  readonly #reasons = new Set<PauseReason>();
  /** Pending calls that resume the simulation. */
  #resuming = 0;
  /** Whether a call has paused it: a machine may sleep while it is paused. */
  #wasPaused = false;

  /** @param onResume Called before the simulation resumes. */
  constructor(supervisor: WorkerSupervisor, onResume: () => void) {
    this.#supervisor = supervisor;
    this.#onResume = onResume;
  }

  get isPaused(): boolean {
    return this.#reasons.size > 0;
  }

  /** The worker paused by itself, or starts paused; {@link resumeFrom} resumes it. */
  note(): void {
    const supervisor = this.#supervisor;
    this.#reasons.add('user');
    supervisor.pace = { ...supervisor.pace, isPaused: true };
  }

  pauseFor(reason: PauseReason): Promise<void> {
    this.#reasons.add(reason);
    this.#wasPaused = true;
    return this.#supervisor.setPace({ isPaused: true });
  }

  async resumeFrom(reason: PauseReason): Promise<void> {
    this.#supervisor.requireRunning();
    const wasPaused = this.#reasons.delete(reason);
    if (this.isPaused) return;
    if (!wasPaused && this.#resuming === 0) return;
    this.#resuming += 1;
    try {
      await this.#goOn();
    } finally {
      this.#resuming -= 1;
    }
  }

  async #goOn(): Promise<void> {
    const supervisor = this.#supervisor;
    this.#onResume();
    await (this.#wasPaused ? supervisor.alignClock() : supervisor.alignClockAgain());
    // It may have been paused again in the meantime.
    if (this.isPaused) return;
    await supervisor.setPace({ isPaused: false, resumes: supervisor.pace.resumes + 1 });
  }
}
