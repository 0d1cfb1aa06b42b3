/** The comparison as a table. */
import { turnsPerSecond, type LabRow, type SecondCounts } from '../engine/index.js';
import { STEPPER_INFO } from '../engine/loops/stepper-info.js';

interface Column {
  /** Two lines. */
  readonly title: readonly string[];
  readonly cell: (row: LabRow) => string;
  /** Whether its title continues that of the column before: the two stay together. */
  readonly joins?: true;
}

const fixed = (value: number, digits: number): string => {
  const text = value.toFixed(digits);
  // "-0.0" is a rounded 0.
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
  { title: ['turns', 'per s'], cell: (row) => fixed(turnsPerSecond(row), 0) },
  { title: ['slept', 'ms'], cell: (row) => fixed(row.sleptMs, 0) },
  { title: ['latency', 'ms'], cell: (row) => fixed(row.latencyMs, 1) },
  {
    title: ['input', 'ms'],
    cell: (row) => (row.inputLatencyMs === 0 ? '–' : fixed(row.inputLatencyMs, 1)),
  },
  { title: ['animation', 'mean ms'], cell: (row) => fixed(row.animationErrorMs.mean, 2) },
  { title: ['error', 'p99 ms'], cell: (row) => fixed(row.animationErrorMs.p99, 2), joins: true },
  { title: ['', 'max ms'], cell: (row) => fixed(row.animationErrorMs.max, 1), joins: true },
  { title: ['determi-', 'nistic'], cell: (row) => (row.deterministic ? 'yes' : 'no') },
  { title: ['', 'watchdog'], cell: (row) => row.watchdog.worst },
];

/** Number of seconds listed individually; more would push the table off the screen. */
const LISTED_SECONDS = 20;

/** Between two columns. */
const GAP = '  ';

/**
 * A line for each row; split into blocks of columns, each with the loops' names, if it is wider
 * than the terminal.
 *
 * @param width Characters in a line. Default: no limit.
 */
export function formatTable(rows: readonly LabRow[], width?: number): string {
  const names = pad(['', 'stepper', ...rows.map((row) => row.stepper)], 'left');
  const cells = COLUMNS.map(({ title, cell }) =>
    pad([...title, ...rows.map((row) => cell(row))], 'right'),
  );
  // A terminal of unknown width reports 0.
  const blocks = evenBlocksWithin(width || Number.POSITIVE_INFINITY, names, cells);
  return blocks.map((block) => formatBlock([names, ...block])).join('\n\n');
}

type Block = readonly (readonly string[])[];

/** As few blocks as possible, all as narrow as possible: no block has a single column. */
function evenBlocksWithin(
  width: number,
  names: readonly string[],
  cells: readonly (readonly string[])[],
): readonly Block[] {
  const { length } = blocksWithin(width, names, cells);
  for (let narrow = 1; ; narrow++) {
    const blocks = blocksWithin(narrow, names, cells);
    if (blocks.length === length) return blocks;
  }
}

/** As many columns in each as fit next to the names; at least one. */
function blocksWithin(
  width: number,
  names: readonly string[],
  cells: readonly (readonly string[])[],
): readonly Block[] {
  const blocks: (readonly string[])[][] = [];
  let room = 0;
  for (const group of groupsOf(cells)) {
    const needed = group.reduce((sum, column) => sum + GAP.length + widthOf(column), 0);
    const block = blocks.at(-1);
    if (block !== undefined && needed <= room) {
      block.push(...group);
    } else {
      blocks.push([...group]);
      room = width - widthOf(names);
    }
    room -= needed;
  }
  return blocks;
}

/** Columns that stay together. */
function groupsOf(cells: readonly (readonly string[])[]): readonly (readonly string[])[][] {
  const groups: (readonly string[])[][] = [];
  for (const [index, column] of cells.entries()) {
    const group = groups.at(-1);
    if (group !== undefined && COLUMNS[index]?.joins) group.push(column);
    else groups.push([column]);
  }
  return groups;
}

function formatBlock(columns: readonly (readonly string[])[]): string {
  const [first = []] = columns;
  const lines = first.map((_, line) =>
    columns
      .map((column) => column[line] ?? '')
      .join(GAP)
      .trimEnd(),
  );
  lines.splice(2, 0, '─'.repeat(Math.max(...lines.map((line) => line.length))));
  // No title of two lines.
  if (lines[0] === '') lines.shift();
  return lines.join('\n');
}

function pad(texts: readonly string[], side: 'left' | 'right'): readonly string[] {
  const width = Math.max(...texts.map((text) => text.length));
  return texts.map((text) => (side === 'left' ? text.padEnd(width) : text.padStart(width)));
}

const widthOf = (column: readonly string[]): number => column[0]?.length ?? 0;

/** Additional output for a single stepper: its seconds, and what to look for. */
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
