/** How far a replay is, for whoever looks at a terminal: one line that goes when it is over. */
import { setImmediate as turn } from 'node:timers/promises';

/** Nobody needs to be told about anything shorter, in ms. */
const PATIENCE_MS = 1000;
const BETWEEN_MS = 100;

export class Progress {
  readonly #lastTick: number;
  #shownMs = performance.now() + PATIENCE_MS - BETWEEN_MS;
  #isShown = false;

  constructor(lastTick: number) {
    this.#lastTick = lastTick;
  }

  /** Resolves after a turn of the event loop, in which a Ctrl-C is heard. */
  async show(tick: number): Promise<void> {
    this.#write(tick);
    await turn();
  }

  #write(tick: number): void {
    const nowMs = performance.now();
    if (!process.stderr.isTTY || nowMs < this.#shownMs + BETWEEN_MS) return;
    this.#shownMs = nowMs;
    this.#isShown = true;
    process.stderr.write(`\rtick ${tick} of ${this.#lastTick} `);
  }

  end(): void {
    if (this.#isShown) process.stderr.write('\r\u001b[K');
    this.#isShown = false;
  }
}
