/**
 * One drag of the rewind slider.
 *
 * Restoring an earlier tick discards what came after it, but a drag may move forwards again. So
 * while the slider is held, the run's own recording is shown as a paused replay; the run continues
 * from the tick at which the slider is released.
 */
import type { Replay } from '../../src/render-main/index.js';
import type { Recording } from '../../src/shared/index.js';
import { LatestWins } from './latest-wins.js';
import type { SimulationSession } from './simulation-session.js';

const YOUNG_TICKS = 600;

export class Rewind {
  readonly #session: SimulationSession;
  readonly #seeks = new LatestWins<number>((backTicks) => this.#go(backTicks));
  readonly #begun: Promise<void>;
  #replay: Replay | undefined;
  /** Earliest tick that can be reached quickly. */
  #from = 0;
  #isAbandoned = false;

  /**
   * Stops the run when its turn comes, and goes back.
   *
   * @param backTicks As for {@link to}.
   */
  constructor(session: SimulationSession, backTicks: number) {
    this.#session = session;
    this.#begun = session.inTurn(() =>
      session.frameHold.during('Rewinding', () => this.#begin(backTicks)),
    );
  }

  /** @param backTicks How far before the tick at which it began. */
  async to(backTicks: number): Promise<void> {
    await this.#begun;
    await this.#seeks.ask(backTicks);
  }

  /** The run continues from here; it is paused until the user resumes it. */
  async end(): Promise<void> {
    await this.#seeks.settled();
    await this.#session.inTurn(async () => {
      if (this.#isShown) await this.#replay?.close();
    });
  }

  /** Something else is shown or built, or is about to be: the drag no longer applies. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  get #isShown(): boolean {
    return this.#replay !== undefined && this.#replay.state !== 'closed';
  }

  async #begin(backTicks: number): Promise<void> {
    const { simulation } = this.#session;
    if (simulation === undefined || this.#isAbandoned) return;
    await simulation.pause();
    const recording = await simulation.recording();
    this.#from = earliestOf(recording, simulation.rewindRange.from);
    const tick = Math.max(this.#from, Math.round(recording.lastTick - backTicks));
    this.#replay = await simulation.openReplay(recording, { tick });
    await this.#session.refresh('same-run');
  }

  async #go(backTicks: number): Promise<void> {
    const replay = this.#replay;
    if (replay === undefined || !this.#isShown) return;
    const tick = Math.max(this.#from, Math.round(replay.recording.lastTick - backTicks));
    await this.#session.frameHold.during('Rewinding', async () => {
      try {
        await replay.seek(tick);
        await this.#session.refresh('same-run');
      } catch (error) {
        // The replay was closed, and something else is shown.
        if (this.#isShown) throw error;
      }
    });
  }
}

/** A young run has no saved states yet, and is quickly run again from its start. */
function earliestOf({ start, lastTick }: Recording, earliestState: number): number {
  const first = start?.tick ?? 0;
  return lastTick - first <= YOUNG_TICKS ? first : earliestState;
}
