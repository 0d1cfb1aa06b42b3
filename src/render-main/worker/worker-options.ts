/** What a worker is started with. */
import type { ResolvedOptions } from '../api/check-options.js';

/** What can be changed while a worker runs. */
export type ChangeableOptions = Partial<
  Pick<ResolvedOptions, 'tickRateHz' | 'timeScale' | 'maxCatchUpTicks'>
>;

/** The options, with what was changed since: the next worker is started with those. */
export class CurrentOptions {
  #values: ResolvedOptions;
  /** Which change each option is of. */
  readonly #changes = new Map<string, number>();
  #change = 0;

  constructor(options: ResolvedOptions) {
    this.#values = options;
  }

  get values(): ResolvedOptions {
    return this.#values;
  }

  /** A change begins. @returns Notes it, except for what a later change has been noted of. */
  change(changed: ChangeableOptions): () => void {
    this.#change += 1;
    const change = this.#change;
    return () => {
      for (const [name, value] of Object.entries(changed)) {
        if ((this.#changes.get(name) ?? 0) > change) continue;
        this.#changes.set(name, change);
        this.#values = { ...this.#values, [name]: value };
      }
    };
  }
}

/** As the worker is told. */
export function workerOptions(options: ResolvedOptions) {
  const ticksIn = (seconds: number): number =>
    Math.max(1, Math.round(seconds * options.tickRateHz));
  const { hashEveryTicks, rewindSeconds, saveEverySeconds } = options.recording;
  const needsStates = options.recovery.mode === 'restart' || rewindSeconds > 0;
  return {
    tickRateHz: options.tickRateHz,
    timeScale: options.timeScale,
    maxCatchUpTicks: options.maxCatchUpTicks,
    stepper: options.stepper,
    startPaused: options.startPaused,
    seed: options.seed,
    setup: options.setup,
    mergeMoves: options.mergeMoves,
    isRecorded: options.isRecorded,
    hashEveryTicks,
    saveEveryTicks: needsStates ? ticksIn(saveEverySeconds) : 0,
    invalidPosePolicy: options.invalidPosePolicy,
    watchdog: options.watchdog,
  };
}
