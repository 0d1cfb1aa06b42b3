/** Tells how far it is: a bar that is drawn over on a terminal, a line for each piece of work elsewhere. */
import { durationText } from '../engine/index.js';
import type { BenchProgress } from '../runner/run-bench.js';
import { workText } from '../runner/work-text.js';

const BAR = 20;

interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export class ProgressLine {
  readonly #output: Output;
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  #last: BenchProgress | undefined;
  #lastMs = 0;

  constructor(output: Output) {
    this.#output = output;
    if (output.isTTY === true) this.#timer = setInterval(() => this.#draw(), 1000);
  }

  tell(progress: BenchProgress): void {
    const isNew = progress.done !== this.#last?.done;
    this.#last = progress;
    this.#lastMs = performance.now();
    if (this.#output.isTTY === true) this.#draw();
    else if (isNew) {
      this.#output.write(`[${progress.done + 1}/${progress.all}] ${workText(progress)}\n`);
    }
  }

  /** Takes the bar away. */
  end(): void {
    clearInterval(this.#timer);
    if (this.#output.isTTY === true && this.#last !== undefined) this.#output.write('\r\u001b[2K');
    this.#last = undefined;
  }

  #draw(): void {
    if (this.#last === undefined) return;
    const passedS = (performance.now() - this.#lastMs) / 1000;
    const secondsLeft = Math.max(1, this.#last.secondsLeft - passedS);
    const line = barText({ ...this.#last, secondsLeft }).slice(0, (this.#output.columns ?? 80) - 1);
    this.#output.write(`\r\u001b[2K${line}`);
  }
}

function barText(progress: BenchProgress): string {
  const { done, all, secondsLeft } = progress;
  const full = Math.round((done / all) * BAR);
  const bar = '█'.repeat(full) + '░'.repeat(BAR - full);
  return `${bar} ${done}/${all}, ${durationText(secondsLeft)} left: ${workText(progress)}`;
}
