/**
 * Crates and figures that wait on both banks and leap onto the bridge, in sequence. Some time later
 * each is teleported back to its place, so it never ends.
 */
import type { RigidBody } from '@dimforge/rapier3d-simd-compat';
import type { Json } from '../../../src/shared/index.js';
import type { Pose } from '../../../src/sim-worker/index.js';
import type { RigidBodyRef } from '../../../src/rapier/rapier.js';
import type { Vector } from '../../contract/scene-contract.js';
import { lengthOf, minus, plus, xyz } from '../vectors.js';
import type { SceneKit } from './scene-kit.js';

const FIRST_SECONDS = 0.4;
/** Each has one turn per round of this length, in seconds. */
const ROUND_SECONDS = 11;
/** Share of the round after which it is taken back; it waits for the rest of the round. */
const OUT = 0.7;
/** More than the engine needs to send something to sleep. */
const SETTLING_SECONDS = 3;
const GRAVITY = 9.81;
/**
 * Seconds in the air for the square root of each metre of the way: high enough to clear the ones in
 * front.
 */
const FLIGHT = 0.5;

/** A unit that leaps: a crate, or all limbs of a figure. */
export interface Leaper {
  readonly bodies: readonly RigidBody[];
  /** Where its first body should land. */
  readonly target: Vector;
  /** While in the air, in rad/s. */
  readonly spin: Vector;
}

interface Waiting {
  readonly limbs: readonly {
    readonly ref: RigidBodyRef;
    readonly home: Pose;
  }[];
  readonly target: Vector;
  readonly spin: Vector;
}

/** The bodies that were taken back, and when, in simulated seconds. */
type Arrival = readonly [index: number, atSeconds: number];

/** A type and no interface, so that it counts as plain data. */
type SavedCargo = {
  readonly elapsedSeconds: number;
  readonly turns: number;
  readonly arrived: readonly Arrival[];
};

export class Cargo {
  readonly #kit: SceneKit;
  readonly #waiting: readonly Waiting[];
  readonly #edge: number;
  readonly #position = { x: 0, y: 0, z: 0 };
  #elapsedSeconds = 0;
  /** Turns that are over. */
  #turns = 0;
  /** Weightless bodies, in the order of their times. */
  #arrived: Arrival[] = [];

  /**
   * @param edge Where the banks begin, in metres from the middle along x.
   * @param leapers All asleep in their places, in the order of their turns.
   */
  constructor(kit: SceneKit, edge: number, leapers: readonly Leaper[]) {
    this.#edge = edge;
    this.#kit = kit;
    this.#waiting = leapers.map((leaper) => waitingOf(kit, leaper));
  }

  /** Call it before each step. */
  advance(dt: number): void {
    this.#elapsedSeconds += dt;
    this.#settle();
    const count = this.#waiting.length;
    const out = Math.round(OUT * count);
    while (FIRST_SECONDS + (this.#turns / count) * ROUND_SECONDS <= this.#elapsedSeconds) {
      this.#leap(this.#turns % count);
      if (this.#turns >= out) this.#takeBack((this.#turns - out) % count);
      this.#turns += 1;
    }
  }

  save(): SavedCargo {
    return {
      elapsedSeconds: this.#elapsedSeconds,
      turns: this.#turns,
      arrived: [...this.#arrived],
    };
  }

  restore(saved: Json): void {
    const { elapsedSeconds, turns, arrived } = saved as SavedCargo;
    this.#elapsedSeconds = elapsedSeconds;
    this.#turns = turns;
    this.#arrived = [...arrived];
  }

  /**
   * From where it is, if that is on a bank: it may have been knocked over, or have landed there by
   * itself.
   */
  #leap(index: number): void {
    const waiting = this.#waiting[index];
    const first = waiting?.limbs[0]?.ref.body;
    if (waiting === undefined || first === undefined) return;
    if (!this.#isOnBank(first) || !lies(this.#kit, waiting)) return;
    const from = positionOf(first);
    const velocity = leapTo(minus(waiting.target, from));
    for (const { ref } of waiting.limbs) {
      if (ref.body === undefined) continue;
      // Spinning about the first body as one.
      const turning = cross(waiting.spin, minus(positionOf(ref.body), from));
      ref.body.setGravityScale(1, true);
      ref.body.setLinvel(xyz(plus(velocity, turning)), true);
      ref.body.setAngvel(xyz(waiting.spin), true);
    }
  }

  #takeBack(index: number): void {
    const waiting = this.#waiting[index];
    const first = waiting?.limbs[0]?.ref.body;
    if (waiting === undefined || first === undefined) return;
    if (this.#isOnBank(first) || !lies(this.#kit, waiting)) return;
    const { physics } = this.#kit;
    for (const { ref, home } of waiting.limbs) {
      const id = ref.body && physics.bodyIdOf(ref.body);
      if (id === undefined || !physics.teleport(id, home)) continue;
      // The engine sends to sleep only bodies that have been at rest for a while, and a figure that
      // is awake falls over.
      ref.body?.setGravityScale(0, true);
      ref.body?.setLinvel({ x: 0, y: 0, z: 0 }, true);
      ref.body?.setAngvel({ x: 0, y: 0, z: 0 }, true);
    }
    this.#arrived.push([index, this.#elapsedSeconds]);
  }

  #isOnBank(body: RigidBody): boolean {
    return Math.abs(body.translation(this.#position).x) > this.#edge;
  }

  /** Restores the weight of those that have fallen asleep, or could not. */
  #settle(): void {
    this.#arrived = this.#arrived.filter(([index, atSeconds]) => {
      const limbs = this.#waiting[index]?.limbs ?? [];
      const isSettled = limbs.every(({ ref: { body } }) => body?.isSleeping() !== false);
      if (!isSettled && this.#elapsedSeconds - atSeconds < SETTLING_SECONDS) return true;
      for (const { ref } of limbs) ref.body?.setGravityScale(1, !isSettled);
      return false;
    });
  }
}

function waitingOf({ physics }: SceneKit, { bodies, target, spin }: Leaper): Waiting {
  const limbs = bodies.map((body) => {
    const { x, y, z } = body.translation();
    const { x: qx, y: qy, z: qz, w: qw } = body.rotation();
    return { ref: physics.ref(body), home: { x, y, z, qx, qy, qz, qw } };
  });
  return { limbs, target, spin };
}

/** A body that touches nothing may be in the air, or be held by the player. */
function lies({ physics: { world } }: SceneKit, { limbs }: Waiting): boolean {
  let contacts = 0;
  for (const { ref } of limbs) {
    if (ref.body?.isSleeping()) return true;
    const collider = ref.body?.collider(0);
    if (collider === undefined) continue;
    world.contactPairsWith(collider, (other) => {
      world.contactPair(collider, other, (manifold) => (contacts += manifold.numContacts()));
    });
  }
  return contacts > 0;
}

/** The velocity in m/s with which a thrown body lands this far away. */
function leapTo([x, y, z]: Vector): Vector {
  const timeSeconds = FLIGHT * Math.sqrt(lengthOf([x, y, z]));
  return [x / timeSeconds, y / timeSeconds + (GRAVITY * timeSeconds) / 2, z / timeSeconds];
}

function positionOf(body: RigidBody): Vector {
  const { x, y, z } = body.translation();
  return [x, y, z];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
