/**
 * The states that a simulation has kept in its own memory, for going back: one every few ticks of the newest seconds. Ticks
 * between two of them are run again. A page knows them by their numbers, which it gets with the recording.
 *
 *     ──────■───────■───────■───────■───────■──▶ now
 *           └ forgotten at `keptTicks`      └ every EVERY_TICKS, or twice, four times … as rare if they would take too much
 */
import type { KeptLimits, KeptReport } from '../../shared/protocol/control-protocol.js';
import type { KeptMark } from '../../shared/recording/recording.js';
import type { KeptState } from '../api/simulation.js';
import { checkpointOf, goTo } from './run-position.js';
import type { RunCheckpoint, SimulationRun } from './simulation-run.js';

/** Going back runs seven ticks at most, and a copy of eight ticks' work costs little of each. */
const EVERY_TICKS = 8;

/** A position of a run, in this thread's memory. */
export interface KeptPosition {
  readonly position: RunCheckpoint;
  readonly state: KeptState;
}

interface Kept extends KeptPosition {
  readonly tick: number;
  readonly number: number;
}

/** @throws Anything the simulation throws. */
export function goToKept(run: SimulationRun, { position, state }: KeptPosition): void {
  goTo(run, position, () => state.restore());
}

export class KeptStates {
  readonly #run: SimulationRun;
  readonly #limits: KeptLimits;
  /** By tick, in ascending order. */
  #kept: Kept[] = [];
  /** Their memory is used again. */
  readonly #unused: KeptState[] = [];
  #everyTicks = EVERY_TICKS;
  /** Another worker's numbers are others. */
  #number = Math.floor(Math.random() * 2 ** 50);

  constructor(run: SimulationRun, limits: KeptLimits) {
    this.#run = run;
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#kept.reduce((sum, { state }) => sum + state.bytes, 0);
  }

  /** Call it after each tick of the page's own run. @returns What the page has to know of the state that was kept. */
  afterTick(): KeptReport | undefined {
    const { tick } = this.#run;
    const { rewindSeconds, keptBytes } = this.#limits;
    const keepTicks = rewindSeconds / this.#run.dt;
    if (keepTicks === 0 || keptBytes === 0 || tick % this.#everyTicks !== 0) return undefined;
    // One from before the kept ticks stays, so that all of them can be reached.
    while ((this.#kept[1]?.tick ?? Infinity) <= tick - keepTicks) this.#drop(0);
    const kept = this.keep();
    if (kept === undefined) return undefined;
    this.#number += 1;
    const mark = { tick, number: this.#number };
    this.#kept.push({ ...mark, ...kept });
    while (this.bytes > keptBytes && this.#kept.length > 0) this.#thin();
    const [oldest] = this.#kept;
    if (oldest === undefined) return undefined;
    const [since, everyTicks] = [oldest.tick, this.#everyTicks];
    return { kind: 'kept', ...mark, since, everyTicks, bytes: this.bytes };
  }

  /** Keeps the current position, apart from the others. Undefined: the simulation cannot. */
  keep(): KeptPosition | undefined {
    const state = this.#run.simulation.keep?.(this.#unused.pop());
    return state && { position: checkpointOf(this.#run), state };
  }

  /** What {@link keep} has returned is no longer needed. */
  release({ state }: KeptPosition): void {
    this.#unused.push(state);
  }

  /** The newest usable state among these, up to a tick and after another. */
  find(marks: readonly KeptMark[], afterTick: number, untilTick: number): KeptPosition | undefined {
    const numbers = new Set(marks.map(({ number }) => number));
    return this.#kept.findLast(
      ({ tick, number, state }) =>
        tick > afterTick && tick <= untilTick && numbers.has(number) && state.canRestore(),
    );
  }

  /** The run continues differently after a tick. */
  forgetAfter(tick: number): void {
    while ((this.#kept.at(-1)?.tick ?? 0) > tick) this.#drop(this.#kept.length - 1);
  }

  /** None can be restored any longer. */
  clear(): void {
    this.#kept = [];
    this.#unused.length = 0;
    this.#everyTicks = EVERY_TICKS;
  }

  #thin(): void {
    this.#everyTicks *= 2;
    for (let index = this.#kept.length - 1; index >= 0; index--) {
      if ((this.#kept[index]?.tick ?? 0) % this.#everyTicks !== 0) this.#drop(index);
    }
    // What is not used again soon is given back.
    this.#unused.length = Math.min(this.#unused.length, 1);
  }

  #drop(index: number): void {
    for (const { state } of this.#kept.splice(index, 1)) this.#unused.push(state);
  }
}
