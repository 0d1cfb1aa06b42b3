/** A result, or a comparison of two, as text for a terminal of 120 columns. */
import {
  CASE_COLUMNS,
  FRAME_COLUMNS,
  TICK_COLUMNS,
  filledColumns,
  type Column,
} from './columns.js';
import { isNarrow, type Change, type Comparison } from './compare.js';
import {
  bodiesText,
  countText,
  msText,
  pointText,
  rangeText,
  rateText,
  timeText,
} from './format.js';
import { overloadText } from './overload.js';
import {
  groupBy,
  subjectText,
  type BenchResult,
  type CaseKey,
  type CaseResult,
  type Machine,
  type Subject,
} from './result.js';
import { tableLines } from './table.js';
import { verdictsOf } from './verdict.js';

const WIDTH = 120;
const MAX_PERCENT = 1000;

/** Machine, verdicts, a table for each scene, engine and runtime, headroom and growth. */
export function summaryOf(result: BenchResult): string {
  const sections = [
    [
      ...machineLines(result.machine),
      `measured ${timeText(result.made)}${result.cases.length === 0 ? '' : `: ${lengthText(result.options)}`}`,
    ],
    verdictsOf(result).map(({ subject, sentence }) =>
      subject === '' ? sentence : `${subject}: ${sentence}`,
    ),
    ...groupBy(result.cases, subjectText).map(caseLines),
    headroomLines(result),
    growthLines(result),
    result.failures.map((failure) => `failed: ${caseText(failure)}: ${failure.message}`),
  ];
  return layOut(sections);
}

/** Every pair of cases with its change, and cases without a counterpart. */
export function comparisonSummary({ pairs, onlyBefore, onlyAfter, cautions }: Comparison): string {
  const tables = groupBy(pairs, ({ after }) => subjectText(after)).map((group) => {
    const rows = group.map(({ before, after, p50, p99 }) => [
      bodiesText(after.bodies),
      rateText(after.tickRateHz),
      `${msText(before.stepMs.p50)} → ${msText(after.stepMs.p50)}`,
      changeText(p50),
      `${msText(before.stepMs.p99)} → ${msText(after.stepMs.p99)}`,
      changeText(p99),
    ]);
    const head = ['bodies', 'Hz', 'p50 ms', '', 'p99 ms', ''];
    const [first] = group;
    const name = first === undefined ? '' : subjectName(first.after);
    return [name].concat(tableLines([head, ...rows], 0, 1));
  });
  return layOut([
    ...(tables.length === 0 ? [['The results have no case in common.']] : tables),
    onlyBefore.map((key) => `only before: ${caseText(key)}`),
    onlyAfter.map((key) => `only after: ${caseText(key)}`),
    [...cautions],
  ]);
}

export function machineLines({ cores, cpu, os, runtimes, engines }: Machine): string[] {
  const versions = { ...runtimes, ...engines };
  return [
    `${cpu ?? 'unknown processor'}, ${cores} ${cores === 1 ? 'core' : 'cores'}, ${os}`,
    Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
  ];
}

/** The conditions: number and length of the repeats, and the warm-up. */
export function lengthText({
  repeats,
  seconds,
  settleTicks,
  warmUpSeconds,
}: BenchResult['options']): string {
  const settling = settleTicks === 0 ? '' : `${settleTicks} ticks of settling and `;
  return `${repeats} × ${seconds} s after ${settling}${warmUpSeconds} s of warm-up`;
}

export const caseText = (key: CaseKey): string => `${subjectName(key)}, ${pointText(key)}`;

export const subjectName = ({ scene, engine, runtime }: Subject): string =>
  `${scene}, ${engine}, ${runtime}`;

/** "12 % slower", "no difference", "no difference found: …". With its interval. */
export function changeText(change: Change): string {
  const { ratio, ratioLow, ratioHigh, kind } = change;
  if (kind === 'too few repeats') return `${signed(ratio)} %, too few repeats to tell`;
  const interval = `${signed(ratioLow)} to ${signed(ratioHigh)} %`;
  if (kind === 'cannot tell')
    return `no difference found, and room for one: more repeats tell (${interval})`;
  if (kind === 'no difference') {
    return isNarrow(change) ? `${kind} (${interval})` : `${kind} (the repeats overlap)`;
  }
  return `${signed(ratio).replace(/[+−]/, '')} % ${kind} (${interval})`;
}

/** A ratio as a change in per cent, without the per cent sign. */
function signed(ratio: number): string {
  const percent = (ratio - 1) * 100;
  const size = Math.abs(percent);
  // The interval is practically infinite.
  if (size > MAX_PERCENT) return `over +${MAX_PERCENT}`;
  return `${percent < 0 ? '−' : '+'}${size.toFixed(size < 9.95 ? 1 : 0)}`;
}

/** The exponent with its interval: "bodies^1.12 (1.08 to 1.16)". */
export function exponentText(growth: BenchResult['growth'][number]): string {
  const { exponent, exponentLow, exponentHigh } = growth;
  const interval =
    exponentLow === null || exponentHigh === null
      ? 'spread unknown'
      : `${exponentLow.toFixed(2)} to ${exponentHigh.toFixed(2)}`;
  return `bodies^${exponent.toFixed(2)} (${interval})`;
}

function caseLines(cases: readonly CaseResult[]): string[] {
  const [first] = cases;
  if (first === undefined) return [];
  const blocks = [TICK_COLUMNS, FRAME_COLUMNS]
    .map((columns) => filledColumns(columns, cases))
    .filter((columns) => columns.length > 0)
    .map((columns, block) => columnTable([...CASE_COLUMNS, ...columns], cases, block === 0));
  return [subjectName(first), ...blocks.flat()];
}

function columnTable(
  columns: readonly Column[],
  cases: readonly CaseResult[],
  marksOverload: boolean,
): string[] {
  const rows = [
    columns.map(({ title }) => title[0]),
    columns.map(({ title }) => title[1]),
    ...cases.map((one) => columns.map(({ cell }) => cell(one))),
  ];
  return tableLines(rows, 0, 2).map((line, index) => {
    const one = cases[index - 3];
    const mark = marksOverload && one !== undefined ? overloadText(one) : '';
    return mark === '' ? line : `${line}  ${mark.toUpperCase()}`;
  });
}

function headroomLines({ headroom }: BenchResult): string[] {
  if (headroom.length === 0) return [];
  const rows = headroom.map((one) => [
    subjectName(one),
    `${rateText(one.tickRateHz)} Hz`,
    countText(one.bodies),
    one.p99Ms === null ? '' : msText(one.p99Ms),
    `between ${rangeText(one)}`,
    one.canTell ? (one.isBoundedBySearch ? 'search ended before the limit' : '') : 'cannot tell',
  ]);
  return tableLines([['headroom', '', 'bodies', 'p99 ms', 'limit', ''], ...rows], 1, 1);
}

function growthLines({ growth }: BenchResult): string[] {
  return growth.map((one) => `growth: ${subjectName(one)}: step p50 grows as ${exponentText(one)}`);
}

function layOut(sections: readonly (readonly string[])[]): string {
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.flatMap(wrap).join('\n'))
    .join('\n\n');
}

/** Breaks long lines at spaces; without spaces they are cut. */
function wrap(line: string): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > WIDTH) {
    const space = rest.lastIndexOf(' ', WIDTH);
    const end = space > WIDTH / 2 ? space : WIDTH;
    lines.push(rest.slice(0, end).trimEnd());
    rest = `    ${rest.slice(end).trimStart()}`;
  }
  return [...lines, rest];
}
