/** The output of a run of several parts while it runs. */
import { stripVTControlCharacters } from 'node:util';
import { StatusLine } from '../cli/status-line.js';
import type { Outcome, PartOutcomes } from './outcomes.js';

/** Interval of progress lines without a terminal. */
const PROGRESS_EVERY_MS = 15_000;
/** On a terminal it is one line that changes. */
const REFRESH_EVERY_MS = 500;

interface Running {
  readonly part: string;
  readonly outcomes: PartOutcomes;
}

/**
 * Prints failures as they happen, and in between the progress of the parts. On a terminal the last
 * line is rewritten; elsewhere, in a log, lines are added.
 */
export class Terminal {
  readonly #startMs = performance.now();
  readonly #running = new Set<Running>();
  readonly #isInteractive = process.stdout.isTTY === true;
  readonly #timer: NodeJS.Timeout;
  readonly #status = new StatusLine(process.stdout);

  constructor() {
    const everyMs = this.#isInteractive ? REFRESH_EVERY_MS : PROGRESS_EVERY_MS;
    this.#timer = setInterval(() => this.#showProgress(), everyMs);
  }

  begin(running: Running): void {
    this.#running.add(running);
    if (this.#isInteractive) this.#showProgress();
    else this.line(`${running.part} …`);
  }

  end(running: Running, seconds: number): void {
    this.#running.delete(running);
    const { passed, failed, skipped } = running.outcomes;
    const counts = [
      `${passed} passed`,
      ...(failed > 0 ? [`${failed} FAILED`] : []),
      ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ];
    this.line(`${running.part}: ${counts.join(', ')} in ${seconds.toFixed(1)} s`);
  }

  fail(part: string, { name, detail = '' }: Outcome): void {
    // Runners colour their output, even without a terminal.
    const text = this.#isInteractive ? detail : stripVTControlCharacters(detail);
    const indented = text.trimEnd().replaceAll(/^/gm, '      ');
    this.line(`FAILED in ${part}: ${name}\n${indented}\n`);
  }

  /** Prints a line, with the time since the start. */
  line(text: string): void {
    this.#status.clear();
    console.log(`${this.#elapsed()}  ${text}`);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#status.clear();
  }

  #showProgress(): void {
    if (this.#running.size === 0) return;
    const progress = [...this.#running]
      .map(({ part, outcomes: { done, found } }) =>
        found === 0 ? part : `${part} ${done} of ${Math.max(done, found)}`,
      )
      .join(', ');
    if (!this.#isInteractive) {
      this.line(progress);
      return;
    }
    this.#status.show(`${this.#elapsed()}  ${progress}`);
  }

  #elapsed(): string {
    const seconds = Math.floor((performance.now() - this.#startMs) / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`.padStart(5);
  }
}
