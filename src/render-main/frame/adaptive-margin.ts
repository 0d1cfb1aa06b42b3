/**
 * The margin of a timeline, from the lateness of publications and the rhythm of the display:
 *
 *     LatenessWindow   how late ticks were in the last seconds  ──▶ the shortest margin that suffices
 *     FrameRhythm      when the display draws its next frames   ──▶ when a tick has to begin
 */
import type { InterpolationMode } from '../api/connect-options.js';
import { CONTROL, type SlotViews, STATE_HEADER } from '../../shared/memory/layout.js';
import type { Frame } from './frame.js';

/** The margin exceeds the lateness to cover by this much, in ms: the worker reads its clock before it publishes. */
const HEADROOM_MS = 0.2;
/** A margin that is only this much too long stays, in ms: each change is an animation error. */
const SLACK_MS = 0.5;
/**
 * A freeze in spite of the margin adds this much, in ms, and each frame takes a thousandth of it. So at most one frame in
 * a thousand begins a freeze, even if frames keep the worst phase to the ticks, as on a display with the ticks' rate.
 */
const FREEZE_MS = 1;
const FREEZE_SHARE = 0.001;
/** A frame needs the ticks that are due up to this much after its time, in ms: its stamp and the delay are not exact. */
const NEEDED_MS = 0.25;

export class AdaptiveMargin {
  marginMs = 0;
  // Inputs. Fields instead of arguments, as in the timeline: no numbers are boxed.
  /** The margin until the lateness is known, in ms, and the most that freezes add. */
  startMs = Number.NaN;
  /** The drawing froze with the delay that was wanted. */
  isFrozen = false;
  /** Time since the next tick was due, if the frame does not have it yet, in ms; at most 0 if it is not due. */
  overdueMs = 0;
  /** How far time stamps lie ahead of the time at which frames are drawn, in ms. */
  leadMs = 0;
  readonly lateness = new LatenessWindow();
  readonly rhythm = new FrameRhythm();
  #addedMs = 0;

  /** For each frame: takes the states from the first one on. */
  advance(slot: SlotViews, first: number, newest: number): void {
    const { lateness, startMs } = this;
    this.#addedMs = Math.max(0, this.#addedMs - FREEZE_SHARE * FREEZE_MS);
    if (first <= newest) {
      lateness.update(slot, first, newest);
      if (this.isFrozen && lateness.isKnown && !lateness.isHitch) {
        this.#addedMs = Math.min(startMs, this.#addedMs + FREEZE_MS);
      }
      this.isFrozen = false;
    }
    const neededMs = lateness.neededMs + HEADROOM_MS + this.#addedMs;
    if (!lateness.isKnown) this.marginMs = Math.max(startMs, neededMs);
    else if (neededMs > this.marginMs || neededMs < this.marginMs - SLACK_MS) {
      this.marginMs = neededMs;
    }
  }

  /**
   * Ends a frame: lets the worker begin ticks as late as frames need them, so that they have the newest inputs.
   *
   *     frames            f           f           f           f        needs the ticks due up to its stamp − margin
   *     due        k           k+1         k+2         k+3
   *     begins     └──wait─k   └──wait─k+1 └──wait─k+2                 a lead before the first frame that needs it
   *
   * @param frameMs Its time stamp, in ms.
   * @param frame The frame before.
   * @param control The control words; undefined: there are none.
   */
  follow(
    frameMs: number,
    frame: Frame,
    mode: InterpolationMode,
    control: Int32Array | undefined,
  ): void {
    const { lateness, rhythm, overdueMs, leadMs } = this;
    const marginMs = frame.delayMs - lateness.periodMs - leadMs;
    rhythm.add(frameMs);
    // While they wait, only a tick that the frame needs is late: by its lead, or more if earlier frames needed it.
    if (frame.paused) lateness.missedMs = 0;
    else if (lateness.frameMs === 0) lateness.missedMs = overdueMs;
    else if (!(overdueMs >= marginMs)) lateness.missedMs = 0;
    else lateness.missedMs = Math.max(lateness.leadMs, overdueMs - lateness.frameMs);
    // If the memory is not shared, nothing reads the words.
    if (control === undefined || control.buffer instanceof ArrayBuffer) return;
    const isFollowing = frame.following && !frame.paused && mode === 'interpolate';
    const isTimed = isFollowing && rhythm.isSteady;
    lateness.frameMs = isTimed ? rhythm.periodMs : 0;
    const isWaiting = isTimed && lateness.isKnown;
    // A tick that is almost needed by a frame counts as needed, and one that soon will be, because the delay decreases.
    const usedMs = Math.min(marginMs, frame.marginMs) - NEEDED_MS;
    const earlyMs = lateness.leadMs + HEADROOM_MS + this.#addedMs - usedMs;
    Atomics.store(control, CONTROL.frameUs, (1000 * (rhythm.smoothedMs - leadMs - usedMs)) | 0);
    Atomics.store(control, CONTROL.frameEarlyUs, Math.max(0, 1000 * earlyMs) | 0);
    Atomics.store(control, CONTROL.framePeriodUs, isWaiting ? (1000 * rhythm.periodMs) | 0 : 0);
  }
}

/** Frames further off their place than this share of a period begin another rhythm: WebKit's stamps are whole ms. */
const TOLERANCE = 0.1;
/** How much of what a frame is off its place changes the place of the next ones, and the period. */
const PLACE_SHARE = 0.5;
const PERIOD_SHARE = 0.1;
/** Frames in their places before a rhythm is relied on. */
const STEADY_FRAMES = 8;
/** Longest period, in ms: frames that are further apart have other reasons than a display. */
const MAX_PERIOD_MS = 50;

/** The rhythm of a display, from the time stamps of its frames. A page may miss frames; the display does not. */
export class FrameRhythm {
  /** Time between two frames of the display, in ms. */
  periodMs = Number.NaN;
  /** The time stamp of the last frame, smoothed by the rhythm, in ms. */
  smoothedMs = Number.NaN;
  #frames = 0;

  get isSteady(): boolean {
    return this.#frames >= STEADY_FRAMES;
  }

  /** @param frameMs Time stamp of the next frame, in ms. */
  add(frameMs: number): void {
    const { periodMs, smoothedMs } = this;
    const frames = Math.round((frameMs - smoothedMs) / periodMs);
    const offMs = frameMs - smoothedMs - frames * periodMs;
    if (frames >= 1 && Math.abs(offMs) <= TOLERANCE * periodMs) {
      this.smoothedMs = frameMs - (1 - PLACE_SHARE) * offMs;
      this.periodMs += (PERIOD_SHARE * offMs) / frames;
      this.#frames += 1;
      return;
    }
    const sinceMs = frameMs - smoothedMs;
    // The first two frames say nothing yet: a missed one may lie between them.
    this.periodMs = sinceMs > 0 && sinceMs <= MAX_PERIOD_MS ? sinceMs : Number.NaN;
    this.smoothedMs = frameMs;
    this.#frames = 0;
  }
}

/** Share of time that may starve. */
const STARVED = 0.001;
/** Bucket b counts from (b / 32)² ms on, up to 256 ms: it is 0.06 ms wide at 1 ms, 0.13 at 4 ms and 0.25 at 16 ms. */
const BUCKETS = 512;
const PER_ROOT = 32;
/**
 * The window consists of the part that is being filled and the one before. A part is as long as all before it, so that a
 * hitch in the first second is soon forgotten, and at most this long, in ms.
 */
const MAX_PART_MS = 16_000;
/** The first ticks are not counted, while code is compiled; in ms, and in periods. */
const START_MS = 250;
const START_PERIODS = 4;
/**
 * Ticks that are later than the longest margin are hitches if they are at least this far apart, in ms. They starve frames
 * with every margin, and a longer one would only add latency.
 */
const HITCH_MS = 1000;

/**
 * How late publications were in the last seconds, and the shortest margin that suffices. While tick k is later than the
 * margin, the frames between due(k) + margin and its publication starve. So the share of time that is starved is
 *
 *     Σ excess(lateness of k) / time        excess(ms) = max(0, ms − margin)
 *
 * at every rate of ticks and frames, as long as their phases drift. A tick that was published after the next one was
 * due has starved a part of that already: excess(its lateness less the time between the two) is subtracted.
 *
 * Ticks that wait for the frame that shows them first (see `AdaptiveMargin.follow`) each starve a whole frame when they are later
 * than their lead. So the lead is longer than the margin, and a tick that is later than the lead counts as one frame:
 *
 *     (Σ excess(lateness of k, up to the lead) + frame × number of ticks later than the lead) / time
 */
export class LatenessWindow {
  /** The shortest margin, in ms. */
  neededMs = 0;
  /** How long before the frame that needs it a tick must begin, in ms, if ticks wait for that. */
  leadMs = 0;
  /** There are enough ticks: of a second, or sixteen. */
  isKnown = false;
  /** One of the ticks that were counted last is a hitch, or later than the lead: no longer margin is needed for it. */
  isHitch = false;
  // Inputs. Fields instead of arguments, as in the timeline: no numbers are boxed.
  periodMs = Number.NaN;
  /** Longest margin. */
  maxMs = Number.NaN;
  /** With this margin, a frame has missed the next tick: bounds a lateness that no worker reports. At most 0: none has. */
  missedMs = 0;
  /** Time between two frames if ticks wait for them, in ms; 0: they do not. */
  frameMs = 0;
  #counts = new Int32Array(BUCKETS);
  #countsBefore = new Int32Array(BUCKETS);
  #partMs = 0;
  #partBeforeMs = 0;
  #totalMs = 0;
  #startMs = START_MS;
  #lastBeyondMs = Number.NEGATIVE_INFINITY;
  #lastVirtualMs = Number.NaN;
  #lastMs = 0;
  #countedMs = 0;

  /** Counts the states from the first one on, and finds `neededMs`. */
  update({ stateHeaders }: SlotViews, first: number, newest: number): void {
    this.isHitch = false;
    this.#startMs = Math.max(START_MS, START_PERIODS * this.periodMs);
    for (let state = first; state <= newest; state++) {
      this.#add(stateHeaders[state % stateHeaders.length] as Float64Array);
    }
    if (this.#totalMs >= 4 * this.#startMs) this.isKnown = true;
    const { frameMs } = this;
    const starvedMs = STARVED * (this.#partMs + this.#partBeforeMs);
    let leftMs = starvedMs;
    let later = 0;
    let bucket = BUCKETS;
    if (frameMs > 0) {
      // Half of it each, and one frame at least: a single late tick says nothing about the next ones.
      leftMs = Math.max(starvedMs / 2, frameMs);
      while (leftMs >= 0 && bucket > 0) {
        bucket -= 1;
        const count = (this.#counts[bucket] as number) + (this.#countsBefore[bucket] as number);
        leftMs -= count * frameMs;
      }
      bucket += 1;
      leftMs = starvedMs / 2;
    }
    this.leadMs = (bucket * bucket) / (PER_ROOT * PER_ROOT);
    while (leftMs >= 0 && bucket > 0) {
      bucket -= 1;
      later += (this.#counts[bucket] as number) + (this.#countsBefore[bucket] as number);
      leftMs -= (later * (2 * bucket + 1)) / (PER_ROOT * PER_ROOT);
    }
    this.neededMs = ((bucket + 1) * (bucket + 1)) / (PER_ROOT * PER_ROOT);
  }

  #add(header: Float64Array): void {
    const { maxMs, periodMs } = this;
    const virtualMs = header[STATE_HEADER.virtualMs] as number;
    const latenessMs = Math.max(header[STATE_HEADER.latenessMs] as number, this.missedMs);
    const sinceMs = virtualMs - this.#lastVirtualMs;
    const leftMs = this.#lastMs - sinceMs;
    this.#lastVirtualMs = virtualMs;
    this.#lastMs = latenessMs;
    this.#countedMs = latenessMs;
    this.missedMs = 0;
    // At the start, and after a cut or dropped ticks, the previous tick is unknown.
    if (!(sinceMs > 0 && sinceMs < 1.5 * periodMs)) return;
    this.#totalMs += sinceMs;
    const isHitch = latenessMs > maxMs && this.#totalMs - this.#lastBeyondMs > HITCH_MS;
    if (latenessMs > maxMs) this.#lastBeyondMs = this.#totalMs;
    if (isHitch || (this.frameMs > 0 && latenessMs > this.leadMs)) this.isHitch = true;
    if (this.#totalMs < this.#startMs) return;
    this.#partMs += sinceMs;
    if (!isHitch) {
      this.#count(1);
      this.#countedMs = leftMs;
      this.#count(-1);
    }
    if (this.#partMs < Math.min(MAX_PART_MS, Math.max(this.#startMs, this.#totalMs / 2))) return;
    [this.#counts, this.#countsBefore] = [this.#countsBefore.fill(0), this.#counts];
    this.#partBeforeMs = this.#partMs;
    this.#partMs = 0;
  }

  #count(change: number): void {
    const ms = Math.min(this.#countedMs, this.maxMs);
    const bucket = Math.min(BUCKETS - 1, Math.sqrt(ms) * PER_ROOT) | 0;
    if (ms >= 0) this.#counts[bucket] = (this.#counts[bucket] as number) + change;
  }
}
