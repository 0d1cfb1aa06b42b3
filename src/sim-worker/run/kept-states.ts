/**
 * The states that a simulation has kept in its own memory, for going back in the newest seconds. Ticks between two of them
 * are run again. A page knows them by their numbers, which it gets with the recording.
 *
 *     ──────■───────────■─────■─────■──▶ now
 *           │           └ dropped first if there are too many: it leaves the shortest interval
 *           └ forgotten after `rewindSeconds`
 *
 * A state is kept when the steps since the last one have taken so long that keeping it is a small share of them, or as long
 * as going back may take: these steps are those that run again.
 */
import type { KeptLimits, KeptReport } from '../../shared/protocol/control-protocol.js';
import type { KeptMark, SavedState } from '../../shared/recording/recording.js';
import type { KeptState } from '../api/simulation.js';
import type { RunCheckpoint, SimulationRun } from './simulation-run.js';

/** The time for keeping states, as a share of the time in steps. */
const SHARE = 0.03;
/** Longest time in steps between two states, in ms, even where keeping a state is then a larger share, up to another. */
const MAX_STEPS_MS = 32;
const MAX_SHARE = 0.06;
/** Longest interval between two states, in seconds of simulated time: where steps take next to nothing. */
const MAX_INTERVAL_SECONDS = 1;
/** Most states whose memory is left for the next one. */
const MAX_UNUSED = 1;

/** A position of a run, in this thread's memory. */
export interface KeptPosition {
  readonly checkpoint: RunCheckpoint;
  readonly state: KeptState;
}

/** A kept position with the numbers by which the page knows it. */
interface MarkedPosition extends KeptPosition {
  readonly tick: number;
  readonly number: number;
}

/** A position to which a run can return. A kept one is valid until another state replaces the engine's world. */
export type Position = KeptPosition | SavedState;

export const isKept = (position: Position | undefined): position is KeptPosition =>
  position !== undefined && 'state' in position;

/**
 * Keeps the current position of a run. Undefined: its simulation cannot.
 *
 * @param used Its memory is used again.
 */
export function keepPosition(run: SimulationRun, used?: KeptState): KeptPosition | undefined {
  const state = run.simulation.keep?.(used);
  return state && { checkpoint: run.checkpoint(), state };
}

/** @throws Anything the simulation throws, and like {@link SimulationRun.restore}. */
export function returnTo(run: SimulationRun, position: Position): void {
  if (isKept(position)) run.moveTo(position.checkpoint, () => position.state.restore());
  else run.restore(position);
}

export class KeptStates {
  readonly #run: SimulationRun;
  readonly #limits: KeptLimits;
  /** Time now, in ms, of any clock. */
  readonly #now: () => number;
  /** By tick, in ascending order. */
  #kept: MarkedPosition[] = [];
  /** States whose memory is used again. */
  readonly #unused: KeptState[] = [];
  /** Not even two states fit. */
  #isFull = false;
  #startedMs = 0;
  /** Time in steps since the last state, in ms. */
  #stepsMs = 0;
  /** How long the last three states took, in ms. */
  #lastMs: readonly number[] = [0, 0, 0];
  /** Begins at random, so that no two workers give the same numbers. */
  #number = Math.floor(Math.random() * 2 ** 50);

  constructor(run: SimulationRun, limits: KeptLimits, now: () => number) {
    this.#run = run;
    this.#limits = limits;
    this.#now = now;
  }

  get bytes(): number {
    return this.#kept.reduce((sum, { state }) => sum + state.bytes, 0);
  }

  /** Call it before each tick of the page's own run. */
  beforeTick(): void {
    this.#startedMs = this.#now();
  }

  /** Call it after each tick of the page's own run. @returns The report to the page if a state was kept. */
  afterTick(): KeptReport | undefined {
    const { tick, dt } = this.#run;
    const { rewindSeconds, keptBytes } = this.#limits;
    const keepTicks = rewindSeconds / dt;
    if (keepTicks === 0 || keptBytes === 0 || this.#isFull) return undefined;
    const endedMs = this.#now();
    this.#stepsMs += endedMs - this.#startedMs;
    const interval = tick - (this.#kept.at(-1)?.tick ?? 0);
    // The median: what is long once was interrupted, or was the first.
    const keepMs = this.#lastMs.toSorted((a, b) => a - b)[1] ?? 0;
    const neededMs = Math.max(keepMs / MAX_SHARE, Math.min(keepMs / SHARE, MAX_STEPS_MS));
    if (this.#stepsMs < neededMs && interval * dt < MAX_INTERVAL_SECONDS) return undefined;
    this.#stepsMs = 0;
    // One from before the kept ticks stays, so that all of them can be reached.
    while ((this.#kept[1]?.tick ?? Infinity) <= tick - keepTicks) this.#drop(0);
    const kept = this.keep();
    if (kept === undefined) return undefined;
    this.#lastMs = [...this.#lastMs.slice(1), this.#now() - endedMs];
    this.#number += 1;
    const mark = { tick, number: this.#number };
    this.#kept.push({ ...mark, ...kept });
    while (this.bytes > keptBytes && !this.#isFull) this.#thin();
    const [oldest] = this.#kept;
    if (oldest === undefined) return undefined;
    const everyTicks = this.#longestInterval;
    return { kind: 'kept', ...mark, since: oldest.tick, everyTicks, bytes: this.bytes };
  }

  /** Keeps the current position, apart from the others. Undefined: the simulation cannot. */
  keep(): KeptPosition | undefined {
    return keepPosition(this.#run, this.#unused.pop());
  }

  /** Releases a position that {@link keep} has returned: its memory may be used again. */
  release({ state }: KeptPosition): void {
    if (this.#unused.length < MAX_UNUSED) this.#unused.push(state);
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
    this.#isFull = false;
    this.#stepsMs = 0;
  }

  /** Drops the state that is needed least: the newest and the oldest stay. */
  #thin(): void {
    let [least, shortest] = [0, Infinity];
    for (let index = 1; index < this.#kept.length - 1; index++) {
      const interval = this.#tickAt(index + 1) - this.#tickAt(index - 1);
      if (interval < shortest) [least, shortest] = [index, interval];
    }
    if (this.#kept.length > 2) {
      this.#drop(least);
      return;
    }
    this.#isFull = true;
    this.#kept = [];
    this.#unused.length = 0;
  }

  get #longestInterval(): number {
    return this.#kept.reduce(
      (longest, { tick }, index) => Math.max(longest, tick - this.#tickAt(Math.max(0, index - 1))),
      0,
    );
  }

  #tickAt(index: number): number {
    return this.#kept[index]?.tick ?? 0;
  }

  #drop(index: number): void {
    const [dropped] = this.#kept.splice(index, 1);
    if (dropped !== undefined && this.#unused.length < MAX_UNUSED) this.#unused.push(dropped.state);
  }
}
