/** What the log says. */
import { expect, test } from 'vitest';
import { lineOf } from '../../../../src/render-main/inspector/log-text.js';
import { WorkerFailedError, type SimulationStatus } from '../../../../src/render-main/index.js';

const error = new WorkerFailedError('no luck', 'tick');
const report = { tick: 9, hashes: 3, differsAt: undefined, equalUpTo: 9 };

test.each<[SimulationStatus, string | undefined]>([
  [{ kind: 'failed', error }, 'error: no luck'],
  [{ kind: 'stalled', stalledMs: 2000, error }, 'error: Stalled: no luck'],
  [{ kind: 'restarting', error }, 'error: Restarting: no luck'],
  [
    { kind: 'restarted', tick: 7, replayedTicks: 2, skippedInputs: 0 },
    'note: Restarted after tick 7; ticks repeated: 2',
  ],
  [
    { kind: 'restarted', tick: 7, replayedTicks: 2, skippedInputs: 3 },
    'note: Restarted after tick 7; ticks repeated: 2; inputs left out: 3',
  ],
  [{ kind: 'events-lost', lost: 4 }, 'warning: Events lost, because their queue was full: 4'],
  [
    { kind: 'recording-full', tick: 8, limitBytes: 4096 },
    'warning: The recording is full, and ends with tick 8',
  ],
  [
    { kind: 'watchdog', state: 'critical', tick: 3 },
    'warning: The simulation does not keep up: critical',
  ],
  [{ kind: 'watchdog', state: 'ok', tick: 3 }, undefined],
  [{ kind: 'gap', gapMs: 1200.4 }, 'warning: A gap of 1200 ms, which counts as a pause'],
  [{ kind: 'replayed', report }, 'note: The replay has ended. Equal hashes: 3'],
  [
    { kind: 'replayed', report: { ...report, differsAt: 6 } },
    'error: The replay differs at tick 6',
  ],
  [{ kind: 'jumped', tick: 3 }, undefined],
  [{ kind: 'disposed' }, undefined],
])('of %o', (status, text) => {
  const line = lineOf(status);
  expect(line && `${line.level}: ${line.text}`).toBe(text);
});
