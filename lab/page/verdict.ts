/**
 * What there is to be seen of a loop at a moment, in a few words: the signs on its panel. They say what the
 * eye sees and when, so that nobody has to know a word of game loops beforehand. Pure.
 */
import { drawnBall } from '../engine/index.js';
import { frameIndexAt, framesShownWithin, type ShownFrame, type Timeline } from './timeline.js';

export interface Sign {
  /** `fault`: wrong; `note`: has its price; `fine`: as it should be. */
  readonly kind: 'fault' | 'note' | 'fine';
  readonly text: string;
}

/** Signs are about so much of the past, in ms of virtual time: long enough to be read, short enough to be now. */
const WINDOW_MS = 800;
/** A picture that stands longer is noticed as standing, in ms. */
const STANDING_MS = 150;
/** A motion is judged after so much of it, in ms: not by the first pictures after a lag. */
const LEAST_MS = 200;
/** Speeds off by less are the edges of the window. */
const SPEED_SLACK = 0.12;
/** Share of repeats, and unevenness as a share of a frame, from which on they are seen. */
const REPEATS_SHARE = 0.05;
const UNEVEN_SHARE = 0.2;
/** Fewer pictures a second do not make a motion. */
const FEW_PICTURES = 40;
/** Lower is inside the floor and no rounding, in units. */
export const IN_FLOOR = -1e-3;

/**
 * How far the pictures are from the clock is not among them: it changes all the time, and the line below the
 * bodies tells it.
 *
 * @returns The signs, faults first; none before there is a picture.
 */
export function signsAt(timeline: Timeline, atMs: number): readonly Sign[] {
  const index = frameIndexAt(timeline, atMs);
  const frame = timeline.frames[index];
  if (frame === undefined) return [];
  const recent = recentFrames(timeline, index, atMs);
  const signs = [...crashes(timeline, atMs), ...standing(frame, atMs), ...pace(recent)];
  const faults = signs.filter(({ kind }) => kind === 'fault');
  // Where the picture stood still a moment ago nothing is as it should be, however even the pictures since.
  const stoodMs = longestStandstill(timeline, index, atMs);
  if (stoodMs < STANDING_MS) return [...faults, ...signs.filter(({ kind }) => kind === 'fine')];
  return faults.length > 0 ? faults : [note(`stood still for ${secondsOf(stoodMs)}`)];
}

/**
 * Those of the window since the picture last stood still, so that a lag is not mixed with what comes of it
 * (nor the picture that was begun before and shown after it); and never fewer than the last three: a picture a
 * second is a loop too.
 */
function recentFrames(timeline: Timeline, index: number, atMs: number): readonly ShownFrame[] {
  const { frames } = timeline;
  let first = index;
  for (;;) {
    const frame = frames[first];
    const before = frames[first - 1];
    if (frame === undefined || before === undefined) break;
    const isOut = before.displayedMs <= atMs - WINDOW_MS;
    const isAfterLag =
      gapBefore(frames, first) > STANDING_MS || gapBefore(frames, first - 1) > STANDING_MS;
    if (index - first >= 2 && (isOut || isAfterLag)) break;
    first -= 1;
  }
  return frames.slice(first, index + 1);
}

/** How long the picture before one stood, in ms. */
function gapBefore(frames: readonly ShownFrame[], index: number): number {
  return (frames[index]?.displayedMs ?? 0) - (frames[index - 1]?.displayedMs ?? 0);
}

/** Things where they cannot be. */
function crashes(timeline: Timeline, atMs: number): readonly Sign[] {
  const latest = framesShownWithin(timeline, atMs - WINDOW_MS, atMs).filter(
    ({ displayedMs }) => displayedMs <= atMs,
  );
  const signs: Sign[] = [];
  if (latest.some(({ shotFate }) => shotFate === 'through')) signs.push(fault('through the wall'));
  if (latest.some((frame) => drawnBall(frame) < IN_FLOOR)) signs.push(fault('inside the floor'));
  return signs;
}

function standing({ displayedMs }: ShownFrame, atMs: number): readonly Sign[] {
  const ms = atMs - displayedMs;
  return ms < STANDING_MS ? [] : [fault(`no picture for ${secondsOf(ms)}`)];
}

/** The longest that a picture has stood of those that were on the screen within the window, in ms. */
function longestStandstill(timeline: Timeline, index: number, atMs: number): number {
  const { frames } = timeline;
  let longestMs = atMs - (frames[index]?.displayedMs ?? atMs);
  for (let at = index; at > 0 && (frames[at]?.displayedMs ?? 0) > atMs - WINDOW_MS; at--) {
    longestMs = Math.max(longestMs, gapBefore(frames, at));
  }
  return longestMs;
}

/** Whether simulated time passes as real time does, and evenly. */
function pace(all: readonly ShownFrame[]): readonly Sign[] {
  // Before the first update nothing could move.
  const recent = all.filter(({ shownMs }) => shownMs > 0);
  const first = recent[0];
  const last = recent.at(-1);
  if (first === undefined || last === undefined || recent.length < 3) return [];
  const shownMs = last.displayedMs - first.displayedMs;
  if (shownMs < LEAST_MS) return [];
  const speed = (last.shownMs - first.shownMs) / shownMs;
  const isOff = Math.abs(speed - 1) > SPEED_SLACK;
  const text = `${speed.toFixed(speed < 10 ? 1 : 0)} × speed`;
  const rate = ((recent.length - 1) * 1000) / shownMs;
  const even = evenness(recent, speed, rate);
  if (!isOff) return [fine('right speed'), even];
  const off = fault(speed < 1 ? `slow motion, ${text}` : `fast motion, ${text}`);
  return even.kind === 'fault' ? [off, even] : [off];
}

function evenness(recent: readonly ShownFrame[], speed: number, rate: number): Sign {
  const repeats = recent.filter(({ isRepeat }) => isRepeat).length / recent.length;
  if (repeats > REPEATS_SHARE) return fault(`${Math.round(100 * repeats)} % repeats`);
  if (unevenness(recent, speed) > UNEVEN_SHARE) return fault('uneven');
  if (rate >= FEW_PICTURES) return fine('smooth');
  const count = Math.round(rate);
  return fault(`only ${count} ${count === 1 ? 'picture' : 'pictures'}/s`);
}

/** Mean error of a picture's motion, as a share of the mean motion. */
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

const fault = (text: string): Sign => ({ kind: 'fault', text });
const fine = (text: string): Sign => ({ kind: 'fine', text });
const note = (text: string): Sign => ({ kind: 'note', text });
