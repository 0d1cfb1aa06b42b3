/**
 * The core of the benchmark: its results, and how many bodies a device simulates. Pure; no clock, no
 * DOM, no Node.
 */
export { changeOf, compareResults, type Change, type Comparison } from './compare.js';
export * from './format.js';
export { limitOf, nextCount, roundCount, type CountState, type Limit } from './limit.js';
export * from './result.js';
export { distributionOf, medianOf } from './samples.js';
export { sentenceOf, whatIn, type Answer } from './sentence.js';
export { comparisonSummary, machineLines, summaryOf } from './summary.js';
