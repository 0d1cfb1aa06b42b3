/**
 * One drag of the rewind slider.
 *
 * Restoring an earlier tick discards what came after it, but a drag may move forwards again. So
 * while the slider is held, the run's own recording is shown as a paused replay; the run continues
 * from the tick at which the slider is released.
 */
import type { Replay } from '../../src/render-main/index.js';
import { LatestWins } from './latest-wins.js';
import type { SimulationSession } from './simulation-session.js';

export class Rewind {
  readonly #session: SimulationSession;
  readonly #seeks = new LatestWins<number>((tick) => this.#go(tick));
  readonly #begun: Promise<void>;
  #replay: Replay | undefined;
  #isAbandoned = false;

  /**
   * Stops the run when its turn comes, and goes back.
   *
   * @param tick As for {@link to}.
   */
  constructor(session: SimulationSession, tick: number) {
    this.#session = session;
    this.#begun = session.inTurn(() =>
      session.frameHold.during('Rewinding', () => this.#begin(tick)),
    );
  }

  /** @param tick One that the run can be taken back to. */
  async to(tick: number): Promise<void> {
    await this.#begun;
    await this.#seeks.ask(tick);
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

  async #begin(tick: number): Promise<void> {
    const { simulation } = this.#session;
    if (simulation === undefined || this.#isAbandoned) return;
    await simulation.pause();
    const recording = await simulation.recording();
    this.#replay = await simulation.openReplay(recording, {
      tick: Math.min(tick, recording.lastTick),
    });
    await this.#session.refresh('same-run');
  }

  async #go(tick: number): Promise<void> {
    const replay = this.#replay;
    if (replay === undefined || !this.#isShown) return;
    await this.#session.frameHold.during('Rewinding', async () => {
      try {
        await replay.seek(Math.min(tick, replay.recording.lastTick));
        await this.#session.refresh('same-run');
      } catch (error) {
        // The replay was closed, and something else is shown.
        if (this.#isShown) throw error;
      }
    });
  }
}
