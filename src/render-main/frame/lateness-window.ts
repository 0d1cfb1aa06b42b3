/**
 * How late publications were in the last seconds, and the shortest margin that suffices. While tick k is later than the
 * margin, the frames between due(k) + margin and its publication starve. So the share of time that is starved is
 *
 *     Σ excess(lateness of k) / time        excess(ms) = max(0, ms − margin)
 *
 * at every rate of ticks and frames, as long as their phases drift. A tick that was published after the next one was
 * due has starved a part of that already: excess(its lateness less the time between the two) is subtracted.
 *
 * Ticks that wait for the frame that shows them first (adaptive-margin.ts) each starve a whole frame when they are later
 * than their lead. So the lead is longer than the margin, and a tick that is later than the lead counts as one frame:
 *
 *     (Σ excess(lateness of k, up to the lead) + frame × number of ticks later than the lead) / time
 */
import { STATE_HEADER, type SlotViews } from '../../shared/memory/layout.js';

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
    // At the start, and after a cut or dropped ticks, there is no tick before.
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
