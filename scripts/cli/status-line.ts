/** The last line of a terminal, redrawn as a command progresses. */

/** Such as `process.stderr`. */
export interface TerminalOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const CLEAR = '\r\u001b[2K';

export class StatusLine {
  readonly #output: TerminalOutput;
  #isShown = false;

  constructor(output: TerminalOutput) {
    this.#output = output;
  }

  /** Without a terminal nothing is shown: a file would contain the line many times. */
  show(text: string): void {
    if (this.#output.isTTY !== true) return;
    this.#isShown = true;
    this.#output.write(`${CLEAR}${text.slice(0, (this.#output.columns ?? 80) - 1)}`);
  }

  /** Removes the line. */
  clear(): void {
    if (this.#isShown) this.#output.write(CLEAR);
    this.#isShown = false;
  }
}
