import type { ResolvedOptions } from '../api/check-options.js';

/** Options that can be changed while a worker runs. */
export type ChangeableOption = 'tickRateHz' | 'timeScale' | 'maxCatchUpTicks';

/** The options with all changes so far: the next worker starts with them. */
export class CurrentOptions {
  #values: ResolvedOptions;
  /** The change that set each option. */
  readonly #changes = new Map<ChangeableOption, number>();
  #change = 0;

  constructor(options: ResolvedOptions) {
    this.#values = options;
  }

  get values(): ResolvedOptions {
    return this.#values;
  }

  /** Begins a change. @returns Applies it, unless a later one has been applied. */
  change(name: ChangeableOption, value: number): () => void {
    this.#change += 1;
    const change = this.#change;
    return () => {
      if ((this.#changes.get(name) ?? 0) > change) return;
      this.#changes.set(name, change);
      this.#values = { ...this.#values, [name]: value };
    };
  }
}

/** The options in the form that is sent to the worker, with more than it reads: that takes less code than a list. */
export function workerOptions({ signal: _signal, ...options }: ResolvedOptions) {
  const ticksIn = (seconds: number): number =>
    Math.max(1, Math.round(seconds * options.tickRateHz));
  const { hashEveryTicks, rewindSeconds, saveEverySeconds } = options.recording;
  const needsStates = options.recovery.mode === 'restart' || rewindSeconds > 0;
  return {
    ...options,
    hashEveryTicks,
    saveEveryTicks: needsStates ? ticksIn(saveEverySeconds) : 0,
  };
}
