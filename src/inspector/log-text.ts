/** What the log says about a status. Pure. */
import { slotOf } from '../shared/memory/body-meta.js';
import type { SimulationStatus } from '../render-main/api/simulation-status.js';

/** One line of the log. */
export interface LogLine {
  readonly level: 'error' | 'warning' | 'note';
  readonly text: string;
}

const line = (level: LogLine['level'], text: string): LogLine => ({ level, text });

/** @returns Undefined for what is no trouble. */
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
