/** A result, or a comparison of two, as text for a terminal of 120 columns. */
import type { Change, Comparison } from './compare.js';
import { countText, msText, percentText, pointText, rateText, timeText } from './format.js';
import { limitOf } from './limit.js';
import type { BenchResult, CaseKey, CaseResult, LimitResult, Machine, Subject } from './result.js';
import { sentenceOf } from './sentence.js';
import { tableLines } from './table.js';

/** Machine, a sentence for each search, and tables of all figures. */
export function summaryOf(result: BenchResult): string {
  const { limits, cases, failures, wasCancelled, machine, made, options } = result;
  const length = `${options.repeats} × ${options.seconds} s after ${options.warmUpSeconds} s of warm-up`;
  const measured = `measured ${timeText(made)}`;
  return layOut([
    [...machineLines(machine), cases.length === 0 ? measured : `${measured}: ${length}`],
    wasCancelled ? ['It was stopped: not everything was measured.'] : [],
    limits.map((one) =>
      limits.length === 1 ? sentenceOf(one) : `${subjectName(one)}: ${sentenceOf(one)}`,
    ),
    caseLines(cases),
    ...limits.map(limitLines),
    failures.map((failure) => `failed: ${caseText(failure)}: ${failure.message}`),
  ]);
}

/** Every pair of cases with its change, and cases without a counterpart. */
export function comparisonSummary({ pairs, onlyBefore, onlyAfter }: Comparison): string {
  const rows = pairs.map(({ before, after, p50, p99 }) => [
    caseText(after),
    `${msText(before.step.p50Ms)} → ${msText(after.step.p50Ms)}`,
    changeText(p50),
    `${msText(before.step.p99Ms)} → ${msText(after.step.p99Ms)}`,
    changeText(p99),
  ]);
  return layOut([
    pairs.length === 0
      ? ['The results have no case in common.']
      : tableLines([['case', 'p50 ms', '', 'p99 ms', ''], ...rows], 1),
    onlyBefore.map((key) => `only before: ${caseText(key)}`),
    onlyAfter.map((key) => `only after: ${caseText(key)}`),
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

const caseText = (key: CaseKey): string => `${subjectName(key)}, ${pointText(key)}`;

const subjectName = ({ scene, engine, runtime }: Subject): string =>
  `${scene}, ${engine}, ${runtime}`;

/** "12 % slower (5 to 19 %)", "no difference (−8 to +6 %)". */
function changeText({ ratio, ratioLow, ratioHigh, kind }: Change): string {
  if (kind === 'too few repeats') return `${signed(ratio)} %, too few repeats to tell`;
  const interval = `(${signed(ratioLow)} to ${signed(ratioHigh)} %)`;
  if (kind === 'no difference') return `${kind} ${interval}`;
  return `${signed(ratio).slice(1)} % ${kind} ${interval}`;
}

/** A ratio as a change in per cent, without the per cent sign. */
function signed(ratio: number): string {
  const percent = (ratio - 1) * 100;
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(Math.abs(percent) < 9.95 ? 1 : 0)}`;
}

const ms = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : msText(value);

function caseLines(cases: readonly CaseResult[]): string[] {
  if (cases.length === 0) return [];
  const head = ['case', 'step p50', 'p90', 'p99 ms', 'of', 'share', 'dropped', 'speed', 'late p99'];
  const rows = cases.map((one) => [
    caseText(one),
    ms(one.step.p50Ms),
    ms(one.step.p90Ms),
    ms(one.step.p99Ms),
    ms(one.budgetMs),
    percentText(one.step.p99Ms / one.budgetMs),
    `${countText(one.droppedTicks)} of ${countText(one.ticks + one.droppedTicks)}`,
    one.effectiveSpeed.toFixed(2),
    ms(one.latenessP99Ms),
    ms(one.publishP99Ms),
    ms(one.frame?.p99Ms),
  ]);
  return tableLines([[...head, 'publish', 'page'], ...rows], 1);
}

function limitLines(limit: LimitResult): string[] {
  const budgetMs = 1000 / limit.tickRateHz;
  const rows = limitOf(limit.measurements, budgetMs).counts.map((one) => [
    countText(one.bodies),
    ms(one.p25Ms),
    ms(one.p90Ms),
    one.state,
    String(one.times),
  ]);
  return [
    `${subjectName(limit)}, ${rateText(limit.tickRateHz)} Hz: a step may take ${msText(budgetMs)} ms`,
    ...tableLines([['bodies', 'step p25', 'p90 ms', '', 'times'], ...rows], 0),
  ];
}

const layOut = (sections: readonly (readonly string[])[]): string =>
  sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
