/** Shows the progress of a replay in the terminal: one line, erased at the end. */
import { setImmediate as turn } from 'node:timers/promises';
import { StatusLine } from '../../scripts/cli/status-line.js';

/** Replays shorter than this show no progress, in ms. */
const PATIENCE_MS = 1000;
const BETWEEN_MS = 100;

export class Progress {
  readonly #lastTick: number;
  #shownMs = performance.now() + PATIENCE_MS - BETWEEN_MS;
  readonly #line = new StatusLine(process.stderr);

  constructor(lastTick: number) {
    this.#lastTick = lastTick;
  }

  /** Resolves after a turn of the event loop, in which a Ctrl-C can be handled. */
  async show(tick: number): Promise<void> {
    this.#write(tick);
    await turn();
  }

  #write(tick: number): void {
    const nowMs = performance.now();
    if (nowMs < this.#shownMs + BETWEEN_MS) return;
    this.#shownMs = nowMs;
    this.#line.show(`tick ${tick} of ${this.#lastTick}`);
  }

  end(): void {
    this.#line.clear();
  }
}
