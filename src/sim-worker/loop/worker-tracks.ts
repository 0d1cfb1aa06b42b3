/**
 * Tracks of the worker in the performance panel, with the option `devtools` only: it wraps methods of the loop's parts, so
 * that the loop itself has nothing of it.
 */
import { STATISTICS, WORKER_ACTIVITY } from '../../shared/memory/layout.js';
import { drawEntry, type DrawEntry } from '../../shared/util/development.js';
import type { LoopParts } from './loop-parts.js';

/**
 * Draws the ticks of a loop from now on: each from due to done, its step and its publication; sleep; gaps.
 *
 * @param now The time of this thread's clock, in ms.
 */
export function trackLoop(
  parts: Pick<LoopParts, 'run' | 'schedule' | 'publisher' | 'statistics' | 'words'>,
  draw: DrawEntry = drawEntry,
  now: () => number = () => performance.now(),
): void {
  const { publisher, run, schedule, statistics, words } = parts;
  const { publishState } = publisher;
  const { add, record } = statistics;
  const { setActivity } = words;
  let publication = { latenessMs: 0, startMs: 0, endMs: 0 };
  let asleepMs: number | undefined;

  publisher.publishState = (dueVirtualMs, latenessMs, inputMs, isCut) => {
    const startMs = now();
    publishState.call(publisher, dueVirtualMs, latenessMs, inputMs, isCut);
    publication = { latenessMs, startMs, endMs: now() };
  };
  // After the step and the publication of a tick, and of nothing else that is published.
  statistics.record = (name, durationMs) => {
    record.call(statistics, name, durationMs);
    if (name === 'inputLatency') {
      const endMs = now();
      draw('input to tick', endMs - durationMs, endMs, 'Input to tick', 'secondary');
    }
    if (name !== 'step') return;
    const { latenessMs, startMs, endMs } = publication;
    const { isPaused, periodMs } = schedule;
    // A tick that is stepped by hand is due when it begins.
    const sinceDueMs = isPaused ? durationMs : latenessMs;
    const ofTick = sinceDueMs > periodMs ? 'error' : 'primary';
    draw(`tick ${run.tick}`, startMs - sinceDueMs, endMs, 'Tick', ofTick);
    const ofStep = durationMs > periodMs ? 'error' : 'secondary';
    draw('step', startMs - durationMs, startMs, 'Step', ofStep);
    draw('publish', startMs, endMs, 'Publish', 'tertiary');
  };
  statistics.add = (counter, amount) => {
    add.call(statistics, counter, amount);
    if (counter !== STATISTICS.gapMs || amount === undefined) return;
    const endMs = now();
    draw(`gap of ${amount} ms`, endMs - amount, endMs, 'Gaps', 'error');
  };
  words.setActivity = (activity) => {
    const isAsleep = activity === WORKER_ACTIVITY.idle;
    if (!isAsleep && asleepMs !== undefined) {
      const name = schedule.isPaused ? 'paused' : 'sleep';
      draw(name, asleepMs, now(), 'Sleep', 'secondary');
    }
    asleepMs = isAsleep ? now() : undefined;
    setActivity.call(words, activity);
  };
}
