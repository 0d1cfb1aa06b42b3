/** The comparison as a table for people. */
import { STEPPER_INFO } from '../../src/shared/steppers/stepper-info.js';
import type { LabRow, SecondCounts } from '../engine/index.js';

interface Column {
  /** Two lines. */
  readonly title: readonly string[];
  readonly cell: (row: LabRow) => string;
}

const fixed = (value: number, digits: number): string => {
  const text = value.toFixed(digits);
  // "-0.0" is a 0 that was rounded.
  return Number(text) === 0 ? (0).toFixed(digits) : text;
};

const COLUMNS: readonly Column[] = [
  { title: ['tick', 'Hz'], cell: (row) => (row.tickHz === null ? '–' : String(row.tickHz)) },
  { title: ['', 'updates'], cell: (row) => String(row.updates) },
  { title: ['', 'frames'], cell: (row) => String(row.frames) },
  { title: ['', 'distinct'], cell: (row) => String(row.distinctFrames) },
  { title: ['', 'repeated'], cell: (row) => String(row.repeatedFrames) },
  { title: ['simulated', 's'], cell: (row) => fixed(row.simulatedS, 3) },
  { title: ['', 'speed'], cell: (row) => fixed(row.effectiveSpeed, 3) },
  { title: ['largest', 'step ms'], cell: (row) => fixed(row.largestStepMs, 2) },
  { title: ['through', 'the wall'], cell: (row) => String(row.shotsThrough) },
  {
    title: ['in the', 'floor'],
    cell: (row) => (row.deepestInFloor === 0 ? '0' : fixed(row.deepestInFloor, 3)),
  },
  { title: ['dropped', 'ms'], cell: (row) => fixed(row.droppedMs, 1) },
  { title: ['drift', 's'], cell: (row) => (row.driftS === 0 ? '0' : row.driftS.toExponential(1)) },
  { title: ['slept', 'ms'], cell: (row) => fixed(row.sleptMs, 0) },
  { title: ['latency', 'ms'], cell: (row) => fixed(row.latencyMs, 1) },
  { title: ['animation', 'mean ms'], cell: (row) => fixed(row.animationErrorMs.mean, 2) },
  { title: ['error', 'p99 ms'], cell: (row) => fixed(row.animationErrorMs.p99, 2) },
  { title: ['', 'max ms'], cell: (row) => fixed(row.animationErrorMs.max, 1) },
  { title: ['determi-', 'nistic'], cell: (row) => (row.deterministic ? 'yes' : 'no') },
  { title: ['', 'watchdog'], cell: (row) => row.watchdog.worst },
];

/** Seconds that are listed one by one; more would push the table off the screen. */
const LISTED_SECONDS = 20;

export function formatTable(rows: readonly LabRow[]): string {
  const names = ['', 'stepper', ...rows.map((row) => row.stepper)];
  const nameWidth = Math.max(...names.map((name) => name.length));
  const cells = COLUMNS.map(({ title, cell }) => title.concat(rows.map((row) => cell(row))));
  const widths = cells.map((column) => Math.max(...column.map((text) => text.length)));
  const lines = names.map((name, line) => {
    const rest = cells.map((column, index) => (column[line] ?? '').padStart(widths[index] ?? 0));
    return [name.padEnd(nameWidth), ...rest].join('  ').trimEnd();
  });
  lines.splice(2, 0, '─'.repeat(Math.max(...lines.map((line) => line.length))));
  return lines.join('\n');
}

/** What a run of a single stepper adds: its seconds, and what to look for. */
export function formatDetails(row: LabRow): string {
  const shown = row.perSecond.slice(0, LISTED_SECONDS);
  const more = row.perSecond.length - shown.length;
  const { title, source, goesWrong } = STEPPER_INFO[row.stepper];
  return [
    ...shown.map((counts, second) => formatSecond(counts, second)),
    ...(more > 0 ? [`… and ${more} seconds more`] : []),
    '',
    `${title} (${source}). ${goesWrong}`,
  ].join('\n');
}

function formatSecond(counts: SecondCounts, second: number): string {
  const { iterations, updated, rendered, refreshed } = counts;
  return (
    `${String(second + 1).padStart(4)} s  Updated: ${updated} | Rendered: ${rendered} | ` +
    `Refreshed: ${refreshed} | turns: ${iterations}`
  );
}
