/**
 * One drag of the rewind slider.
 *
 * Going back to a tick forgets what came after it, and a drag goes forwards again as well. So the run's own recording
 * is shown while the slider is held, like a replay that stands still, and taken over where it is let go.
 */
import type { Recording } from '../../src/shared/index.js';
import type { Replay } from '../../src/render-main/index.js';
import { LatestWins } from './latest-wins.js';
import type { SimulationSession } from './simulation-session.js';

const YOUNG_TICKS = 600;

export class Rewind {
  readonly #session: SimulationSession;
  readonly #seeks = new LatestWins<number>((backTicks) => this.#go(backTicks));
  readonly #begun: Promise<void>;
  #replay: Replay | undefined;
  /** Earliest tick that is reached quickly. */
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
      session.picture.during('Rewinding', () => this.#begin(backTicks)),
    );
  }

  /** @param backTicks How far before the tick at which it began. */
  async to(backTicks: number): Promise<void> {
    await this.#begun;
    await this.#seeks.ask(backTicks);
  }

  /** The run goes on from here; it stands until somebody resumes it. */
  async end(): Promise<void> {
    await this.#seeks.settled();
    await this.#session.inTurn(async () => {
      if (this.#isShown) await this.#replay?.close();
    });
  }

  /** Something else has been shown or built, or is about to be: it goes nowhere any more. */
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
    const recording = simulation.recording();
    this.#from = earliestOf(recording, simulation.rewindRange.from);
    this.#replay = await simulation.openReplay(recording);
    // A replay begins at its start: not to be seen.
    await this.#go(backTicks);
  }

  async #go(backTicks: number): Promise<void> {
    const replay = this.#replay;
    if (replay === undefined || !this.#isShown) return;
    const tick = Math.max(this.#from, Math.round(replay.recording.lastTick - backTicks));
    await this.#session.picture.during('Rewinding', async () => {
      try {
        await replay.seek(tick);
        await this.#session.refresh('same-run');
      } catch (error) {
        // Whoever has closed it shows something else.
        if (this.#isShown) throw error;
      }
    });
  }
}

/** A run that is young has no saved states yet, and is quickly run again from its start. */
function earliestOf({ start, lastTick }: Recording, earliestState: number): number {
  const first = start?.tick ?? 0;
  return lastTick - first <= YOUNG_TICKS ? first : earliestState;
}
