/** The columns of the comparison, and which cells are marked. Pure. */
import { turnsPerSecond, type LabRow } from '../engine/index.js';
import { idleTurnsPerSecond } from './row-badges.js';

export interface Column {
  readonly title: string;
  /** The column's explanation. */
  readonly meaning: string;
  readonly text: (row: LabRow) => string;
  /**
   * How bad a row is in this column, from 0; undefined for columns in which no value is better than
   * another.
   */
  readonly badness?: (row: LabRow) => number;
}

export type Mark = 'best' | 'worst' | undefined;

/** Values closer than this, as a share of the largest, are equally good. */
const SAME_SHARE = 0.01;

export const COLUMNS: readonly Column[] = [
  {
    title: 'speed',
    meaning: 'Simulated time divided by real time. 1 is correct.',
    text: (row) => `${row.effectiveSpeed.toFixed(3)} ×`,
    // A run ends between two updates: a thousandth is tolerated.
    badness: ({ effectiveSpeed }) => dead(Math.abs(effectiveSpeed - 1), 0.01),
  },
  {
    title: 'animation error',
    meaning:
      'Change of displayed simulated time minus change of display time, per frame. 0 is smooth.',
    text: (row) => millis(row.animationErrorMs.mean, 2),
    badness: (row) => dead(row.animationErrorMs.mean, 0.005),
  },
  {
    title: 'its p99',
    meaning: 'Animation error: 1 frame in 100 is worse.',
    text: (row) => millis(row.animationErrorMs.p99, 2),
    badness: (row) => dead(row.animationErrorMs.p99, 0.005),
  },
  {
    title: 'its max',
    meaning: 'Animation error: the worst frame.',
    text: (row) => millis(row.animationErrorMs.max, 1),
    badness: (row) => dead(row.animationErrorMs.max, 0.05),
  },
  {
    title: 'latency',
    meaning:
      'Average age of the displayed state. Excludes time that was dropped or lost in slow motion.',
    text: (row) => millis(row.latencyMs, 1),
    badness: (row) => Math.abs(row.latencyMs),
  },
  {
    title: 'input latency',
    meaning: 'Average time from an input to the first frame that shows its effect.',
    text: (row) => millis(row.inputLatencyMs, 1),
    badness: (row) => row.inputLatencyMs,
  },
  {
    title: 'deterministic',
    meaning: 'Whether displays with other refresh rates give the same states, bit for bit.',
    text: (row) => (row.deterministic ? 'yes' : 'no'),
    badness: (row) => (row.deterministic ? 0 : 1),
  },
  {
    title: 'distinct',
    meaning: 'Frames that showed a new state.',
    text: (row) => count(row.distinctFrames),
    badness: (row) => -row.distinctFrames,
  },
  {
    title: 'repeated',
    meaning: 'Frames that repeated the previous one.',
    text: (row) => count(row.repeatedFrames),
    // The first two frames of an interpolating loop are equal, before it has two states.
    badness: (row) => dead(row.repeatedFrames, 3),
  },
  {
    title: 'dropped',
    meaning: 'Dropped time: the game stays behind the clock by this much.',
    text: (row) => millis(row.droppedMs, 0),
    badness: (row) => dead(row.droppedMs, 0.5),
  },
  {
    title: 'largest step',
    meaning: 'The longest time step of an update. Long steps cause tunneling and instability.',
    text: (row) => millis(row.largestStepMs, 1),
    badness: (row) => row.largestStepMs,
  },
  {
    title: 'through the wall',
    meaning: 'Shots that passed through a wall of 50 ms because a step was longer.',
    text: (row) => count(row.shotsThrough),
    badness: (row) => row.shotsThrough,
  },
  {
    title: 'in the floor',
    meaning:
      'The maximum depth at which the ball was drawn below its floor. It bounces to a height of 1.',
    text: (row) => (row.deepestInFloor === 0 ? '0' : row.deepestInFloor.toFixed(3)),
    badness: (row) => dead(row.deepestInFloor, 0.0005),
  },
  { title: 'updates', meaning: 'Updates run.', text: (row) => count(row.updates) },
  { title: 'frames', meaning: 'Frames drawn.', text: (row) => count(row.frames) },
  {
    title: 'simulated',
    meaning: 'Time simulated by the end of the run.',
    text: (row) => `${row.simulatedS.toFixed(2)} s`,
  },
  {
    title: 'slept',
    // No mark: the same time in a thousand short sleeps is worse than in a hundred, and so is sleep
    // gained by drawing less.
    meaning: 'Idle time spent sleeping. See the iterations for how often the loop woke up.',
    text: (row) => `${(row.sleptMs / 1000).toFixed(2)} s`,
  },
  {
    title: 'iterations per second',
    meaning:
      'Iterations of the loop. The rating counts those that neither updated nor drew and woke the machine for nothing.',
    text: (row) => count(Math.round(turnsPerSecond(row))),
    badness: (row) => dead(idleTurnsPerSecond(row), 1),
  },
  {
    title: 'drift',
    meaning: 'Rounding error of the summed time steps at the end of the run.',
    text: (row) =>
      row.driftS === 0
        ? '0'
        : `${row.driftS.toExponential(1).replace('-', '−').replace('e-', 'e−')} s`,
  },
  {
    title: 'watchdog',
    meaning:
      'The worst state that the watchdog reported: slow above 5 updates per frame, critical above 20.',
    text: (row) => row.watchdog.worst,
    badness: (row) => ['ok', 'slow', 'critical', 'unresponsive'].indexOf(row.watchdog.worst),
  },
];

/** The rows of a column to mark. A mark on half of the rows is useless, so it is left out. */
export function marksOf(column: Column, rows: readonly LabRow[]): readonly Mark[] {
  const { badness } = column;
  if (badness === undefined || rows.length < 2) return rows.map(() => undefined);
  const values = rows.map(badness);
  const min = Math.min(...values);
  const max = Math.max(...values);
  const slack = Math.max(Math.abs(min), Math.abs(max)) * SAME_SHARE;
  if (max - min <= slack) return rows.map(() => undefined);
  const isBest = (value: number): boolean => value <= min + slack;
  const isWorst = (value: number): boolean => value >= max - slack;
  const half = rows.length / 2;
  const hasBest = values.filter(isBest).length <= half;
  const hasWorst = values.filter(isWorst).length <= half;
  return values.map((value) =>
    isBest(value) && hasBest ? 'best' : isWorst(value) && hasWorst ? 'worst' : undefined,
  );
}

/** 0 below a size that no one would call an error. */
function dead(value: number, size: number): number {
  return value < size ? 0 : value;
}

function millis(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return `${Number(text) === 0 ? (0).toFixed(digits) : text.replace('-', '−')} ms`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}
