/**
 * The faults that can be seen of a loop at a moment, in a few words: the badges of its panel. They say what
 * the eye sees and when, without jargon. Pure.
 */
import { drawnBall } from '../engine/index.js';
import { frameIndexAt, framesShownWithin, type ShownFrame, type Timeline } from './timeline.js';

export interface Badge {
  /** `fault`: wrong; `note`: a trade-off; `fine`: as it should be. */
  readonly kind: 'fault' | 'note' | 'fine';
  readonly text: string;
  /** Whether it says that simulated time does not pass at the rate of real time. */
  readonly isOffSpeed?: true;
}

/** How long an event is shown, in ms of virtual time: long enough to be read. */
const EVENT_MS = 800;
/**
 * Motion is evaluated over this window, in ms, if its pace was constant: short enough to be
 * current.
 */
const PACE_MS = 500;
/** A frame that stays longer is noticed as a freeze, in ms. */
const FREEZE_MS = 150;
/** A motion is evaluated after this time, in ms: not by the first frames after a lag. */
const MIN_MS = 100;
/** Smaller deviations of speed are not noticed. */
const SPEED_SLACK = 0.09;
/**
 * The pace has changed where the curve of ages bends by more than the longest step, as a multiple
 * of it: less is due to the steps.
 */
const BEND_STEPS = 1.25;
/** Share of repeats, and unevenness as a share of a frame, from which on they are visible. */
const REPEATS_SHARE = 0.05;
const UNEVEN_SHARE = 0.19;
/** Fewer frames per second are not perceived as motion. */
const FEW_PICTURES = 40;
/** Deeper than this is inside the floor; less is rounding, in units. */
export const IN_FLOOR = -1e-3;

/**
 * The lag behind the clock is not among them: it changes all the time, and the line below the
 * bodies shows it.
 *
 * @returns The badges, faults first; none before the first frame.
 */
export function badgesAt(timeline: Timeline, atMs: number): readonly Badge[] {
  const index = frameIndexAt(timeline, atMs);
  const frame = timeline.frames[index];
  if (frame === undefined) return [];
  const recent = recentFrames(timeline, index, atMs);
  const badges = [...crashes(timeline, atMs), ...frozen(frame, atMs), ...pace(recent)];
  const faults = badges.filter(({ kind }) => kind === 'fault');
  // After a recent freeze nothing is fine, however even the frames since.
  const stoodMs = longestStandstill(timeline, index, atMs);
  if (stoodMs < FREEZE_MS) return [...faults, ...badges.filter(({ kind }) => kind === 'fine')];
  return faults.length > 0 ? faults : [note(`stalled for ${secondsOf(stoodMs)}`)];
}

/**
 * The frames by which the motion is evaluated: those of the window, since the last freeze, and
 * since the pace changed, so that a lag is not mixed with its consequences (nor the frame that was
 * begun before and shown after it), nor catching up with having caught up. If every frame is a
 * freeze, the last three: a frame per second is a loop too.
 */
function recentFrames(timeline: Timeline, index: number, atMs: number): readonly ShownFrame[] {
  const { frames } = timeline;
  const isSlow = index >= 2 && isFrozen(frames, index) && isFrozen(frames, index - 1);
  if (isSlow) return frames.slice(index - 2, index + 1);
  let first = index;
  while (first > 0 && !isFrozen(frames, first) && !isFrozen(frames, first - 1)) {
    if ((frames[first - 1]?.displayedMs ?? 0) <= atMs - PACE_MS) break;
    first -= 1;
  }
  return sinceBend(frames.slice(first, index + 1));
}

function isFrozen(frames: readonly ShownFrame[], index: number): boolean {
  return gapBefore(frames, index) > FREEZE_MS;
}

/**
 * The part after the last sharp bend of the curve of ages: an even pace is a straight line, however
 * steep.
 */
function sinceBend(frames: readonly ShownFrame[]): readonly ShownFrame[] {
  const first = frames[0];
  const last = frames.at(-1);
  if (first === undefined || last === undefined) return frames;
  const spanMs = last.displayedMs - first.displayedMs;
  const slope = spanMs === 0 ? 0 : (last.shownMs - first.shownMs) / spanMs;
  let stepMs = 0;
  let bendMs = 0;
  let bendIndex = 0;
  for (const [index, frame] of frames.entries()) {
    const before = frames[index - 1] ?? frame;
    stepMs = Math.max(
      stepMs,
      frame.displayedMs - before.displayedMs,
      Math.abs(frame.shownMs - before.shownMs),
    );
    const lineMs = first.shownMs + slope * (frame.displayedMs - first.displayedMs);
    const awayMs = Math.abs(frame.shownMs - lineMs);
    if (awayMs > bendMs) {
      bendMs = awayMs;
      bendIndex = index;
    }
  }
  return bendMs > BEND_STEPS * stepMs ? sinceBend(frames.slice(bendIndex)) : frames;
}

/** How long the frame before one was displayed, in ms. */
function gapBefore(frames: readonly ShownFrame[], index: number): number {
  return (frames[index]?.displayedMs ?? 0) - (frames[index - 1]?.displayedMs ?? 0);
}

/** Bodies at impossible places. */
function crashes(timeline: Timeline, atMs: number): readonly Badge[] {
  const latest = framesShownWithin(timeline, atMs - EVENT_MS, atMs).filter(
    ({ displayedMs }) => displayedMs <= atMs,
  );
  const badges: Badge[] = [];
  if (latest.some(({ shotFate }) => shotFate === 'through')) badges.push(fault('through the wall'));
  if (latest.some((frame) => drawnBall(frame) < IN_FLOOR)) badges.push(fault('inside the floor'));
  return badges;
}

function frozen({ displayedMs }: ShownFrame, atMs: number): readonly Badge[] {
  const ms = atMs - displayedMs;
  return ms < FREEZE_MS ? [] : [fault(`no frame for ${secondsOf(ms)}`)];
}

/** The longest time that a frame stayed within the window, in ms. */
function longestStandstill(timeline: Timeline, index: number, atMs: number): number {
  const { frames } = timeline;
  let maxMs = atMs - (frames[index]?.displayedMs ?? atMs);
  for (let at = index; at > 0 && (frames[at]?.displayedMs ?? 0) > atMs - EVENT_MS; at--) {
    maxMs = Math.max(maxMs, gapBefore(frames, at));
  }
  return maxMs;
}

/** Whether simulated time passes at the rate of real time, and evenly. */
function pace(all: readonly ShownFrame[]): readonly Badge[] {
  // Before the first update nothing could move.
  const recent = all.filter(({ shownMs }) => shownMs > 0);
  const first = recent[0];
  const last = recent.at(-1);
  if (first === undefined || last === undefined || recent.length < 3) return [];
  const tookMs = last.displayedMs - first.displayedMs;
  if (tookMs < MIN_MS) return [];
  const movedMs = last.shownMs - first.shownMs;
  const speed = movedMs / tookMs;
  // If frames advance by different amounts, the number that fits into the window varies as much.
  const isOff = Math.abs(movedMs - tookMs) > SPEED_SLACK * tookMs + spread(recent);
  const text = `${speed.toFixed(speed < 10 ? 1 : 0)} × speed`;
  const rate = ((recent.length - 1) * 1000) / tookMs;
  const even = evenness(recent, speed, rate);
  if (!isOff) return [fine('right speed'), even];
  const motion = speed < 1 ? 'slow motion' : 'fast motion';
  const off: Badge = { ...fault(`${motion}, ${text}`), isOffSpeed: true };
  return even.kind === 'fault' ? [off, even] : [off];
}

/** How much the frames vary in what they gain or lose on the clock, in ms. */
function spread(recent: readonly ShownFrame[]): number {
  const gains = recent.slice(1).map((frame, index) => {
    const before = recent[index] ?? frame;
    return frame.shownMs - before.shownMs - (frame.displayedMs - before.displayedMs);
  });
  return Math.max(...gains) - Math.min(...gains);
}

function evenness(recent: readonly ShownFrame[], speed: number, rate: number): Badge {
  const repeats = recent.filter(({ isRepeat }) => isRepeat).length / recent.length;
  if (repeats > REPEATS_SHARE) return fault(`${Math.round(100 * repeats)} % repeats`);
  const isUneven = unevenness(recent, speed) > UNEVEN_SHARE;
  if (rate >= FEW_PICTURES) return isUneven ? fault('uneven') : fine('smooth');
  const count = rate < 1.5 ? rate.toFixed(1) : String(Math.round(rate));
  return fault(`${isUneven ? 'uneven, ' : ''}only ${count} frames/s`);
}

/** Mean error of a frame's motion, as a share of the mean motion. */
function unevenness(recent: readonly ShownFrame[], speed: number): number {
  let errorMs = 0;
  let movedMs = 0;
  for (const [index, frame] of recent.entries()) {
    const before = recent[index - 1];
    if (before === undefined) continue;
    const stoodMs = frame.displayedMs - before.displayedMs;
    errorMs += Math.abs(frame.shownMs - before.shownMs - speed * stoodMs);
    movedMs += speed * stoodMs;
  }
  return movedMs <= 0 ? 0 : errorMs / movedMs;
}

function secondsOf(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

const fault = (text: string): Badge => ({ kind: 'fault', text });
const fine = (text: string): Badge => ({ kind: 'fine', text });
const note = (text: string): Badge => ({ kind: 'note', text });
