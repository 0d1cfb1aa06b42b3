/**
 * Colliders that hold only what meets them from their front. A filter runs inside the engine's step and may not ask it
 * anything, so before each step this decides of all that may reach them in it.
 */
import { dot, inverse, plus, rotated, unit, type Vector, ZERO } from '../../shared/util/vectors.js';
import type { Json } from '../../shared/util/json.js';
import type { ColliderFields, OneWayFields } from '../shared/setting-tables.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import { halfSizesOf } from '../../rapier/shape-bounds.js';
import type { RapierWorld } from '../../rapier/rapier-world.js';
import { otherVersion } from './kind-contents.js';

type Collider = InstanceType<Rapier['Collider']>;
type RigidBody = InstanceType<Rapier['RigidBody']>;

/** A one-way collider. */
interface Platform {
  readonly collider: Collider;
  readonly fields: OneWayFields;
  /** The hooks that the page has set: the engine has one more, by which it asks about this collider. */
  readonly activeHooks: number;
  decisions: Decisions;
}

/** A collider that may meet a one-way collider. */
interface Candidate {
  readonly collider: Collider;
  readonly body: RigidBody | null;
  readonly at: Vector;
  /** The radius of a ball around it. */
  readonly radius: number;
  readonly velocity: Vector;
}

/** Whether what is near or in a one-way collider passes through it, by the engine's numbers. */
type Decisions = Map<number, boolean>;

/** The engine's number, and what its platform has. */
type SavedPlatform = readonly [
  number,
  OneWayFields,
  number,
  readonly (readonly [number, boolean])[],
];

/** Cosine of 60°: from farther off the axis, a body comes from a side. */
const FRONT = 0.5;
/** The speed that a body may gain within a step by a push or a jump, in lengths per second. */
const SPARE_SPEED = 20;

export class OneWays {
  readonly #rapier: Rapier;
  readonly #physics: RapierWorld;
  /** By the engine's numbers. */
  readonly #platforms = new Map<number, Platform>();

  constructor(rapier: Rapier, physics: RapierWorld) {
    this.#rapier = rapier;
    this.#physics = physics;
  }

  get isEmpty(): boolean {
    return this.#platforms.size === 0;
  }

  /** The fields of a one-way collider that the engine cannot tell, or tells otherwise. */
  fieldsOf(collider: Collider): ColliderFields | undefined {
    const platform = this.#platforms.get(collider.handle);
    return platform && { oneWay: platform.fields, activeHooks: platform.activeHooks };
  }

  /** @param changed What was set of a collider. The engine has it already. */
  note(collider: Collider, changed: ColliderFields): void {
    const before = this.#platforms.get(collider.handle);
    const { oneWay = before?.fields ?? null } = changed;
    if (before === undefined && oneWay === null) return;
    const activeHooks = changed.activeHooks ?? before?.activeHooks ?? collider.activeHooks();
    if (oneWay === null) {
      this.#platforms.delete(collider.handle);
      collider.setActiveHooks(activeHooks);
      return;
    }
    // By another axis, it would be decided otherwise.
    const isKept = before !== undefined && changed.oneWay === undefined;
    this.#platforms.set(collider.handle, {
      collider,
      fields: oneWay as OneWayFields,
      activeHooks,
      decisions: isKept ? before.decisions : new Map(),
    });
    // The engine asks filters only of colliders with hooks.
    collider.setActiveHooks(activeHooks | this.#rapier.ActiveHooks.FILTER_CONTACT_PAIRS);
  }

  /** Whether two colliders pass through each other, by the engine's numbers. */
  passes(collider1: number, collider2: number): boolean {
    return (
      this.#platforms.get(collider1)?.decisions.get(collider2) === true ||
      this.#platforms.get(collider2)?.decisions.get(collider1) === true
    );
  }

  /** @param dt Simulated seconds. */
  beforeStep(dt: number): void {
    for (const [number, { collider }] of this.#platforms) {
      if (!collider.isValid()) this.#platforms.delete(number);
    }
    if (this.isEmpty) return;
    const { world } = this.#physics;
    // For bodies that were moved between two steps.
    world.propagateModifiedBodyPositionsToColliders();
    const moving = this.#moving();
    let all: readonly Candidate[] | undefined;
    for (const platform of this.#platforms.values()) {
      const isMovable = isMoving(platform.collider.parent());
      const candidates = isMovable ? (all ??= this.#all()) : moving;
      platform.decisions = this.#decide(platform, candidates, dt);
    }
  }

  save(): Json {
    const saved: SavedPlatform[] = Array.from(
      this.#platforms,
      ([number, { fields, activeHooks, decisions }]) => [
        number,
        fields,
        activeHooks,
        [...decisions],
      ],
    );
    return saved as unknown as Json;
  }

  /** The engine has the saved world already. @throws RangeError if it is not what `save` returned. */
  restore(saved: Json | undefined): void {
    if (!Array.isArray(saved)) throw otherVersion();
    this.#platforms.clear();
    for (const platform of saved as unknown as readonly SavedPlatform[]) {
      const [number, fields, activeHooks, decisions] = platform;
      const collider = this.#physics.world.getCollider(number);
      if (collider === null) continue;
      this.#platforms.set(number, { collider, fields, activeHooks, decisions: new Map(decisions) });
    }
  }

  #decide(
    { collider, fields, decisions: before }: Platform,
    candidates: readonly Candidate[],
    dt: number,
  ): Decisions {
    const { world } = this.#physics;
    const { margin } = fields;
    const own = collider.parent();
    const velocity = own?.linvel() ?? ZERO;
    const axis = rotated(collider.rotation(), unit(fields.axis));
    const isNear = boxTest(collider);
    const decisions: Decisions = new Map();
    const looked = new Set<number>();
    const passing = new Set<RigidBody | null>();
    for (const { collider: other, body, at, radius, velocity: its } of candidates) {
      if (other === collider || (body !== null && body === own)) continue;
      looked.add(other.handle);
      const way = plus(its, velocity, -1);
      const speed = Math.sqrt(dot(way, way)) + SPARE_SPEED * world.lengthUnit;
      const reach = margin + speed * dt;
      const contact = isNear(at, radius + reach) ? collider.contactCollider(other, reach) : null;
      if (contact === null) continue;
      const { distance, normal1 } = contact;
      const isIn = distance <= 0;
      const isInFront = dot(normal1, axis) >= FRONT && -distance <= margin;
      // Until they are apart, it stays as it was.
      const passes = (isIn ? before.get(other.handle) : undefined) ?? !isInFront;
      decisions.set(other.handle, passes);
      if (isIn && passes) passing.add(body);
    }
    // If a part of a body is in it and passes, the rest passes, too: else its lower part would be held when it comes back.
    for (const { collider: other, body } of candidates) {
      if (body !== null && passing.has(body) && decisions.has(other.handle)) {
        decisions.set(other.handle, true);
      }
    }
    // A body that sleeps may be woken within the step.
    for (const [number, passes] of before) {
      if (!looked.has(number) && world.getCollider(number)?.handle === number) {
        decisions.set(number, passes);
      }
    }
    return decisions;
  }

  /** The colliders of bodies that may move in the step. The engine's own list lacks those that are new or were woken. */
  #moving(): Candidate[] {
    const candidates: Candidate[] = [];
    this.#physics.world.bodies.forEach((body) => {
      if (!isMoving(body)) return;
      const velocity = body.linvel();
      for (let index = 0; index < body.numColliders(); index++) {
        candidates.push(candidateOf(body.collider(index), body, velocity));
      }
    });
    return candidates;
  }

  /** For a one-way collider that moves itself. */
  #all(): Candidate[] {
    const candidates: Candidate[] = [];
    this.#physics.world.colliders.forEach((collider) => {
      const body = collider.parent();
      candidates.push(candidateOf(collider, body, body?.linvel() ?? ZERO));
    });
    return candidates;
  }
}

const isMoving = (body: RigidBody | null): boolean =>
  body !== null && (body.isKinematic() || (body.isDynamic() && !body.isSleeping()));

function candidateOf(collider: Collider, body: RigidBody | null, velocity: Vector): Candidate {
  const half = halfSizesOf(collider.shape);
  const radius = Math.sqrt(dot(half, half));
  return { collider, body, at: collider.translation(), radius, velocity };
}

/** @returns Whether a ball may reach the box around a collider. */
function boxTest(collider: Collider): (at: Vector, radius: number) => boolean {
  const center = collider.translation();
  const back = inverse(collider.rotation());
  const half = halfSizesOf(collider.shape);
  return (at, radius) => {
    const { x, y, z } = rotated(back, plus(at, center, -1));
    return (
      Math.abs(x) <= half.x + radius &&
      Math.abs(y) <= half.y + radius &&
      Math.abs(z) <= half.z + radius
    );
  };
}
