/** Converts the worker's numbers to the measurements of one repeat. */
import type { RepeatMeasurement, TickTime } from '../engine/index.js';
import { TICK_NUMBERS, type LoggedTicks } from '../worker/tick-log.js';

/**
 * @param logged At least one tick.
 * @param controlMs Durations of the control calls during the measurement.
 */
export function repeatOf(
  logged: LoggedTicks,
  tickRateHz: number,
  controlMs: readonly number[],
): RepeatMeasurement {
  const periodMs = 1000 / tickRateHz;
  const ticks = ticksOf(logged.ticks);
  const droppedTicks = droppedIn(ticks, periodMs);
  return {
    ticks,
    latenessMs: wakeUpsOf(ticks),
    seconds: logged.seconds,
    droppedTicks,
    effectiveSpeed: Math.min(
      ticks.length / (ticks.length + droppedTicks),
      speedByTime(ticks, periodMs),
    ),
    controlMs,
    gaps: logged.gaps,
  };
}

function ticksOf(numbers: Float64Array): TickTime[] {
  const originMs = numbers[0] ?? 0;
  return Array.from({ length: numbers.length / TICK_NUMBERS }, (_, index) => {
    const at = (field: number): number => numbers[index * TICK_NUMBERS + field] ?? Number.NaN;
    return {
      dueMs: at(0) - originMs,
      startMs: at(1) - originMs,
      stepMs: at(2),
      publishMs: at(3),
    };
  });
}

/** Dropped ticks leave a gap between the due times of two that ran. */
function droppedIn(ticks: readonly TickTime[], periodMs: number): number {
  let dropped = 0;
  for (const [index, { dueMs }] of ticks.entries()) {
    const before = ticks[index - 1];
    if (before !== undefined) dropped += Math.round((dueMs - before.dueMs) / periodMs) - 1;
  }
  return dropped;
}

/**
 * Simulated time over real time. When a few long steps fill the whole measurement, they may be of a
 * single catch-up, which drops nothing in between. A period of slack for where it begins and ends.
 */
function speedByTime(ticks: readonly TickTime[], periodMs: number): number {
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (first === undefined || last === undefined) return 1;
  const tookMs = last.startMs + last.stepMs + last.publishMs - first.startMs - periodMs;
  const simulatedMs = ticks.length * periodMs;
  return simulatedMs / Math.max(simulatedMs, tookMs);
}

/** Of ticks before which the worker slept; of all of them if it never could. */
function wakeUpsOf(ticks: readonly TickTime[]): number[] {
  const slept = ticks.filter(({ dueMs }, index) => {
    const before = ticks[index - 1];
    return before !== undefined && before.startMs + before.stepMs + before.publishMs < dueMs;
  });
  return (slept.length === 0 ? ticks : slept).map(({ dueMs, startMs }) => startMs - dueMs);
}
