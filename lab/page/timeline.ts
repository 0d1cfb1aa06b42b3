/**
 * A run's trace in the form that drawing needs: by lane, in order, found by time. Pure.
 *
 * Everything is on the clock: a state shows the bodies at the moment that it represents, its due
 * time, so that what is drawn can be compared with where they truly are then. A loop that updates
 * at the start of its slot has simulated a step more by that moment; for it the bodies start a step
 * later. The engine, which compares the bodies only with themselves, starts them with the first
 * step, so that in two such runs the ball meets its floor, and the shot its wall, a step apart.
 *
 * Unlike in `latencyMs`, time dropped or lost in slow motion counts here: it is the visible lag of
 * the frame behind the clock.
 */
import {
  drawnShot,
  shownMs,
  Shots,
  type DrawnTime,
  type FrameSpan,
  type IdleSpan,
  type ShotFate,
  type TraceSpan,
  type UpdateSpan,
} from '../engine/index.js';

/** A frame with what it showed. */
export interface ShownFrame extends FrameSpan {
  /** The frame's moment on the clock, in ms: its due time, less what was lost by then. */
  readonly shownMs: number;
  /** Where it showed the shot at the wall, in distances from muzzle to face. */
  readonly shotPosition: number;
  readonly shotFate: ShotFate;
  /** Whether it showed the same as the one before, although the simulation had begun to move. */
  readonly isRepeat: boolean;
}

export interface Timeline {
  readonly updates: readonly UpdateSpan[];
  readonly frames: readonly ShownFrame[];
  /** Waits for the display, sleeps, and refreshes of the counters. */
  readonly idle: readonly IdleSpan[];
  readonly endMs: number;
}

export function createTimeline(spans: readonly TraceSpan[]): Timeline {
  const updates: UpdateSpan[] = [];
  const frames: ShownFrame[] = [];
  const idle: IdleSpan[] = [];
  const shots = new Shots();
  let simulatedMs = 0;
  let hasMoved = false;
  let endMs = 0;
  const leadMs = spans.find((span) => span.kind === 'frame')?.leadMs ?? 0;
  for (const span of spans) {
    endMs = Math.max(endMs, span.endMs);
    if (span.kind === 'update') {
      updates.push(span);
      simulatedMs += span.stepMs;
      shots.update(simulatedMs - leadMs);
    } else if (span.kind === 'frame') {
      const { previous, current } = shots;
      const isRepeat = span.isRepeat && hasMoved;
      hasMoved ||= shownMs(span) > 0;
      const drawn = onClock(span, updates.length > 0);
      frames.push({
        ...span,
        ...drawn,
        shownMs: shownMs(drawn),
        shotPosition: drawnShot(previous, current, drawn.alpha, drawn.predictMs),
        shotFate: current.fate,
        isRepeat,
      });
    } else if (span.kind !== 'pass') idle.push(span);
  }
  return { updates, frames, idle, endMs };
}

/** Before the first update there is no state: the initial one counts as that of 0. */
function onClock(span: FrameSpan, hasUpdates: boolean): DrawnTime {
  const { previousMs, currentMs, alpha, predictMs, leadMs } = span;
  return hasUpdates
    ? { previousMs: previousMs - leadMs, currentMs: currentMs - leadMs, alpha, predictMs }
    : { previousMs: 0, currentMs: 0, alpha, predictMs: Math.max(0, predictMs - leadMs) };
}

/** Number of items up to a time; times never decrease. */
export function countUpTo<T>(
  items: readonly T[],
  limit: number,
  timeOf: (item: T) => number,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && timeOf(item) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

const startOf = (span: { readonly startMs: number }): number => span.startMs;
const displayOf = (frame: ShownFrame): number => frame.displayedMs;

/** Index of the frame that the display shows at a time; −1 before the first. */
export function frameIndexAt(timeline: Timeline, ms: number): number {
  return countUpTo(timeline.frames, ms, displayOf) - 1;
}

/** Spans that are at least partly between two times. Those of one lane do not overlap. */
export function spansWithin<T extends { readonly startMs: number; readonly endMs: number }>(
  spans: readonly T[],
  fromMs: number,
  toMs: number,
): readonly T[] {
  // The one before the first that begins inside may reach into it.
  const first = Math.max(0, countUpTo(spans, fromMs, startOf) - 1);
  return spans.slice(first, countUpTo(spans, toMs, startOf));
}

/**
 * Frames on the display within a time, and the neighbours on both sides, so that a line continues
 * to the edges.
 */
export function framesShownWithin(
  timeline: Timeline,
  fromMs: number,
  toMs: number,
): readonly ShownFrame[] {
  const { frames } = timeline;
  const first = Math.max(0, countUpTo(frames, fromMs, displayOf) - 1);
  return frames.slice(first, countUpTo(frames, toMs, displayOf) + 1);
}

/** The next frame displayed after a time, or the last before it. */
export function neighbourFrame(
  timeline: Timeline,
  ms: number,
  direction: 1 | -1,
): ShownFrame | undefined {
  const { frames } = timeline;
  // A frame at exactly this time is the one to leave.
  const slack = 1e-6;
  if (direction === 1) return frames[countUpTo(frames, ms + slack, displayOf)];
  return frames[countUpTo(frames, ms - slack, displayOf) - 1];
}

/** How far a frame is behind the clock when it is displayed. A flat line is smooth. */
export function ageOf(frame: ShownFrame): number {
  return frame.displayedMs - frame.shownMs;
}

/**
 * How far the display lags behind the clock at a moment, in ms; below 0 it is ahead. It grows while
 * a frame stays. Undefined before the first.
 */
export function lagAt(timeline: Timeline, atMs: number): number | undefined {
  const frame = timeline.frames[frameIndexAt(timeline, atMs)];
  return frame === undefined ? undefined : atMs - frame.shownMs;
}
