/**
 * The core of the benchmark: its results, and how limits and growth are found. Pure; no clock, no
 * DOM, no Node.
 */
export { type Column } from './columns.js';
export { changeOf, compareResults, isNarrow, type Change, type Comparison } from './compare.js';
export { estimateOf, type Estimate } from './estimate.js';
export * from './format.js';
export { growthOf } from './growth.js';
export { GRID_STEP, findHeadroom } from './headroom.js';
export { medianOf } from './isotonic.js';
export { measurementsOf } from './limit.js';
export { isOverloaded, isWithinBudget, missShare, overloadText } from './overload.js';
export { planWork, probeLengthOf, secondsLeft, type PlannedWork } from './progress.js';
export {
  RESULT_FORMAT,
  RESULT_VERSION,
  groupBy,
  keyText,
  requireResult,
  subjectText,
  type BenchOptions,
  type BenchResult,
  type CaseFailure,
  type CaseKey,
  type CaseResult,
  type Distribution,
  type FrameResult,
  type HeadroomResult,
  type Machine,
  type Measurement,
  type MemoryResult,
  type Runtime,
  type Subject,
  type TickTime,
} from './result.js';
export { caseResultOf, distributionOf, quantileOf, type RepeatMeasurement } from './samples.js';
export { comparisonSummary, machineLines, subjectName, summaryOf } from './summary.js';
export { tableLines } from './table.js';
export { studentT } from './student-t.js';
export { verdictsOf } from './verdict.js';
