/**
 * Pauses a simulation for several reasons at once, among them that the page is away; it resumes without a fast-forward.
 *
 *     hidden      another tab is in front: only with `whenHidden: 'pause'`
 *     frozen      the browser stops the page and its worker: in the back/forward cache, or after a long time
 *                 in the background. The worker sees one gap, which counts as a pause
 */
import type { WorkerSupervisor } from '../worker/worker-supervisor.js';
import type { HiddenPolicy } from '../api/connect-options.js';

/** A reason for a pause. The simulation runs while there is none. */
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

  /** The worker has paused by itself, or starts paused. {@link resumeFrom} `'user'` resumes it. */
  notePaused(): void {
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
      await this.#resumeWorker();
    } finally {
      this.#resuming -= 1;
    }
  }

  async #resumeWorker(): Promise<void> {
    const supervisor = this.#supervisor;
    this.#onResume();
    await (this.#wasPaused ? supervisor.alignClock() : supervisor.alignClockAgain());
    // The run may have been paused again in the meantime.
    if (this.isPaused) return;
    await supervisor.setPace({ isPaused: false, resumes: supervisor.pace.resumes + 1 });
  }
}

interface Pausable {
  pauseFor(reason: 'hidden' | 'frozen'): Promise<void>;
  resumeFrom(reason: 'hidden' | 'frozen'): Promise<void>;
}

/** The page whose canvas this worker draws, in place of a document. */
export interface RemotePage extends EventTarget {
  readonly hidden: boolean;
}

let remotePage: RemotePage | undefined;

/** Makes simulations of this worker follow a page, which has to fire `freeze` and `resume` for `pagehide` and `pageshow`, too. */
export function setRemotePage(page: RemotePage | undefined): void {
  remotePage = page;
}

/** Pauses a simulation while the page is away. Does nothing without a page. @returns Stops that. */
export function followPageLife(simulation: Pausable, whenHidden: HiddenPolicy): () => void {
  const page = globalThis.document ?? remotePage;
  if (page === undefined) return () => {};
  // The application sees a failure of the worker as a status; nothing can be done about it here.
  const pauseFor = (reason: 'hidden' | 'frozen'): void => {
    simulation.pauseFor(reason).catch(() => {});
  };
  const resumeFrom = (reason: 'hidden' | 'frozen'): void => {
    simulation.resumeFrom(reason).catch(() => {});
  };
  const listening = new AbortController();
  const { signal } = listening;
  const follow = (): void => (page.hidden ? pauseFor('hidden') : resumeFrom('hidden'));
  if (whenHidden === 'pause') {
    page.addEventListener('visibilitychange', follow, { signal });
    if (page.hidden) follow();
  }
  page.addEventListener('freeze', () => pauseFor('frozen'), { signal });
  page.addEventListener('resume', () => resumeFrom('frozen'), { signal });
  globalThis.addEventListener('pagehide', () => pauseFor('frozen'), { signal });
  globalThis.addEventListener('pageshow', () => resumeFrom('frozen'), { signal });
  return () => listening.abort();
}
