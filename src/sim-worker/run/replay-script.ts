/** The inputs that a recording has for each tick, and whether the result matches the recording. */
import type { ReplayReport } from '../../shared/protocol/control-protocol.js';
import {
  type TickInput,
  NO_TICK_INPUTS,
  type TickBatch,
  type TickCommand,
  type TickInputs,
} from '../../shared/input/tick-inputs.js';
import type { RecordingEntry } from '../../shared/recording/recording.js';
import type { Simulation } from '../api/simulation.js';
import { batchesOf, functionNamed } from './commands.js';
import type { SimulationRun } from './simulation-run.js';

export class ReplayScript {
  /** Number of the last tick with inputs. */
  readonly lastTick: number;
  readonly #tickInputs = new Map<
    number,
    { inputs: TickInput[]; commands: (TickCommand | TickBatch)[] }
  >();
  readonly #hashes = new Map<number, string>();
  /** Ticks at which the time step changes, in ascending order, and the time steps. */
  readonly #steps: { readonly tick: number; readonly dt: number }[] = [];
  readonly #isAnswered: boolean;
  #compared = 0;
  #equalUpTo = 0;
  #differsAt: number | undefined;

  /**
   * @param entries In the order of their ticks. Those beyond `lastTick` are ignored.
   * @param isAnswered The page may wait for answers to the commands. Not for recordings, which may be of another page.
   */
  constructor(entries: readonly RecordingEntry[], lastTick: number, isAnswered = false) {
    this.lastTick = lastTick;
    this.#isAnswered = isAnswered;
    for (const entry of entries) if (entry.tick <= lastTick) this.#note(entry);
  }

  tickInputsOf(tick: number): TickInputs {
    return this.#tickInputs.get(tick) ?? NO_TICK_INPUTS;
  }

  /** Simulated seconds of a tick's step; undefined before the first recorded one. */
  dtOf(tick: number): number | undefined {
    // By bisection: a recording may have one per tick, and this is called in each.
    let low = 0;
    let high = this.#steps.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#steps[middle]?.tick ?? Infinity) <= tick) low = middle + 1;
      else high = middle;
    }
    return this.#steps[low - 1]?.dt;
  }

  /** Runs the next tick as it was recorded, and compares the result. */
  runTick(run: SimulationRun): void {
    const tick = run.tick + 1;
    run.runTick(this.dtOf(tick) ?? run.dt, this.tickInputsOf(tick));
    this.check(run);
  }

  /** Compares the run's hash with the one recorded for its tick. Returns false, without hashing, if there is none. */
  check(run: Pick<SimulationRun, 'tick' | 'hash'>): boolean {
    const { tick } = run;
    const recorded = this.#hashes.get(tick);
    if (recorded === undefined) return false;
    this.#compared += 1;
    if (run.hash() !== recorded) this.#differsAt ??= tick;
    else if (this.#differsAt === undefined) this.#equalUpTo = tick;
    return true;
  }

  /** The comparison so far. `tick` is the number of the last tick. */
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
        tickInputs.commands.push({ ...entry, call });
      }
    }
  }
}

/** @throws Error naming the commands that a recording calls and the simulation does not have, or if it has no world. */
export function requireCommands(simulation: Simulation, entries: readonly RecordingEntry[]): void {
  if (batchesOf(simulation) === undefined && entries.some(({ kind }) => kind === 'batch')) {
    throw new Error(
      'the recording is of a world that a page has made, and this simulation has none',
    );
  }
  const strange = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === 'command' && functionNamed(simulation.commands, entry.name) === undefined) {
      strange.add(entry.name);
    }
  }
  if (strange.size === 0) return;
  const names = [...strange]
    .slice(0, 5)
    .map((name) => `"${name}"`)
    .join(', ');
  throw new Error(
    `the recording calls ${names}, but this simulation has no such command: the recording is from another simulation ` +
      'or version',
  );
}
