/**
 * Detects that an application no longer responds, from the number of updates that each frame needs. A few too many
 * make a frame slow; a lot make it unplayable; after several of those, the player sees a frozen image, and the
 * application should pause, or stop with a message, rather than continue.
 *
 * Source: tripzilch, "Timing en de gameloop" (https://gist.github.com/10fc1af97830e515bcbb), like the loop
 * `bounded-variable`.
 */
import { group, integer, number } from '../../src/shared/util/options.js';
import { requireInteger } from '../../src/shared/util/validate.js';

/** Thresholds of the watchdog, in ticks that are due at a wake-up. */
export interface WatchdogOptions {
  /** Updates in a frame above which it is slow, 0 to 1,000,000. Default 5: over 0.1 s of 20 ms steps, under 10 fps. */
  readonly slowUpdates?: number;
  /** Updates in a frame above which it is critical, at least `slowUpdates`. Default 20: over 0.4 s, under 2.5 fps. */
  readonly criticalUpdates?: number;
  /** Critical frames, consecutive or within the window, that mean unresponsive, 1 to 1000. Default 5. */
  readonly criticalFrames?: number;
  /** The window in ms, 0 or more: the longest time from the first critical frame to the last. Default 10,000. */
  readonly windowMs?: number;
}

const MAX_COUNT = 1_000_000;
const OPTIONS = group('the watchdog', {
  slowUpdates: integer(0, MAX_COUNT, 5),
  criticalUpdates: integer(0, MAX_COUNT, 20),
  criticalFrames: integer(1, 1000, 5),
  windowMs: number(0, Number.MAX_VALUE, 10_000),
});

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError, RangeError naming the invalid option.
 */
export function requireWatchdogOptions(options: WatchdogOptions = {}): Required<WatchdogOptions> {
  const checked = OPTIONS('watchdog', options);
  const { slowUpdates, criticalUpdates } = checked;
  requireInteger('watchdog.criticalUpdates', criticalUpdates, slowUpdates, MAX_COUNT);
  return checked;
}

/** From best to worst. `unresponsive` stays until {@link Watchdog.reset}. */
export const WATCHDOG_STATES = ['ok', 'slow', 'critical', 'unresponsive'] as const;
/** The watchdog's assessment of the ticks that are due, from `ok` to `unresponsive`. */
export type WatchdogState = (typeof WATCHDOG_STATES)[number];

export class Watchdog {
  /** State of the last frame; stays `unresponsive` once that is reached. */
  state: WatchdogState = 'ok';
  readonly #options: Required<WatchdogOptions>;
  /** Times of the latest critical frames, a ring. */
  readonly #criticalMs: Float64Array;
  /** Critical frames so far. */
  #critical = 0;
  #criticalInARow = 0;

  /** @param options From {@link requireWatchdogOptions}. */
  constructor(options: Required<WatchdogOptions>) {
    this.#options = options;
    this.#criticalMs = new Float64Array(options.criticalFrames);
  }

  /**
   * Evaluates a frame.
   *
   * @param updates Updates that ran for it.
   * @param nowMs When it was drawn; never decreases.
   */
  frame(updates: number, nowMs: number): WatchdogState {
    const seen = this.#evaluate(updates, nowMs);
    if (this.state !== 'unresponsive') this.state = seen;
    return this.state;
  }

  /** Resets everything: the application has resumed. */
  reset(): void {
    this.#critical = 0;
    this.#criticalInARow = 0;
    this.state = 'ok';
  }

  #evaluate(updates: number, nowMs: number): WatchdogState {
    const { slowUpdates, criticalUpdates, windowMs } = this.#options;
    if (updates <= criticalUpdates) {
      this.#criticalInARow = 0;
      return updates <= slowUpdates ? 'ok' : 'slow';
    }
    this.#criticalInARow += 1;
    const ring = this.#criticalMs;
    ring[this.#critical % ring.length] = nowMs;
    this.#critical += 1;
    if (this.#criticalInARow >= ring.length) return 'unresponsive';
    // The entry after the newest is the oldest of the last `ring.length` critical frames.
    const oldestMs = ring[this.#critical % ring.length] ?? 0;
    const isFull = this.#critical >= ring.length;
    return isFull && nowMs - oldestMs <= windowMs ? 'unresponsive' : 'critical';
  }
}
