/** What `stats()` answers, and where the numbers come from. */
import type { FrameSummary } from '../frame/frame-statistics.js';
import { Histogram, type Percentiles } from '../../shared/statistics/histogram.js';
import {
  HISTOGRAM_NAMES,
  HISTOGRAM_SHAPE,
  SLOT_HEADER,
  STATISTICS,
  type BufferViews,
  type HistogramName,
} from '../../shared/memory/layout.js';
import type { InterpolationMode } from '../frame/timeline.js';
import type { Transport } from '../../shared/protocol/transport.js';
import { WATCHDOG_STATES, type WatchdogState } from '../../shared/statistics/watchdog.js';
import type { ClockAlignment } from '../worker/clock-alignment.js';
import type { Session } from './session.js';

/**
 * - `stalled`: the worker is in a step that does not end.
 * - `restarting`: it has failed, and another one is being brought up.
 */
export type SimulationState =
  | 'running'
  | 'paused'
  | 'stalled'
  | 'restarting'
  | 'failed'
  | 'disposed';

/** A plain object that can be cloned and printed. Times in ms unless named otherwise. */
export interface SimulationStatistics extends FrameSummary {
  /** What the simulation does at this moment. */
  readonly state: SimulationState;
  /** How states, inputs and events cross between page and worker. */
  readonly transport: Transport;
  /** Number of the newest tick. */
  readonly tick: number;
  /** Ticks per second of simulated time, in Hz. */
  readonly tickRateHz: number;
  /** Simulated seconds per second. */
  readonly timeScale: number;
  /** Time since tick 0 less pauses and gaps; ticks and dropped ticks together fill it. */
  readonly elapsedMs: number;
  /** Sum of the steps since tick 0, in s. */
  readonly simulatedS: number;
  /** Bodies that live now. */
  readonly bodies: number;
  /** Most bodies that there may be: the option `capacity`. */
  readonly bodyCapacity: number;

  // Since the last resetStats():
  /** Ticks that ran. */
  readonly ticks: number;
  /** Ticks that were due and given up. */
  readonly droppedTicks: number;
  /**
   * Share of due ticks that ran; 1 when nothing was due. Time scale, pauses and gaps are left out: at half the time scale
   * a simulation that keeps up has 1.
   */
  readonly effectiveSpeed: number;
  /** Passes of the worker's loop. */
  readonly iterations: number;
  /** Passes that ran more than one tick. */
  readonly catchUpPasses: number;
  /** Times that the worker woke so late that it counts as a pause. */
  readonly gaps: number;
  /** Poses refused because a number in them was NaN or infinite. */
  readonly invalidPoses: number;
  /** Inputs that ticks took, each of them, also where moves were merged. */
  readonly inputs: number;
  /** Inputs and commands that came when their input window was over, and went to the next tick. */
  readonly lateInputs: number;
  /** Commands that ticks applied. */
  readonly timedCommands: number;
  /** Events told to the page. */
  readonly events: number;
  /** From an input's stamp to the tick that used it. */
  readonly inputLatencyMs: Percentiles;
  /** Cost of the simulation's step. */
  readonly stepMs: Percentiles;
  /** Cost of publishing a snapshot. */
  readonly publishMs: Percentiles;
  /** Wake-up minus due time. */
  readonly latenessMs: Percentiles;

  // Since the start:
  /** Inputs and commands refused because the queue was full or a replay was shown. */
  readonly refusedInputs: number;
  /** Events that found no room in their queue. */
  readonly lostEvents: number;
  /** Events dropped on the page because too many waited to be shown. */
  readonly droppedEvents: number;

  // Now:
  /** Bytes of the recording: its entries and saved states. At most the option `recording.limitBytes`. */
  readonly recordingBytes: number;
  /** The recording has ended before the run, because it is full; the status `recording-full` says at which tick. */
  readonly isRecordingFull: boolean;
  /** How well the worker keeps up, by the ticks owed at its last wake-up. */
  readonly watchdog: WatchdogState;
  /** Less than 95 % of the due ticks of the last second ran. */
  readonly isSlow: boolean;
  /** How poses are drawn between two states. */
  readonly interpolation: InterpolationMode;
  /** Place of the newest frame between its two states, in [0, 1]: 0 the earlier one, 1 the later. */
  readonly alpha: number;
  /** How far the display runs behind the schedule: one period and the margin. */
  readonly delayMs: number;
  /** How far the display runs behind beyond one period, in ms. */
  readonly marginMs: number;
  /** Animation error of the newest frame, signed. */
  readonly lastAnimationErrorMs: number;
  /** How the worker's clock was aligned with the page's, and to within what. */
  readonly clock: ClockAlignment;
}

/** What the worker counted and measured since a reader's last `reset()`; see {@link SimulationStatistics}. */
export type WorkerCounts = ReturnType<WorkerCounters['read']>;

/** Reads the worker's counters, less what stood there at the last reset of this reader. */
export class WorkerCounters {
  readonly #viewsOf: () => BufferViews;
  #views: BufferViews | undefined;
  #words: Int32Array = new Int32Array(0);
  #baseline = new Int32Array(0);
  #histograms: Readonly<Record<HistogramName, Histogram>> | undefined;

  /** @param viewsOf The memory of the worker that runs now: counts begin anew with another one. */
  constructor(viewsOf: () => BufferViews) {
    this.#viewsOf = viewsOf;
  }

  /** Counts from here on: what was before is left out. */
  reset(): void {
    const histograms = this.#follow();
    this.#baseline.set(this.#words);
    for (const name of HISTOGRAM_NAMES) histograms[name].rebase();
  }

  /** The counts since the last reset. */
  read() {
    const { step, publish, lateness, inputLatency } = this.#follow();
    const ticks = this.#since('ticks');
    const droppedTicks = this.#since('droppedTicks');
    const due = ticks + droppedTicks;
    return {
      ticks,
      droppedTicks,
      effectiveSpeed: due === 0 ? 1 : ticks / due,
      iterations: this.#since('passes'),
      catchUpPasses: this.#since('catchUpPasses'),
      gaps: this.#since('gaps'),
      invalidPoses: this.#since('invalidPoses'),
      inputs: this.#since('inputs'),
      lateInputs: this.#since('lateInputs'),
      timedCommands: this.#since('timedCommands'),
      events: this.#since('events'),
      stepMs: step.percentiles(),
      publishMs: publish.percentiles(),
      latenessMs: lateness.percentiles(),
      inputLatencyMs: inputLatency.percentiles(),
      watchdog: WATCHDOG_STATES[Atomics.load(this.#words, STATISTICS.watchdog)] ?? 'ok',
      isSlow: Atomics.load(this.#words, STATISTICS.slow) !== 0,
    };
  }

  /** A restarted simulation counts in another memory. */
  #follow(): Readonly<Record<HistogramName, Histogram>> {
    const views = this.#viewsOf();
    if (this.#histograms !== undefined && views === this.#views) return this.#histograms;
    const open = (name: HistogramName): Histogram =>
      new Histogram(HISTOGRAM_SHAPE, views.histograms[name]);
    this.#views = views;
    this.#words = views.statistics;
    this.#baseline = new Int32Array(views.statistics.length);
    this.#histograms = {
      step: open('step'),
      publish: open('publish'),
      lateness: open('lateness'),
      inputLatency: open('inputLatency'),
    };
    return this.#histograms;
  }

  #since(counter: keyof typeof STATISTICS): number {
    const index = STATISTICS[counter];
    return (Atomics.load(this.#words, index) - (this.#baseline[index] ?? 0)) | 0;
  }
}

/** What the worker's status says about time and bodies. */
export function describeStatus(status: Float64Array, pageMs: number) {
  const field = (name: keyof typeof SLOT_HEADER): number => status[SLOT_HEADER[name]] ?? 0;
  const pausedVirtualMs = field('pausedVirtualMs');
  const virtualMs = Number.isNaN(pausedVirtualMs) ? pageMs - field('shiftMs') : pausedVirtualMs;
  return {
    tick: field('newestTick'),
    simulatedS: field('newestSimulatedSeconds'),
    tickRateHz: field('tickRateHz'),
    timeScale: field('timeScale'),
    elapsedMs: virtualMs - field('originVirtualMs') + field('droppedMs'),
    bodies: field('bodyCount'),
  };
}

/** Puts `stats()` together. */
export function summarize(
  session: Session,
  state: SimulationState,
  counters: WorkerCounters,
): SimulationStatistics {
  const { sampler, link, inputs, events, recorder } = session;
  const { alpha, delayMs, marginMs } = sampler.placed;
  return {
    alpha,
    delayMs,
    marginMs,
    state,
    transport: link.transport.kind,
    interpolation: sampler.timeline.mode,
    bodyCapacity: link.views.layout.capacity,
    clock: link.clock,
    lastAnimationErrorMs: sampler.statistics.lastErrorMs,
    refusedInputs: inputs.refused,
    lostEvents: events.lost,
    droppedEvents: events.dropped,
    recordingBytes: recorder.bytes,
    isRecordingFull: recorder.fullAt !== undefined,
    ...describeStatus(link.status.read(), performance.now()),
    ...counters.read(),
    ...sampler.statistics.summary(),
  };
}
