/** Tells how far it is: a bar that is drawn over on a terminal, a line for each run elsewhere. */
import { countText, durationText, rateText } from '../../engine/index.js';
import { labelOf } from '../engine/contestants.js';
import type { PlannedRun } from '../engine/plan.js';
import type { PeersProgress } from './run-peers.js';

const BAR = 20;

interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export class PeersProgressLine {
  readonly #output: Output;

  constructor(output: Output) {
    this.#output = output;
  }

  tell({ done, all, run, secondsLeft }: PeersProgress): void {
    const left = `${durationText(Math.max(1, secondsLeft))} left`;
    if (this.#output.isTTY !== true) {
      this.#output.write(`[${done + 1}/${all}] ${runText(run)}, ${left}\n`);
      return;
    }
    const full = Math.round((done / all) * BAR);
    const bar = '█'.repeat(full) + '░'.repeat(BAR - full);
    const line = `${bar} ${done}/${all}, ${left}: ${runText(run)}`;
    this.#output.write(`\r\u001b[2K${line.slice(0, (this.#output.columns ?? 80) - 1)}`);
  }

  /** Takes the bar away. */
  end(): void {
    if (this.#output.isTTY === true) this.#output.write('\r\u001b[2K');
  }
}

function runText({ kind, contestant, bodies, displayHz, repeat }: PlannedRun): string {
  const what = kind === 'faults' ? 'faults' : `${countText(bodies)} at ${rateText(displayHz)} Hz`;
  return `${what}, turn ${repeat + 1}, ${labelOf(contestant)}`;
}
