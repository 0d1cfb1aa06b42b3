/**
 * The states that a prediction goes back to: copies of the engine's memory where the simulation makes some, otherwise states
 * as they are saved in files, which take ten times as long.
 *
 *     confirmed C ──────■─────■─────■─────■── P   a few between the last confirmed tick and the last one
 *
 * They are few, as each is as large as the engine's memory; without one, the ticks from the one before run again. Their memory
 * is used again: new memory takes longer than the copy.
 *
 * A copy can become useless, when the simulation has made something since that its engine cannot take back. Then nothing that
 * was kept before helps, and states are saved from then on.
 */
import type { KeptState } from '../../sim-worker/api/simulation.js';
import { isKept, keepPosition, returnTo, type Position } from '../../sim-worker/run/kept-states.js';
import type { SimulationRun } from '../../sim-worker/run/simulation-run.js';

/** Most states. They divide the ticks that are not confirmed into equal gaps. */
const MAX_STATES = 8;

interface RollbackState {
  readonly tick: number;
  readonly position: Position;
}

export class RollbackStates {
  readonly #run: SimulationRun;
  /** By tick, ascending. */
  #states: RollbackState[] = [];
  /** Their memory is used again. */
  readonly #unused: KeptState[] = [];
  #mayKeep = true;

  constructor(run: SimulationRun) {
    this.#run = run;
  }

  /** The first tick that can be reached; undefined: none was kept. */
  get firstTick(): number | undefined {
    return this.#states[0]?.tick;
  }

  /**
   * Keeps the current state if it may be needed. Call it after each tick of a packet.
   *
   * @param confirmedTick The last tick that packets have come for: nothing goes back to ticks before.
   * @param lastTick The tick that the run is on its way to.
   */
  keepIfNeeded(confirmedTick: number, lastTick: number): void {
    const { tick } = this.#run;
    const sinceLast = tick - (this.#states.at(-1)?.tick ?? Number.NEGATIVE_INFINITY);
    const isNeeded =
      tick > confirmedTick && sinceLast * (MAX_STATES - 1) >= lastTick - confirmedTick;
    if (tick === confirmedTick || isNeeded) this.keep();
  }

  /** Keeps the current state. */
  keep(): void {
    const kept = this.#mayKeep ? keepPosition(this.#run, this.#unused.pop()) : undefined;
    const position = kept ?? this.#run.save();
    this.#states.push({ tick: this.#run.tick, position });
    if (this.#states.length > MAX_STATES) this.#thin();
  }

  /**
   * Goes back to the last state before a tick, and forgets those after it.
   *
   * @returns False if there is none that can be used: the run is as before, and nothing is kept.
   */
  goBefore(tick: number): boolean {
    const index = this.#states.findLastIndex(
      (state) =>
        state.tick < tick && (!isKept(state.position) || state.position.state.canRestore()),
    );
    if (index !== this.#states.findLastIndex((state) => state.tick < tick)) this.#mayKeep = false;
    this.#drop(index + 1, this.#states.length);
    const found = this.#states[index];
    if (found === undefined) return false;
    returnTo(this.#run, found.position);
    return true;
  }

  /** Forgets the states before the last one that is not after a tick. */
  forgetBefore(tick: number): void {
    this.#drop(
      0,
      Math.max(
        0,
        this.#states.findLastIndex((state) => state.tick <= tick),
      ),
    );
  }

  clear(): void {
    this.#drop(0, this.#states.length);
  }

  /** Drops the state that is needed least: the first and the last stay. */
  #thin(): void {
    let [least, shortest] = [1, Infinity];
    for (let index = 1; index < this.#states.length - 1; index++) {
      const gap = (this.#states[index + 1]?.tick ?? 0) - (this.#states[index - 1]?.tick ?? 0);
      if (gap < shortest) [least, shortest] = [index, gap];
    }
    this.#drop(least, least + 1);
  }

  #drop(from: number, to: number): void {
    for (const { position } of this.#states.splice(from, to - from)) {
      if (isKept(position) && this.#unused.length < MAX_STATES) this.#unused.push(position.state);
    }
  }
}
