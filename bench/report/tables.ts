/** The report's tables; each scrolls within its own box. */
import {
  FRAME_COLUMNS,
  TICK_COLUMNS,
  cannotTellText,
  changeText,
  countText,
  filledColumns,
  groupBy,
  msText,
  overloadText,
  pointText,
  rangeText,
  rateText,
  subjectName,
  subjectText,
  type CaseResult,
  type Change,
  type Column,
  type Comparison,
  type HeadroomResult,
  type Subject,
} from '../engine/index.js';
import { escaped } from './svg.js';

/** A cell: its text, and a class. */
type Cell = readonly [text: string, className?: string];

/** A row with its subject as the first cell; rows of one subject are together under its name. */
interface Row {
  readonly subject: Subject;
  readonly cells: readonly Cell[];
}

/** @param label The table's name, for screen readers. */
function table(label: string, head: readonly string[], rows: readonly Row[]): string {
  const headCells = head.map((text, column) => {
    // Text is left-aligned, figures are right-aligned, and so are their titles.
    const isWords = rows[0]?.cells[column]?.[1]?.startsWith('words') === true;
    return `<th scope="col"${isWords ? ' class="words"' : ''}>${escaped(text)}</th>`;
  });
  const body = groupBy(rows, ({ subject }) => subjectText(subject)).map((group) => {
    const name = group[0] === undefined ? '' : escaped(subjectName(group[0].subject));
    const title = `<tr class="subject"><th scope="rowgroup" colspan="${head.length}"><span>${name}</span></th></tr>`;
    return `<tbody>${title}${group.map(tableRow).join('')}</tbody>`;
  });
  return (
    `<div class="scroll" tabindex="0" role="group" aria-label="${escaped(label)}"><table>` +
    `<thead><tr>${headCells.join('')}</tr></thead>${body.join('')}</table></div>`
  );
}

function tableRow({ cells }: Row): string {
  const html = cells.map(([text, className], column) => {
    const name = className === undefined ? '' : ` class="${className}"`;
    return column === 0
      ? `<th scope="row"${name}>${escaped(text)}</th>`
      : `<td${name}>${escaped(text)}</td>`;
  });
  return `<tr>${html.join('')}</tr>`;
}

export function headroomTable(headroom: readonly HeadroomResult[]): string {
  const rows = headroom.map((one): Row => {
    const fitted = one.fit.map(
      ([bodies, ms]) => `${countText(bodies)}: ${ms === null ? 'failed' : msText(ms)}`,
    );
    const cells: Cell[] = [
      [`${rateText(one.tickRateHz)} Hz`],
      [countText(one.bodies), 'strong'],
      [rangeText(one)],
      [one.p99Ms === null ? '–' : msText(one.p99Ms)],
      [msText(1000 / one.tickRateHz)],
      [countText(one.measurements.length)],
      [one.canTell ? countText(one.interruptions) : cannotTellText(one), 'words'],
      [fitted.join(', '), 'words'],
    ];
    return { subject: one, cells };
  });
  const head = [
    '',
    'bodies',
    'the limit is between',
    'p99 ms',
    'budget ms',
    'measurements',
    'interruptions',
    'fit (bodies: p99 ms)',
  ];
  return table('Headroom', head, rows);
}

/** All figures of all cases, of the worker and of the page. */
export function caseTables(cases: readonly CaseResult[]): string {
  return [['Ticks', TICK_COLUMNS] as const, ['Frames and memory', FRAME_COLUMNS] as const]
    .map(([title, columns]) => caseTable(title, filledColumns(columns, cases), cases))
    .join('');
}

function caseTable(
  title: string,
  columns: readonly Column[],
  cases: readonly CaseResult[],
): string {
  const shown = cases.filter((one) => columns.some(({ cell }) => cell(one) !== ''));
  if (shown.length === 0) return '';
  const rows = shown.map((one): Row => {
    const figures = columns.map(({ cell }): Cell => [cell(one) === '' ? '–' : cell(one)]);
    const isOver = overloadText(one) === 'overload';
    const about: Cell = isOver ? [pointText(one), 'overloaded'] : [pointText(one)];
    return { subject: one, cells: [about].concat(figures) };
  });
  return `<h3>${title}</h3>${table(title, ['bodies', ...fullTitles(columns)], rows)}`;
}

/** The first lines of titles span several columns; here each column has its own. */
function fullTitles(columns: readonly Column[]): string[] {
  let above = '';
  return columns.map(({ title: [first, second] }) => {
    const isContinued = first === '' && /^(?:p95|p99|max)$/.test(second);
    above = isContinued ? above : first;
    const name = above === 'animation' ? 'animation error' : above;
    const rest = second === 'error ms' ? 'mean ms' : isContinued ? `${second} ms` : second;
    return `${name} ${rest}`.trim();
  });
}

export function comparisonTable({ pairs }: Comparison): string {
  const rows = pairs.map(({ before, after, p50, p99 }): Row => {
    const cells: Cell[] = [
      [pointText(after)],
      [`${msText(before.stepMs.p50)} → ${msText(after.stepMs.p50)}`],
      changeCell(p50),
      [`${msText(before.stepMs.p99)} → ${msText(after.stepMs.p99)}`],
      changeCell(p99),
    ];
    return { subject: after, cells };
  });
  return table('Change', ['bodies', 'p50 ms', 'change of p50', 'p99 ms', 'change of p99'], rows);
}

const changeCell = (change: Change): Cell => [
  changeText(change),
  `words ${change.kind.replaceAll(' ', '-')}`,
];
