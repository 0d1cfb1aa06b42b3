/**
 * One drag of the rewind slider.
 *
 * Going back to a tick forgets what came after it, and a drag goes forwards again as well. So the run's own recording
 * is shown while the slider is held, like a replay that stands still, and taken over where it is let go.
 */
import type { Recording } from '../../src/render-main/index.js';
import { LatestWins } from './latest-wins.js';
import { replayShown } from './replay-shown.js';
import type { DemoSimulation, SimulationSession } from './simulation-session.js';

const YOUNG_TICKS = 600;

export class Rewind {
  readonly #session: SimulationSession;
  readonly #simulation: DemoSimulation;
  readonly #places = new LatestWins<number>((tick) => this.#go(tick));
  #recording: Recording | undefined;
  /** Earliest tick that is reached quickly. */
  #from = 0;

  constructor(session: SimulationSession, simulation: DemoSimulation) {
    this.#session = session;
    this.#simulation = simulation;
  }

  /**
   * Stops the run, and goes back.
   *
   * @param backTicks As for {@link to}.
   */
  begin(backTicks: number): Promise<void> {
    const simulation = this.#simulation;
    return this.#session.hold('Rewinding', async () => {
      await simulation.pause();
      const recording = simulation.recording();
      this.#from = earliestOf(recording, simulation.rewindRange.from);
      await replayShown(simulation, recording);
      this.#recording = recording;
      // A replay begins at its start: not to be seen.
      await this.to(backTicks);
    });
  }

  /** @param backTicks How far before the tick at which it began. */
  to(backTicks: number): Promise<void> {
    const lastTick = this.#recording?.lastTick ?? 0;
    return this.#places.ask(Math.max(this.#from, Math.round(lastTick - backTicks)));
  }

  /** The run goes on from here; it stands until somebody resumes it. */
  async end(): Promise<void> {
    await this.#places.settled();
    if (this.#isShown) await this.#simulation.endReplay();
  }

  /** False when something else was shown meanwhile, such as another scene. */
  get #isShown(): boolean {
    return this.#recording !== undefined && this.#simulation.shownRecording === this.#recording;
  }

  async #go(tick: number): Promise<void> {
    if (!this.#isShown) return;
    await this.#session.hold('Rewinding', async () => {
      await this.#simulation.goTo(tick);
      await this.#session.refresh('same-run');
    });
  }
}

/** A run that is young has no saved states yet, and is quickly run again from its start. */
function earliestOf({ start, lastTick }: Recording, earliestState: number): number {
  const first = start?.tick ?? 0;
  return lastTick - first <= YOUNG_TICKS ? first : earliestState;
}
