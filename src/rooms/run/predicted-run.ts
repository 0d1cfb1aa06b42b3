/**
 * A client's own run of its room's simulation, ahead of what it knows.
 *
 * The client runs ticks before the room does, with its own actions, which the room will get in time, and as if no one else
 * did anything. When a packet says what the actions of a tick were, and the client had run it with others, it goes back
 * to the last tick before and runs again.
 *
 *     confirmed ──────── C   what the room has said; its states and hashes are the room's, bit for bit
 *     predicted          C ─ ─ ─ ─ ─ ─ ─ P   own actions only; the picture shows this
 *                        ▲
 *                        └ states to go back to (RollbackStates)
 *
 * Source of the method: GGPO, by Tony Cannon, which calls it rollback; here with a server that decides.
 */
import {
  actionOfSeat,
  tickInputsOf,
  writeActions,
  type Action,
  type RoomPacket,
  type RoomWelcome,
} from '../shared/room-messages.js';
import { BODY_LANES } from '../../shared/memory/layout.js';
import { ByteWriter } from '../../shared/util/bytes.js';
import type { KeptState } from '../../sim-worker/api/simulation.js';
import {
  isKept,
  keepPosition,
  returnTo,
  type Position,
  type SimulationRun,
} from '../../sim-worker/api/runs.js';

/** Counts of a prediction. */
export interface PredictionCounters {
  /** Number of times that it went back. */
  rollbacks: number;
  /** Ticks that it ran again. */
  repeatedTicks: number;
  /** Hashes that it compared with the room's. */
  hashes: number;
  /** Number of hashes that differed: the room then sent its state. */
  desyncs: number;
}

const NO_ACTIONS: readonly Action[] = [];

export class PredictedRun {
  readonly counters: PredictionCounters = { rollbacks: 0, repeatedTicks: 0, hashes: 0, desyncs: 0 };
  /** Lanes of the bodies from the last confirmed tick on, by tick. Undefined if no one needs them. */
  poses: Map<number, Int32Array<ArrayBuffer>> | undefined;
  readonly #run: SimulationRun;
  /** The first is at or before the last confirmed tick. */
  readonly #states: RollbackStates;
  #welcome: RoomWelcome;
  /** Own actions that are not confirmed yet, and actions that packets have, by tick. */
  readonly #own = new Map<number, Action[]>();
  readonly #confirmed = new Map<number, Action[]>();
  /** The actions with which each tick after the last confirmed one has run. */
  readonly #used = new Map<number, readonly Action[]>();
  readonly #hashes = new Map<number, string>();
  readonly #roomHashes = new Map<number, string>();
  #confirmedTick = 0;
  /** The first tick that has run with other actions than the room's. Infinity if all had the right ones. */
  #wrongTick = Number.POSITIVE_INFINITY;

  /** @param run Of the room's simulation. Goes to the state of the welcome. */
  constructor(run: SimulationRun, welcome: RoomWelcome) {
    this.#run = run;
    this.#welcome = welcome;
    this.#states = new RollbackStates(run);
    this.begin(welcome);
  }

  /** The last tick that it has run. */
  get tick(): number {
    return this.#run.tick;
  }

  /** The last tick that has run with the actions that the room has said. */
  get confirmedTick(): number {
    return Math.min(this.#confirmedTick, this.#run.tick, this.#wrongTick - 1);
  }

  /** The last tick that packets have come for. */
  get packetTick(): number {
    return this.#confirmedTick;
  }

  /** Whether a tick has run with other actions than the room's: {@link advance} goes back. */
  get isWrong(): boolean {
    return this.#wrongTick <= this.tick;
  }

  /** Begins at a state of the room: at first, and when its own state was wrong. */
  begin(welcome: RoomWelcome): void {
    const { tick, state } = welcome;
    this.#welcome = welcome;
    this.#run.restore({ tick, bytes: state });
    for (const map of [this.#used, this.#confirmed, this.#hashes, this.#roomHashes]) map.clear();
    this.poses?.clear();
    this.#keepPoses(tick);
    this.#confirmedTick = Math.max(tick, welcome.packetTick);
    this.#wrongTick = Number.POSITIVE_INFINITY;
    this.#states.clear();
    this.#states.keep();
  }

  /**
   * Notes own actions, which were sent to the room. A tick that has already run is run again with them.
   *
   * @param actions As they were sent: without the seat.
   */
  addOwn(actions: readonly Action[]): void {
    for (const action of actions) {
      const { tick } = action;
      if (tick <= this.#confirmedTick) continue;
      const ofTick = this.#own.get(tick) ?? [];
      ofTick.push(actionOfSeat(this.#welcome.seat, action));
      this.#own.set(tick, ofTick);
      if (tick <= this.tick) this.#wrongTick = Math.min(this.#wrongTick, tick);
    }
  }

  /**
   * Takes a packet, the next one.
   *
   * @returns False if the room's hash of a tick was another one: a new welcome is needed.
   */
  receive({ tick, actions = NO_ACTIONS, hash }: RoomPacket): boolean {
    for (const action of actions) {
      // The state of the welcome has them.
      if (action.tick <= this.#confirmedTick) continue;
      const ofTick = this.#confirmed.get(action.tick) ?? [];
      ofTick.push(action);
      this.#confirmed.set(action.tick, ofTick);
    }
    for (let of = this.#confirmedTick + 1; of <= tick; of++) {
      if (of > this.tick) continue;
      const said = this.#confirmed.get(of) ?? NO_ACTIONS;
      if (!areEqual(this.#used.get(of) ?? NO_ACTIONS, said, this.#welcome.commands)) {
        this.#wrongTick = Math.min(this.#wrongTick, of);
      }
    }
    this.#confirmedTick = Math.max(this.#confirmedTick, tick);
    if (hash !== undefined) this.#roomHashes.set(tick, hash);
    return this.#compare();
  }

  /**
   * Runs up to a tick, after going back if a tick has run with wrong actions.
   *
   * @param tick Not before the last one.
   * @returns False if the room's hash of a tick was another one, or if it cannot go back: a new welcome is needed.
   */
  advance(tick: number): boolean {
    const isRight = this.#wrongTick > this.tick || this.#repeat();
    while (this.tick < tick) this.#runTick(tick);
    this.#forget();
    return this.#compare() && isRight;
  }

  /** @returns False if it cannot go back. It then continues as it is. */
  #repeat(): boolean {
    const before = this.tick;
    const canGoBack = this.#states.goBefore(this.#wrongTick);
    this.#wrongTick = Number.POSITIVE_INFINITY;
    if (!canGoBack) {
      this.#states.keep();
      return false;
    }
    this.counters.rollbacks += 1;
    this.counters.repeatedTicks += before - this.tick;
    this.#run.events.setMuted(true);
    while (this.tick < before) this.#runTick(before);
    this.#run.events.setMuted(false);
    return true;
  }

  /** @param lastTick The tick that the run is on its way to. */
  #runTick(lastTick: number): void {
    const tick = this.tick + 1;
    const actions =
      (tick <= this.#confirmedTick ? this.#confirmed : this.#own).get(tick) ?? NO_ACTIONS;
    this.#used.set(tick, actions);
    this.#run.runTick(1 / this.#welcome.tickRateHz, tickInputsOf(actions));
    this.#keepPoses(tick);
    if (tick % this.#welcome.hashEveryTicks === 0) this.#hashes.set(tick, this.#run.hash());
    if (tick % this.#welcome.ticksPerPacket !== 0) return;
    this.#states.keepIfNeeded(this.#confirmedTick, lastTick);
  }

  #keepPoses(tick: number): void {
    const { lanes, bodyLimit } = this.#run.bodies;
    this.poses?.set(tick, lanes.slice(0, bodyLimit * BODY_LANES));
  }

  /** Compares hashes of confirmed ticks. */
  #compare(): boolean {
    let isEqual = true;
    for (const [tick, hash] of this.#roomHashes) {
      if (tick > this.confirmedTick) continue;
      this.#roomHashes.delete(tick);
      const own = this.#hashes.get(tick);
      // The client joined at this tick, and has not run it.
      if (own === undefined) continue;
      this.counters.hashes += 1;
      if (own === hash) continue;
      this.counters.desyncs += 1;
      isEqual = false;
    }
    return isEqual;
  }

  /** Forgets what a rollback cannot need any more. */
  #forget(): void {
    const last = this.confirmedTick;
    this.#states.forgetBefore(last);
    for (const tick of this.poses?.keys() ?? []) if (tick < last) this.poses?.delete(tick);
    for (const tick of this.#own.keys()) if (tick <= last) this.#own.delete(tick);
    const from = this.#states.firstTick ?? 0;
    for (const map of [this.#used, this.#confirmed]) {
      for (const tick of map.keys()) if (tick <= from) map.delete(tick);
    }
    for (const tick of this.#hashes.keys()) {
      if (tick <= last && !this.#roomHashes.has(tick) && tick < from) this.#hashes.delete(tick);
    }
  }
}

function areEqual(a: readonly Action[], b: readonly Action[], names: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  if (a.length === 0) return true;
  const [first, second] = [a, b].map((actions) => {
    const out = new ByteWriter(256);
    writeActions(out, actions, names, actions[0]?.tick ?? 0);
    return out.toBytes();
  });
  return (
    first?.length === second?.length &&
    (first?.every((byte, index) => byte === second?.[index]) ?? false)
  );
}

/** Most states. They divide the ticks that are not confirmed into equal intervals. */
const MAX_STATES = 8;

interface RollbackState {
  readonly tick: number;
  readonly position: Position;
}

/**
 * The states that a prediction goes back to: copies of the engine's memory where the simulation makes them, otherwise saved
 * states as in files, which take ten times as long.
 *
 *     confirmed C ──────■─────■─────■─────■── P   a few between the last confirmed tick and the last one
 *
 * They are few, because each is as large as the engine's memory; without one, the ticks from the one before run again. Their
 * memory is used again: new memory takes longer than the copy.
 *
 * A copy becomes useless when the simulation has since made something that its engine cannot take back. Then no earlier copy
 * helps either, and states are saved from then on.
 */
export class RollbackStates {
  readonly #run: SimulationRun;
  /** By tick, ascending. */
  #states: RollbackState[] = [];
  /** Dropped copies, whose memory is used again. */
  readonly #unused: KeptState[] = [];
  #copies = true;

  constructor(run: SimulationRun) {
    this.#run = run;
  }

  /** The first tick that can be reached. Undefined if there is no state. */
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
    const kept = this.#copies ? keepPosition(this.#run, this.#unused.pop()) : undefined;
    const position = kept ?? this.#run.save();
    this.#states.push({ tick: this.#run.tick, position });
    if (this.#states.length > MAX_STATES) this.#thin();
  }

  /**
   * Goes back to the last state before a tick, and forgets those after it.
   *
   * @returns False if no state can be used: the run is as before, and no state is left.
   */
  goBefore(tick: number): boolean {
    const index = this.#states.findLastIndex(
      (state) =>
        state.tick < tick && (!isKept(state.position) || state.position.state.canRestore()),
    );
    if (index !== this.#states.findLastIndex((state) => state.tick < tick)) this.#copies = false;
    this.#drop(index + 1, this.#states.length);
    const found = this.#states[index];
    if (found === undefined) return false;
    returnTo(this.#run, found.position);
    return true;
  }

  /** Forgets the states that are not needed to go back to a tick or a later one. */
  forgetBefore(tick: number): void {
    const last = this.#states.findLastIndex((state) => state.tick <= tick);
    this.#drop(0, Math.max(0, last));
  }

  clear(): void {
    this.#drop(0, this.#states.length);
  }

  /** Drops the state that is needed least: the first and the last stay. */
  #thin(): void {
    let [least, shortest] = [1, Infinity];
    for (let index = 1; index < this.#states.length - 1; index++) {
      const interval = (this.#states[index + 1]?.tick ?? 0) - (this.#states[index - 1]?.tick ?? 0);
      if (interval < shortest) [least, shortest] = [index, interval];
    }
    this.#drop(least, least + 1);
  }

  #drop(from: number, to: number): void {
    for (const { position } of this.#states.splice(from, to - from)) {
      if (isKept(position) && this.#unused.length < MAX_STATES) this.#unused.push(position.state);
    }
  }
}
