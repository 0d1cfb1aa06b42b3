/** What a recording says that each tick is to do, and whether it came out as recorded. */
import type { ReplayReport } from '../../shared/protocol/control-protocol.js';
import type { TickInput } from '../../shared/input/input-event.js';
import type { RecordingEntry } from '../../shared/recording/recording.js';
import {
  NO_TICK_INPUTS,
  type TickCommand,
  type TickInputs,
} from '../../shared/input/tick-inputs.js';

export class ReplayScript {
  /** Number of the last tick that it has inputs for. */
  readonly lastTick: number;
  readonly #tickInputs = new Map<number, { inputs: TickInput[]; commands: TickCommand[] }>();
  readonly #hashes = new Map<number, string>();
  /** Ticks at which the step changes, going up, and the steps. */
  readonly #steps: { readonly tick: number; readonly dt: number }[] = [];
  readonly #isAnswered: boolean;
  #compared = 0;
  #equalUpTo = 0;
  #differsAt: number | undefined;

  /**
   * @param entries In order of their ticks. Those beyond `lastTick` do not count.
   * @param isAnswered The page may still wait for the answers to commands among them. Not so those of a recording, whose
   *   numbers may be another page's.
   */
  constructor(entries: readonly RecordingEntry[], lastTick: number, isAnswered = false) {
    this.lastTick = lastTick;
    this.#isAnswered = isAnswered;
    for (const entry of entries) if (entry.tick <= lastTick) this.#note(entry);
  }

  tickInputsOf(tick: number): TickInputs {
    return this.#tickInputs.get(tick) ?? NO_TICK_INPUTS;
  }

  /** Simulated seconds of a tick's step; undefined before the first that was recorded. */
  dtOf(tick: number): number | undefined {
    return this.#steps.findLast((step) => step.tick <= tick)?.dt;
  }

  /** Compares the state after a tick, if the recording has its hash. @param hash Called only then. @returns Whether it has. */
  check(tick: number, hash: () => string): boolean {
    const recorded = this.#hashes.get(tick);
    if (recorded === undefined) return false;
    this.#compared += 1;
    if (hash() !== recorded) this.#differsAt ??= tick;
    else if (this.#differsAt === undefined) this.#equalUpTo = tick;
    return true;
  }

  /** Of the ticks so far. @param tick Number of the last. */
  report(tick: number): ReplayReport {
    return {
      tick,
      hashes: this.#compared,
      differsAt: this.#differsAt,
      equalUpTo: this.#equalUpTo,
    };
  }

  #note(entry: RecordingEntry): void {
    if (entry.kind === 'hash') {
      this.#hashes.set(entry.tick, entry.hash);
    } else if (entry.kind === 'step') {
      this.#steps.push(entry);
    } else {
      const tickInputs = this.#tickInputs.get(entry.tick) ?? { inputs: [], commands: [] };
      this.#tickInputs.set(entry.tick, tickInputs);
      if (entry.kind === 'input') tickInputs.inputs.push(entry.input);
      else {
        const call = this.#isAnswered ? (entry.call ?? 0) : 0;
        tickInputs.commands.push({ name: entry.name, args: entry.args, call });
      }
    }
  }
}
