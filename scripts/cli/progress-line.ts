/**
 * Shows a command's progress: a bar that is redrawn on a terminal, a line for each piece of work
 * elsewhere.
 */
import { StatusLine, type TerminalOutput } from './status-line.js';

const BAR = 20;
const REFRESH_EVERY_MS = 1000;

export interface WorkProgress {
  /** Pieces of work. */
  readonly done: number;
  readonly all: number;
  /** The current work, in words. */
  readonly work: string;
  readonly secondsLeft: number;
}

export class ProgressLine {
  readonly #output: TerminalOutput;
  readonly #durationText: (seconds: number) => string;
  readonly #now: () => number;
  readonly #status: StatusLine;
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  #last: WorkProgress | undefined;
  #lastMs = 0;

  /**
   * @param durationText A time in words, such as `3 min`.
   * @param now A clock, in ms.
   */
  constructor(
    output: TerminalOutput,
    durationText: (seconds: number) => string,
    now: () => number = () => performance.now(),
  ) {
    this.#output = output;
    this.#durationText = durationText;
    this.#now = now;
    this.#status = new StatusLine(output);
    if (output.isTTY === true) this.#timer = setInterval(() => this.#draw(), REFRESH_EVERY_MS);
  }

  report(progress: WorkProgress): void {
    const isNew = progress.done !== this.#last?.done;
    this.#last = progress;
    this.#lastMs = this.#now();
    if (this.#output.isTTY === true) this.#draw();
    else if (isNew) {
      const { done, all, work } = progress;
      this.#output.write(`[${done + 1}/${all}] ${work}, ${this.#leftText()}\n`);
    }
  }

  /** Removes the bar. */
  end(): void {
    clearInterval(this.#timer);
    this.#status.clear();
    this.#last = undefined;
  }

  #draw(): void {
    if (this.#last === undefined) return;
    const { done, all, work } = this.#last;
    const full = Math.round((done / all) * BAR);
    const bar = '█'.repeat(full) + '░'.repeat(BAR - full);
    this.#status.show(`${bar} ${done}/${all}, ${this.#leftText()}: ${work}`);
  }

  #leftText(): string {
    const passedSeconds = (this.#now() - this.#lastMs) / 1000;
    const seconds = Math.max(1, (this.#last?.secondsLeft ?? 0) - passedSeconds);
    return `${this.#durationText(seconds)} left`;
  }
}
