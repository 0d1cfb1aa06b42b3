/** The log of statuses and errors. Hidden as long as it is empty. */
import { make, makeButton } from './elements.js';
import { slotOf } from '../shared/memory/body-meta.js';
import type { SimulationStatus } from '../render-main/session/simulation-status.js';

/** With more lines, the oldest are removed. */
const MAX_LINES = 100;

export class Log {
  readonly element = make('section', 'log');
  readonly #list = make('div', 'lines');
  #last: { readonly line: LogLine; times: number; readonly count: HTMLElement } | undefined;

  constructor() {
    this.element.setAttribute('aria-label', 'Log');
    this.#list.setAttribute('role', 'log');
    this.#list.setAttribute('aria-label', 'What went wrong');
    // The list scrolls, so keys have to reach it.
    this.#list.tabIndex = 0;
    const heading = make('header', '', 'Log');
    heading.append(makeButton('Clear', () => this.clear()));
    this.element.append(heading, this.#list);
    this.clear();
  }

  /** @param tick The newest tick; undefined without a simulation. */
  add(line: LogLine, tick: number | undefined): void {
    if (this.#last?.line.text === line.text) {
      this.#last.times += 1;
      this.#last.count.textContent = ` × ${this.#last.times}`;
      return;
    }
    const entry = make('p', line.level);
    const count = make('span');
    const place = tick === undefined ? [] : [make('span', 'tick', `tick ${tick} `)];
    entry.append(...place, line.text, count);
    this.#list.append(entry);
    if (this.#list.childElementCount > MAX_LINES) this.#list.firstElementChild?.remove();
    this.#last = { line, times: 1, count };
    this.element.hidden = false;
    this.#list.scrollTop = this.#list.scrollHeight;
  }

  clear(): void {
    this.#list.replaceChildren();
    this.#last = undefined;
    this.element.hidden = true;
  }
}

/** One line of the log. */
export interface LogLine {
  readonly level: 'error' | 'warning' | 'note';
  readonly text: string;
}

const line = (level: LogLine['level'], text: string): LogLine => ({ level, text });

/** The line for a status; undefined if it is not logged. */
export function lineOf(status: SimulationStatus): LogLine | undefined {
  switch (status.kind) {
    case 'failed':
      return line('error', status.error.message);
    case 'stalled':
      return line('error', `Stalled: ${status.error.message}`);
    case 'restarting':
      return line('error', `Restarting: ${status.error.message}`);
    case 'replay-stopped':
      return line('error', `The replay stopped: ${status.error.message}`);
    case 'recovered':
      return line('note', 'The stalled step has ended');
    case 'restarted':
      return line('note', restartOf(status));
    case 'replaced':
      return line('note', `The worker was replaced after tick ${status.tick}`);
    case 'events-lost':
      return line('warning', `Events lost, because their queue was full: ${status.lost}`);
    case 'recording-full':
      return line('warning', `The recording is full, and ends with tick ${status.tick}`);
    case 'slow':
      return status.isSlow ? line('warning', 'The simulation does not keep up') : undefined;
    case 'invalid-pose': {
      const body = `body ${slotOf(status.body)}`;
      return line('error', `Invalid pose of ${body} in tick ${status.tick}: ${status.policy}`);
    }
    case 'gap':
      return line('warning', `A gap of ${Math.round(status.gapMs)} ms, which counts as a pause`);
    case 'replayed': {
      const { differsAt, hashes } = status.report;
      return differsAt === undefined
        ? line('note', `The replay has ended. Equal hashes: ${hashes}`)
        : line('error', `The replay differs at tick ${differsAt}`);
    }
    default:
      return undefined;
  }
}

function restartOf({
  tick,
  replayedTicks,
  skippedInputs,
}: Extract<SimulationStatus, { kind: 'restarted' }>): string {
  const skipped = skippedInputs === 0 ? '' : `; inputs left out: ${skippedInputs}`;
  return `Restarted after tick ${tick}; ticks repeated: ${replayedTicks}${skipped}`;
}
