/** What `connect` resolves with: the page's grip on a running simulation. */
import type { BodyId } from '../shared/body-meta.js';
import type { CommandMap, RemoteCommands } from '../shared/control-protocol.js';
import { SimulationDisposedError } from '../shared/errors.js';
import { CONTROL, WORKER_PHASE, type BufferViews } from '../shared/layout.js';
import { LIMITS } from '../shared/limits.js';
import { StatusReader } from '../shared/snapshot-reader.js';
import { INTERPOLATION_MODES, type InterpolationMode } from '../shared/timeline.js';
import { requireChoice, requireInteger, requireNumber } from '../shared/validate.js';
import { alignClock, type ClockAlignment } from './clock-alignment.js';
import type { ControlClient } from './control-client.js';
import { FrameSampler } from './frame-sampler.js';
import type { ResolvedOptions } from './options.js';
import type { SampledFrame } from './sampled-frame.js';
import {
  WorkerCounters,
  describeStatus,
  type SimulationState,
  type SimulationStatistics,
} from './simulation-statistics.js';
import type { WorkerLike } from './worker-like.js';

/** How long a worker may take to acknowledge that it stops, in ms, before it is terminated all the same. */
const STOP_LIMIT_MS = 1000;
const STOP_POLL_MS = 4;

/** Who wants the simulation to stand still. It runs when nobody does. */
export type PauseReason = 'user' | 'hidden';

export interface HandleParts {
  readonly worker: WorkerLike;
  readonly client: ControlClient;
  readonly views: BufferViews;
  readonly options: ResolvedOptions;
  readonly clock: ClockAlignment;
  readonly commandNames: readonly string[];
}

/** @typeParam C The simulation's commands. */
export class SimulationHandle<C extends CommandMap = CommandMap> {
  /** The simulation's own commands, each run between two ticks. They reject with what they throw. */
  readonly commands: RemoteCommands<C>;
  readonly #worker: WorkerLike;
  readonly #client: ControlClient;
  readonly #views: BufferViews;
  readonly #sampler: FrameSampler;
  readonly #counters: WorkerCounters;
  readonly #status: StatusReader;
  readonly #pauseReasons = new Set<PauseReason>();
  readonly #cleanups: (() => void)[] = [];
  #clock: ClockAlignment;
  #disposal: Promise<void> | undefined;

  /** Made by `connect`. */
  constructor(parts: HandleParts) {
    const { worker, client, views, options, clock, commandNames } = parts;
    this.#worker = worker;
    this.#client = client;
    this.#views = views;
    this.#clock = clock;
    this.#sampler = new FrameSampler(views, {
      mode: options.interpolation,
      marginMs: options.marginMs,
    });
    this.#counters = new WorkerCounters(views);
    this.#status = new StatusReader(views);
    if (options.startPaused) this.#pauseReasons.add('user');
    const commands = Object.fromEntries(
      commandNames.map((name) => [
        name,
        (...args: unknown[]) => client.call((remote) => remote.command(name, args)),
      ]),
    );
    this.commands = Object.freeze(commands) as unknown as RemoteCommands<C>;
  }

  /** `paused` whoever asked for it. */
  get state(): SimulationState {
    if (this.#disposal !== undefined) return 'disposed';
    if (this.#client.ended !== undefined) return 'failed';
    return this.#pauseReasons.size > 0 ? 'paused' : 'running';
  }

  get interpolation(): InterpolationMode {
    return this.#sampler.timeline.mode;
  }

  /** @throws RangeError if it is not one of the modes. */
  setInterpolation(mode: InterpolationMode): void {
    this.#sampler.timeline.mode = requireChoice('interpolation', mode, INTERPOLATION_MODES);
  }

  /**
   * Places a frame between two states. Call it once a frame and draw everything from what it returns.
   *
   * @param frameMs The time stamp that requestAnimationFrame gives, in ms; not `performance.now()`, which
   *   is late by up to a frame and jitters. Two calls with one stamp are one frame.
   */
  sample(frameMs: number): SampledFrame {
    return this.#sampler.sample(requireNumber('frameMs', frameMs, 0, Number.MAX_VALUE));
  }

  /** The frame of the last `sample`, drawn from its later state alone: what no interpolation looks like. */
  get currentOnly(): SampledFrame {
    return this.#sampler.currentOnly;
  }

  /** Animation error of the newest frame, signed, in ms: cheap enough to ask for every frame. */
  get lastAnimationErrorMs(): number {
    return this.#sampler.statistics.lastErrorMs;
  }

  /**
   * A body's pose in the last sampled frame, the very one that its mesh is drawn with.
   *
   * @param out Receives x y z qx qy qz qw.
   * @returns `out`, or undefined when the body does not live at that time.
   */
  pose<Out extends Float32Array | Float64Array>(id: BodyId, out: Out): Out | undefined {
    return this.#sampler.frame.pose(id, out);
  }

  /** Stops the schedule. Drawing goes on and shows a standing picture. */
  pause(): Promise<void> {
    return this.pauseFor('user');
  }

  /** Aligns the clocks anew and goes on from where the schedule stands. */
  resume(): Promise<void> {
    return this.resumeFrom('user');
  }

  /** Pauses for a reason of its own: the simulation runs again when every reason is gone. */
  async pauseFor(reason: PauseReason): Promise<void> {
    const wasRunning = this.#pauseReasons.size === 0;
    this.#pauseReasons.add(reason);
    if (wasRunning) await this.#client.call((remote) => remote.pause());
  }

  /** Takes a reason to pause away. */
  async resumeFrom(reason: PauseReason): Promise<void> {
    if (!this.#pauseReasons.delete(reason) || this.#pauseReasons.size > 0) return;
    this.#sampler.interrupt();
    this.#clock = await alignClock(this.#client, this.#views);
    // Somebody may have paused it again meanwhile.
    if (this.#pauseReasons.size === 0) await this.#client.call((remote) => remote.resume());
  }

  /**
   * Runs ticks while paused.
   *
   * @param ticks How many, 1 to 10,000. Default 1.
   * @returns The number of the last one, when it has run.
   */
  step(ticks = 1): Promise<number> {
    requireInteger('ticks', ticks, 1, LIMITS.stepTicks);
    return this.#client.call((remote) => remote.step(ticks));
  }

  /** @param tickRateHz 1 to 1000 Hz, from the next tick on. The step of the simulation changes with it. */
  setTickRate(tickRateHz: number): Promise<void> {
    requireNumber('tickRateHz', tickRateHz, ...LIMITS.tickRateHz);
    return this.#client.call((remote) => remote.setTickRate(tickRateHz));
  }

  /** @param timeScale Simulated seconds per second, 0.01 to 100. The step stays the same. */
  setTimeScale(timeScale: number): Promise<void> {
    requireNumber('timeScale', timeScale, ...LIMITS.timeScale);
    return this.#client.call((remote) => remote.setTimeScale(timeScale));
  }

  /** @param ticks Most ticks that one wake-up may catch up, 1 to 1000. */
  setMaxCatchUpTicks(ticks: number): Promise<void> {
    requireInteger('maxCatchUpTicks', ticks, ...LIMITS.maxCatchUpTicks);
    return this.#client.call((remote) => remote.setMaxCatchUpTicks(ticks));
  }

  /** Everything that is counted and measured, as one plain object. */
  stats(): SimulationStatistics {
    const { alpha, delayMs, marginMs } = this.#sampler.placed;
    return {
      alpha,
      delayMs,
      marginMs,
      state: this.state,
      interpolation: this.interpolation,
      bodyCapacity: this.#views.layout.capacity,
      clock: this.#clock,
      lastAnimationErrorMs: this.lastAnimationErrorMs,
      ...describeStatus(this.#status.read(), performance.now()),
      ...this.#counters.read(),
      ...this.#sampler.statistics.summary(),
    };
  }

  /** Starts the counts of `stats()` anew. The tick number and the elapsed time go on. */
  resetStats(): void {
    this.#counters.reset();
    this.#sampler.statistics.reset();
  }

  /**
   * Another reader of the worker's counters, from now on and with a start of its own: for a display that
   * shows what happened since it last looked. Its resets and those of `resetStats()` do not concern each other.
   */
  openCounters(): WorkerCounters {
    const counters = new WorkerCounters(this.#views);
    counters.reset();
    return counters;
  }

  /**
   * Stops the worker: asks it to leave its loop, waits until it says so, and terminates it. Pending calls
   * reject with a {@link SimulationDisposedError}. Safe to call again: it is the same disposal.
   */
  dispose(): Promise<void> {
    this.#disposal ??= this.#stop();
    return this.#disposal;
  }

  /** Runs when the simulation is disposed: for what was set up around it. */
  onDispose(cleanup: () => void): void {
    this.#cleanups.push(cleanup);
  }

  async #stop(): Promise<void> {
    for (const cleanup of this.#cleanups) cleanup();
    const { control } = this.#views;
    const hasFailed = this.#client.ended !== undefined;
    Atomics.store(control, CONTROL.stopRequest, 1);
    if (!hasFailed) {
      // Wakes a sleeping worker by the doorbell and a parked one by the message itself.
      this.#client.call((remote) => remote.stop()).catch(() => {});
    }
    this.#client.end(
      new SimulationDisposedError('the simulation was disposed before the call was answered'),
    );
    const endMs = performance.now() + STOP_LIMIT_MS;
    while (!hasFailed && performance.now() < endMs) {
      const phase = Atomics.load(control, CONTROL.phase);
      if (phase === WORKER_PHASE.stopped || phase === WORKER_PHASE.failed) break;
      await new Promise((resolve) => setTimeout(resolve, STOP_POLL_MS));
    }
    // Only now: Chromium lets a worker that is terminated in its loop write for two more seconds.
    this.#worker.terminate();
    this.#client.release();
  }
}
