/**
 * Bodies that come and go, and a model of the living ones: a map from their ids to unique numbers.
 */
import { equal, ok, throws } from 'node:assert/strict';
import { slotOf, type BodyId } from '../../../src/shared/memory/body-meta.js';
import { CapacityExceededError } from '../../../src/shared/util/errors.js';
import type { Simulation, SimulationContext } from '../../../src/sim-worker/index.js';
import { poseAt } from '../../fixtures/poses.js';
import { present } from '../../fixtures/present.js';
import { take, type Operations, type Step } from '../../fixtures/walk.js';

/** Dead bodies, which are checked to stay dead. */
const MAX_STALE = 64;
/** Bodies that may have this height are in one plane: x identifies the body. */
const HEIGHT_PER_TICK = 0.25;

export interface Living {
  readonly serial: number;
  readonly y: number;
  /** Teleports so far. */
  readonly jumps: number;
}

interface Memory {
  readonly living: readonly (readonly [BodyId, Living])[];
  readonly stale: readonly BodyId[];
  readonly lastSerial: number;
}

export class ChurnSimulation implements Simulation {
  readonly living = new Map<BodyId, Living>();
  /** Newest last. */
  readonly stale: BodyId[] = [];
  readonly #ticks: readonly (readonly Step[])[];
  #context: SimulationContext | undefined;
  #lastSerial = 0;
  #tick = 0;

  get #own(): SimulationContext {
    return present(this.#context);
  }

  get bodies(): SimulationContext['bodies'] {
    return this.#own.bodies;
  }

  get isFull(): boolean {
    return this.living.size >= this.#own.capacity;
  }

  /** @param ticks The operations of each tick. */
  constructor(ticks: readonly (readonly Step[])[]) {
    this.#ticks = ticks;
  }

  init(context: SimulationContext): void {
    this.#context = context;
  }

  step(_dt: number, tick: number): void {
    this.#tick = tick;
    for (const operation of this.#ticks[tick - 1] ?? []) take(CHURN_OPERATIONS, this, operation);
    this.check();
  }

  save(): Uint8Array {
    const { living, stale } = this;
    const memory: Memory = { living: [...living], stale, lastSerial: this.#lastSerial };
    return new TextEncoder().encode(JSON.stringify(memory));
  }

  restore(bytes: Uint8Array): void {
    const memory = JSON.parse(new TextDecoder().decode(bytes)) as Memory;
    this.living.clear();
    for (const [id, body] of memory.living) this.living.set(id, body);
    this.stale.splice(0, this.stale.length, ...memory.stale);
    this.#lastSerial = memory.lastSerial;
    this.check();
  }

  /** @throws Error if the registry and the model disagree. */
  check(): void {
    const { bodies } = this.#own;
    const slots = new Set<number>();
    for (const id of this.living.keys()) {
      ok(bodies.isAlive(id), `body ${id} lives, and is said not to`);
      ok(!slots.has(slotOf(id)), `two bodies live in slot ${slotOf(id)}`);
      slots.add(slotOf(id));
    }
    for (const id of this.stale) {
      ok(this.living.has(id) || !bodies.isAlive(id), `body ${id} is gone, and is said to live`);
    }
    equal(bodies.bodyCount, this.living.size);
  }

  spawn(): BodyId {
    this.#lastSerial += 1;
    const body = { serial: this.#lastSerial, y: this.#tick * HEIGHT_PER_TICK, jumps: 0 };
    const id = this.#own.bodies.spawn(poseAt(body.serial, body.y));
    ok(!this.living.has(id), `a new body has the id ${id} of one that lives`);
    // An id recurs after 4095 others of its slot.
    ok(!this.stale.includes(id), `a new body has the id ${id} of one that has just gone`);
    this.living.set(id, body);
    return id;
  }

  /** The n-th, wrapping around. */
  picked(n: number): BodyId[] {
    const ids = [...this.living.keys()];
    return ids.slice(n % Math.max(1, ids.length)).slice(0, 1);
  }

  /** All are moved to the height of this tick. */
  move(): void {
    for (const [id, body] of this.living) {
      this.place(id, { ...body, y: this.#tick * HEIGHT_PER_TICK });
    }
  }

  despawn(id: BodyId): void {
    ok(this.#own.bodies.despawn(id), `body ${id} lives, and cannot be removed`);
    this.living.delete(id);
    this.noteGone(id);
  }

  place(id: BodyId, body: Living): void {
    const isDone = this.#own.bodies.setPose(id, body.serial, body.y, 0, 0, 0, 0, 1);
    ok(isDone, `body ${id} lives, and cannot be moved`);
    this.living.set(id, body);
  }

  teleport(id: BodyId, y: number): void {
    const before = present(this.living.get(id));
    const body = { ...before, y, jumps: before.jumps + 1 };
    const isDone = this.#own.bodies.teleport(id, poseAt(body.serial, y));
    ok(isDone, `body ${id} lives, and cannot be teleported`);
    this.living.set(id, body);
  }

  useStale(): void {
    const { bodies } = this.#own;
    for (const id of this.stale) {
      if (this.living.has(id)) continue;
      bodies.setAsleep(id, true);
      bodies.markInvalid(id);
      const isDone = [
        bodies.setPose(id, -2, 0, 0, 0, 0, 0, 1),
        bodies.teleport(id, poseAt(-2)),
        bodies.despawn(id),
      ];
      ok(!isDone.includes(true), `body ${id} is gone, and something can be done with it`);
    }
  }

  noteGone(id: BodyId): void {
    this.stale.push(id);
    if (this.stale.length > MAX_STALE) this.stale.shift();
  }
}

/** Operations of a tick. */
export const CHURN_OPERATIONS: Operations<ChurnSimulation> = {
  spawn: [4, (churn) => churn.isFull || churn.spawn()],
  /** Until there is no room, and one more. */
  fill(churn) {
    while (!churn.isFull) churn.spawn();
    throws(() => churn.bodies.spawn(poseAt(-1)), CapacityExceededError);
  },
  despawn: [4, (churn, n) => churn.picked(n).forEach((id) => churn.despawn(id))],
  /** Half of them. */
  thin(churn, n) {
    for (const [index, id] of [...churn.living.keys()].entries()) {
      if (index % 2 === n % 2) churn.despawn(id);
    }
  },
  clear(churn) {
    churn.bodies.clear();
    for (const id of churn.living.keys()) churn.noteGone(id);
    churn.living.clear();
  },
  /**
   * One slot is given to that many bodies in sequence: generations wrap. At most as many as there are generations: with
   * one more, an id recurs within a tick.
   */
  spin(churn, n) {
    for (let owner = 0; owner < n && !churn.isFull; owner++) churn.despawn(churn.spawn());
  },
  move: [3, (churn) => churn.move()],
  teleport: [2, (churn, n) => churn.picked(n).forEach((id) => churn.teleport(id, -n))],
  sleep: (churn, n) => churn.picked(n).forEach((id) => churn.bodies.setAsleep(id, n % 2 === 0)),
  /** Operations on dead bodies. */
  useStale: [2, (churn) => churn.useStale()],
};
