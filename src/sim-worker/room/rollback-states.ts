/**
 * The states that a prediction goes back to: copies of the engine's memory where the simulation makes some, otherwise states
 * as they are saved in files, which take ten times as long.
 *
 * A copy can become useless, when the simulation has made something since that its engine cannot take back. Then nothing that
 * was kept before helps, and states are saved from then on.
 */
import type { SavedState } from '../../shared/recording/recording.js';
import { goToKept, KeptStates, type KeptPosition } from '../run/kept-states.js';
import { restoreRun, saveRun } from '../run/saved-run.js';
import type { SimulationRun } from '../run/simulation-run.js';

interface RollbackState {
  readonly tick: number;
  readonly position: KeptPosition | SavedState;
}

const isKept = (position: KeptPosition | SavedState): position is KeptPosition =>
  'state' in position;

export class RollbackStates {
  readonly #run: SimulationRun;
  readonly #memory: KeptStates;
  /** By tick, ascending. */
  #states: RollbackState[] = [];
  #mayKeep = true;

  constructor(run: SimulationRun) {
    this.#run = run;
    // Which states are kept, and for how long, is decided here.
    this.#memory = new KeptStates(run, { rewindSeconds: 0, keptBytes: 0 });
  }

  /** The first tick that can be reached; undefined: none was kept. */
  get firstTick(): number | undefined {
    return this.#states[0]?.tick;
  }

  /** Keeps the current state. */
  keep(): void {
    const position = (this.#mayKeep ? this.#memory.keep() : undefined) ?? saveRun(this.#run);
    this.#states.push({ tick: this.#run.tick, position });
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
    if (isKept(found.position)) goToKept(this.#run, found.position);
    else restoreRun(this.#run, found.position);
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

  #drop(from: number, to: number): void {
    for (const { position } of this.#states.splice(from, to - from)) {
      if (isKept(position)) this.#memory.release(position);
    }
  }
}
