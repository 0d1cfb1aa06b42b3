/**
 * How often the machine interrupted the worker: it wanted to run, and did not. The duration of a step
 * alone cannot show that, because steps may differ. Two things do not depend on the simulation: how late
 * the worker wakes, and whether a loop without any work is ever held up. Where these
 * show interruptions, steps that take much longer than usual are counted as well.
 */
import { medianOf } from './isotonic.js';
import type { Interrupted } from './result.js';

/** How much longer than usual counts, in ms: the time that systems give another thread at least. */
const LATE_MS = 4;
/** How many times its usual duration a long step takes. */
const LONG_STEP = 2;
/** More long steps for each interruption are the simulation's own. */
const MAX_LONG_STEPS = 5;
/** The p99 is what this share of the steps exceeds: as many interruptions can change it. */
const DISTURBING_SHARE = 0.01;

/**
 * @param wakeUpsMs How late the worker woke.
 * @param gaps How often a loop without work was held up.
 */
export function interruptedOf(
  stepsMs: readonly number[],
  wakeUpsMs: readonly number[],
  gaps: number,
): Interrupted {
  return {
    ticks: stepsMs.length,
    interruptions: gaps + outliersIn(wakeUpsMs, 0),
    longSteps: outliersIn(stepsMs, LONG_STEP),
  };
}

function outliersIn(valuesMs: readonly number[], factor: number): number {
  const usualMs = medianOf(valuesMs);
  const limitMs = Math.max(usualMs + LATE_MS, usualMs * factor);
  return valuesMs.filter((ms) => ms > limitMs).length;
}

/** Number of interruptions in each of the measurements, which are of one machine. */
export function interruptionsIn(all: readonly Interrupted[]): number[] {
  const certain = sum(all.map(({ interruptions }) => interruptions));
  const long = sum(all.map(({ longSteps }) => longSteps));
  const isByMachine = long <= MAX_LONG_STEPS * certain;
  return all.map(({ interruptions, longSteps }) => interruptions + (isByMachine ? longSteps : 0));
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** Whether this number of interruptions may have changed the p99. */
export const areDisturbing = (interruptions: number, ticks: number): boolean =>
  interruptions > 0 && interruptions >= DISTURBING_SHARE * ticks;
