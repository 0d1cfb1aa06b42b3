/**
 * The timeline: where the run is, and the slider that rewinds it, or seeks in a recording that is shown.
 *
 * Seeking to an earlier tick discards what came after it, but a drag may move forwards again. So while the slider is
 * held, the run's own recording is shown as a paused replay; the run continues from the tick at which it is released.
 */
import type { Replay } from '../render-main/api/replay.js';
import { make, makeButton, setText } from './elements.js';
import { isOperable, type Inspected } from './inspected.js';
import type { InspectedSimulation } from './options.js';

/** The timeline in the page. */
export class Timeline {
  readonly element = make('div', 'timeline');
  readonly #inspected: Inspected;
  readonly #text = make('output');
  readonly #slider = make('input');
  readonly #close: HTMLButtonElement;
  /** The slider is held. */
  #isHeld = false;
  /** Where it is being moved to; undefined when all of that is done. */
  #wanted: number | undefined;
  #isMoving = false;
  /** Ends the wait for the next move. */
  #wake = (): void => {};

  constructor(inspected: Inspected) {
    this.#inspected = inspected;
    const slider = this.#slider;
    slider.type = 'range';
    slider.setAttribute('aria-label', 'Tick');
    slider.addEventListener('input', () => this.#moveTo(slider.valueAsNumber, true));
    // There is no `change` if it was moved back to where it was.
    for (const end of ['change', 'pointerup', 'pointercancel', 'blur']) {
      slider.addEventListener(end, () => {
        if (this.#isHeld) this.#moveTo(slider.valueAsNumber, false);
      });
    }
    this.#close = makeButton('Close replay', () => {
      inspected.attempt(async ({ replay }) => replay?.close());
    });
    this.element.append(this.#text, slider, this.#close);
  }

  /** Shows where the simulation is now. */
  refresh(): void {
    const { simulation } = this.#inspected;
    const isMoving = this.#isHeld || this.#isMoving;
    this.#close.hidden = isMoving || simulation?.replay === undefined;
    if (simulation === undefined || isMoving) return;
    const { replay } = simulation;
    const { from, to } =
      replay === undefined
        ? simulation.rewindRange
        : { from: replay.recording.start?.tick ?? 0, to: replay.recording.lastTick };
    // The display lags behind the run and stops with it: the last frame shows an earlier tick.
    const isAtEnd = replay === undefined || replay.state === 'ended';
    const tick = isAtEnd ? to : simulation.latest.tick;
    this.#slider.min = String(from);
    this.#slider.max = String(to);
    this.#slider.valueAsNumber = tick;
    this.#slider.disabled = from >= to || !isOperable(simulation);
    this.#describe(tick, replay);
  }

  #describe(tick: number, replay: Replay | undefined): void {
    const text = replay === undefined ? `Tick ${tick}` : replayText(tick, replay);
    setText(this.#text, text);
    this.#slider.setAttribute('aria-valuetext', text);
  }

  #moveTo(tick: number, isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#wanted = tick;
    this.#describe(tick, undefined);
    // The move that is under way takes the latest.
    this.#wake();
    if (this.#isMoving) return;
    this.#isMoving = true;
    this.#inspected.attempt(async (simulation) => {
      try {
        await (simulation.replay === undefined
          ? this.#rewind(simulation)
          : this.#follow(simulation.replay));
      } finally {
        this.#wanted = undefined;
        this.#isHeld = false;
        this.#isMoving = false;
      }
    });
  }

  async #rewind(simulation: InspectedSimulation): Promise<void> {
    const { state } = simulation;
    await simulation.pause();
    try {
      const recording = simulation.recording();
      const tick = Math.min(this.#wanted ?? recording.lastTick, recording.lastTick);
      this.#wanted = undefined;
      const replay = await simulation.openReplay(recording, { tick });
      try {
        await this.#follow(replay);
      } finally {
        // Its state is closed if the worker failed on the way.
        if (replay.state !== 'closed') await replay.close();
      }
    } finally {
      // It may have failed on the way.
      if (state === 'running' && simulation.state === 'paused') await simulation.resume();
    }
  }

  /** Seeks to the newest wanted tick, again and again, until the slider is released. */
  async #follow(replay: Replay): Promise<void> {
    while (this.#isHeld || this.#wanted !== undefined) {
      const tick = this.#wanted;
      this.#wanted = undefined;
      if (tick === undefined) await this.#nextMove();
      else await replay.seek(Math.min(tick, replay.recording.lastTick));
    }
  }

  #nextMove(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

function replayText(tick: number, { recording, report, state }: Replay): string {
  const { differsAt, hashes } = report;
  const verdict = differsAt === undefined ? `equal hashes: ${hashes}` : `differs at ${differsAt}`;
  return `Replay, ${state}: tick ${tick} of ${recording.lastTick} · ${verdict}`;
}
