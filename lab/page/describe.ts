/** Describes a block of the chart in words: for the pointer, and for screen readers. Pure. */
import type { IdleSpan, UpdateSpan } from '../engine/index.js';
import type { Lane } from './chart-layout.js';
import { ageOf, countUpTo, type ShownFrame, type Timeline } from './timeline.js';

export const ms = (value: number, digits = 1): string =>
  `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ms`;

interface Block {
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Finds and describes the block of a lane at a time.
 *
 * @param slackMs How far outside a block still counts, for blocks that are too narrow to hit.
 */
export function describeBlock(
  timeline: Timeline,
  lane: Lane,
  atMs: number,
  slackMs: number,
): string | undefined {
  if (lane === 'update') {
    const index = blockIndex(timeline.updates, atMs, slackMs);
    const update = timeline.updates[index];
    return update && describeUpdate(update, index);
  }
  if (lane === 'frame') {
    const index = blockIndex(timeline.frames, atMs, slackMs);
    const frame = timeline.frames[index] ?? shownAt(timeline, atMs, slackMs);
    return frame && describeFrame(frame, timeline.frames.indexOf(frame));
  }
  const idle = timeline.idle[blockIndex(timeline.idle, atMs, slackMs)];
  return idle && describeIdle(idle);
}

export function describeFrame(frame: ShownFrame, index: number): string {
  const { startMs, endMs, displayedMs, alpha, predictMs, isRepeat } = frame;
  const position =
    predictMs > 0
      ? `${ms(predictMs)} beyond the newest state`
      : alpha < 1
        ? `${Math.round(alpha * 100)} % of the way between two states`
        : 'the newest state';
  return (
    `Frame ${index + 1}: drawn in ${ms(endMs - startMs)}, displayed at ${ms(displayedMs)}. ` +
    `It shows ${position}, ${ageInWords(ageOf(frame))}` +
    `${isRepeat ? ', a repeat of the previous frame' : ''}.`
  );
}

export function ageInWords(ageMs: number): string {
  if (Math.abs(ageMs) < 0.05) return 'exactly on time';
  return ageMs > 0 ? `${ms(ageMs)} behind the clock` : `${ms(-ageMs)} ahead of the clock`;
}

/** For numbers that change while they are read: in steps that do not flicker. */
export function lagInWords(lagMs: number): string {
  const size = Math.abs(lagMs);
  const step = size < 100 ? 5 : size < 1000 ? 10 : 100;
  const rounded = Math.round(size / step) * step;
  if (rounded === 0) return 'on time';
  const length = rounded < 1000 ? `${rounded} ms` : `${(rounded / 1000).toFixed(1)} s`;
  return lagMs > 0 ? `${length} behind` : `${length} ahead`;
}

function describeUpdate(update: UpdateSpan, index: number): string {
  const { startMs, endMs, stepMs, dueMs } = update;
  return (
    `Update ${index + 1} at ${ms(startMs)}: takes ${ms(endMs - startMs)} and simulates ${ms(stepMs)}. ` +
    `Its state stands for ${ms(dueMs)}.`
  );
}

function describeIdle({ kind, startMs, endMs }: IdleSpan): string {
  const length = ms(endMs - startMs);
  if (kind === 'wait') return `The frame is done and waits ${length} for the display.`;
  if (kind === 'sleep') return `The loop sleeps for ${length}: nothing is due.`;
  return `The counters are updated in ${length}.`;
}

function blockIndex(blocks: readonly Block[], atMs: number, slackMs: number): number {
  const before = countUpTo(blocks, atMs, (block) => block.startMs) - 1;
  for (const index of [before, before + 1]) {
    const block = blocks[index];
    if (block && atMs >= block.startMs - slackMs && atMs <= block.endMs + slackMs) return index;
  }
  return -1;
}

/** The frame whose dot is there. */
function shownAt(timeline: Timeline, atMs: number, slackMs: number): ShownFrame | undefined {
  return timeline.frames.find(({ displayedMs }) => Math.abs(displayedMs - atMs) <= slackMs);
}
