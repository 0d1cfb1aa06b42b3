/** The figures of a case as columns: the terminal's table and the report's show the same. */
import {
  bodiesText,
  countText,
  megabytesText,
  msText,
  percentText,
  rateText,
  speedText,
} from './format.js';
import type { CaseResult } from './result.js';

export interface Column {
  /** Two lines; the second has the unit. */
  readonly title: readonly [string, string];
  /** Empty where a case has no such figure. */
  readonly cell: (result: CaseResult) => string;
}

const ms = (value: number | undefined): string => (value === undefined ? '' : msText(value));
const count = (value: number | undefined): string => (value === undefined ? '' : countText(value));

/** Distinguishes the cases of one subject. */
export const CASE_COLUMNS: readonly Column[] = [
  { title: ['', 'bodies'], cell: ({ bodies }) => bodiesText(bodies) },
  { title: ['', 'Hz'], cell: ({ tickRateHz }) => rateText(tickRateHz) },
];

export const TICK_COLUMNS: readonly Column[] = [
  { title: ['step', 'p50 ms'], cell: ({ stepMs }) => ms(stepMs.p50) },
  { title: ['', 'p95'], cell: ({ stepMs }) => ms(stepMs.p95) },
  { title: ['', 'p99'], cell: ({ stepMs }) => ms(stepMs.p99) },
  { title: ['', 'max'], cell: ({ stepMs }) => ms(stepMs.max) },
  { title: ['budget', 'ms'], cell: ({ budgetMs }) => ms(budgetMs) },
  { title: ['p99 of', 'budget'], cell: ({ budgetShare }) => percentText(budgetShare) },
  { title: ['late', 'ticks'], cell: ({ deadlineMisses }) => count(deadlineMisses) },
  { title: ['', 'dropped'], cell: ({ droppedTicks }) => count(droppedTicks) },
  { title: ['', 'speed'], cell: ({ effectiveSpeed }) => speedText(effectiveSpeed) },
  { title: ['wake-up', 'p99 ms'], cell: ({ latenessMs }) => ms(latenessMs.p99) },
  { title: ['publish', 'p99 ms'], cell: ({ publishMs }) => ms(publishMs.p99) },
  { title: ['control', 'p99 ms'], cell: ({ controlMs }) => ms(controlMs?.p99) },
];

export const FRAME_COLUMNS: readonly Column[] = [
  { title: ['frames', 'Hz'], cell: ({ frame }) => (frame === null ? '' : rateText(frame.rateHz)) },
  { title: ['page cost', 'p50 ms'], cell: ({ frame }) => ms(frame?.costMs.p50) },
  { title: ['', 'p95'], cell: ({ frame }) => ms(frame?.costMs.p95) },
  { title: ['', 'p99'], cell: ({ frame }) => ms(frame?.costMs.p99) },
  { title: ['', 'max'], cell: ({ frame }) => ms(frame?.costMs.max) },
  { title: ['animation', 'error ms'], cell: ({ frame }) => ms(frame?.animationErrorMs.mean) },
  { title: ['', 'p99'], cell: ({ frame }) => ms(frame?.animationErrorMs.p99) },
  { title: ['', 'max'], cell: ({ frame }) => ms(frame?.animationErrorMs.max) },
  { title: ['', 'starved'], cell: ({ frame }) => count(frame?.starved) },
  { title: ['', 'repeated'], cell: ({ frame }) => count(frame?.repeated) },
  { title: ['', 'resets'], cell: ({ frame }) => count(frame?.resets) },
  { title: ['worker', 'MB'], cell: ({ memory }) => megabytes(memory?.workerMB) },
  { title: ['page', 'MB'], cell: ({ memory }) => megabytes(memory?.pageMB) },
];

/** Columns that have a value for at least one of the cases. */
export function filledColumns(columns: readonly Column[], cases: readonly CaseResult[]): Column[] {
  return columns.filter(({ cell }) => cases.some((one) => cell(one) !== ''));
}

function megabytes(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : megabytesText(value);
}
