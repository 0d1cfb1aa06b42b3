/**
 * The core of the benchmark: its results, and how limits and growth are found. Pure; no clock, no
 * DOM, no Node.
 */
export { BenchResultError } from './schema.js';
export {
  CASE_COLUMNS,
  FRAME_COLUMNS,
  TICK_COLUMNS,
  filledColumns,
  type Column,
} from './columns.js';
export {
  changeOf,
  compareResults,
  isNarrow,
  type Change,
  type ChangeKind,
  type ComparedCase,
  type Comparison,
} from './compare.js';
export * from './format.js';
export { fitGrowth, growthOf, type Growth, type GrowthPoint } from './growth.js';
export { GRID_STEP, findHeadroom, type Headroom, type HeadroomOptions } from './headroom.js';
export { interruptedOf, interruptionsIn } from './interruptions.js';
export { medianOf, poolViolators, levelsOf } from './isotonic.js';
export { LIMIT_CONFIDENCE, fitLimit, measurementsOf, type Limit } from './limit.js';
export { isOverloaded, isWithinBudget, missShare, overloadText } from './overload.js';
export { planWork, probeLengthOf, secondsLeft, type PlannedWork } from './progress.js';
export {
  RESULT_FORMAT,
  RESULT_VERSION,
  RUNTIMES,
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
  type GrowthResult,
  type HeadroomResult,
  type Machine,
  type Measurement,
  type MemoryResult,
  type Repeat,
  type Runtime,
  type Subject,
  type TickTime,
} from './result.js';
export {
  caseResultOf,
  distributionOf,
  doneAfterDueMs,
  percentileCurveOf,
  quantileOf,
  worstSecondOf,
  type RepeatMeasurement,
} from './samples.js';
export {
  caseText,
  changeText,
  comparisonSummary,
  exponentText,
  lengthText,
  machineLines,
  subjectName,
  summaryOf,
} from './summary.js';
export { CONFIDENCE, studentT } from './student-t.js';
export { verdictsOf, type Verdict, type VerdictTone } from './verdict.js';
