/** How a character gets through a world, on Rapier's controller. It keeps nothing from one step to the next. */
import { dot, plus, scaled, type Vector } from '../../shared/util/vectors.js';
import { CHARACTER, type CharacterFields } from '../shared/setting-tables.js';
import type { Rapier, RapierWorldOf } from '../../rapier/rapier-builds.js';
import { applySettings } from './apply-fields.js';
import { collidersAround } from '../../rapier/shape-bounds.js';
import { contactOf, FLAT, wayOut, type Keeper, type Neighbor } from './character-distance.js';
import { motionOf } from './step-motion.js';

type World = RapierWorldOf;
type Controller = ReturnType<World['createCharacterController']>;
type RigidBody = InstanceType<Rapier['RigidBody']>;
type Collider = InstanceType<Rapier['Collider']>;

/** The character in a step, and the world that it is in. */
export interface MovedCharacter {
  readonly rapier: Rapier;
  readonly world: World;
  readonly dt: number;
  readonly collider: Collider;
  readonly body: RigidBody;
  readonly up: Vector;
  /** The cosine of the slope from which it slides down. */
  readonly steep: number;
  /** Which colliders it meets. Undefined: all. */
  readonly meets: ((other: Collider) => boolean) | undefined;
}

/** The surface below a character. */
interface Surface {
  /** Undefined: a collider without one. */
  readonly body: RigidBody | undefined;
  /** The cosine of its angle. */
  readonly slope: number;
  /** In m, from the surface. */
  readonly distance: number;
}

/** How the controller is asked. */
interface Question {
  readonly isPushing?: boolean;
  /** Colliders that it ignores: a set, because the engine is busy then and cannot be asked about one. */
  readonly without?: ReadonlySet<Collider>;
}

const DEFAULT_OFFSET = 0.01;
/** Share of the offset that the controller keeps. */
const INNER = 0.9;
/** How far around it others are looked for, in m, in addition to its way and the offset that it keeps. */
const REACH = 0.1;
/** Share of the offset: a nearer surface is touched. */
const THERE = 1.5;
/** If it can go less than this share of the way out, it would be pushed against something: it stays. */
const FREE = 0.25;

export class CharacterMover {
  readonly #controller: Controller;
  #isPushing = false;
  #offset: number;
  /** The colliders near it in this step. */
  #near: readonly Collider[] = [];

  constructor(world: World, { offset = DEFAULT_OFFSET }: CharacterFields) {
    this.#offset = offset;
    this.#controller = world.createCharacterController(offset * INNER);
  }

  configure({ offset, applyImpulsesToDynamicBodies, ...fields }: CharacterFields): void {
    configure(this.#controller, fields);
    if (offset !== undefined) {
      this.#offset = offset;
      // The mover keeps a little more than the controller, which walks badly when it is too near.
      this.#controller.setOffset(offset * INNER);
    }
    this.#isPushing = applyImpulsesToDynamicBodies ?? this.#isPushing;
  }

  remove(world: World): void {
    world.removeCharacterController(this.#controller);
  }

  /**
   * A character's own way, in a world at rest. The character pushes what it meets.
   *
   * @param reach How far it may be taken besides, in m.
   * @returns The way, and on what it ends.
   */
  walk(character: MovedCharacter, wanted: Vector, reach: number, isRising: boolean) {
    const { world, dt, collider } = character;
    const controller = this.#controller;
    const far = Math.sqrt(dot(wanted, wanted)) + reach + this.#offset + REACH;
    this.#near = collidersAround(world, collider, far).filter(
      (other) => !other.isSensor() && character.meets?.(other) !== false,
    );
    // Each kinematic body near it would take it along. Within no time, none does.
    world.timestep = 0;
    const way = this.#ask(character, wanted, { without: this.#yielding(character, wanted) });
    world.timestep = dt;
    const isTouching = controller.computedGrounded();
    if (this.#isPushing && this.#hasMetDynamic()) {
      this.#ask(character, wanted, { isPushing: true, without: this.#movers() });
    }
    if (isRising) return { way, ground: undefined };
    const offset = this.#offset;
    const end = plus(collider.translation(), way);
    const ground =
      this.#below(character, end) ?? (isTouching ? this.#castDown(character, end) : undefined);
    const isThere = ground !== undefined && ground.distance < offset * THERE;
    if (ground === undefined || !(isTouching || isThere)) return { way, ground: undefined };
    return { way, ground: { ...ground, isNear: isThere || controller.snapToGroundEnabled() } };
  }

  /**
   * Where its way leads while others move.
   *
   * @param carry How the ground takes it along.
   * @returns The way, and what brings it back to its offset.
   */
  amongOthers(
    character: MovedCharacter,
    own: Vector,
    carry: Vector,
    ground: RigidBody | undefined,
  ) {
    const { rapier, dt, collider } = character;
    const start = collider.translation();
    const keeper = this.#keeper(character);
    const movers = this.#movers();
    const [pushing, resting]: [Neighbor[], Neighbor[]] = [[], []];
    for (const each of this.#near) {
      const body = each.parent();
      const motion = motionOf(body, dt);
      const neighbor = { collider: each, ...(motion && { motion }) };
      if (movers.has(each) && body !== ground) pushing.push(neighbor);
      // Dynamic bodies move out of its way, except below it.
      else resting.push({ ...neighbor, isOnlyGround: body?.isDynamic() === true });
    }
    const carried = plus(own, carry);
    const push = wayOut(rapier, keeper, plus(start, carried), pushing);
    let way = own;
    if (dot(carry, carry) > 0) way = this.#carried(character, carried, movers);
    if (dot(push, push) > 0) {
      const pushed = this.#carried(character, plus(carried, push), movers);
      if (dot(plus(pushed, way, -1), push) > dot(push, push) * FREE) way = pushed;
    }
    return { way, correction: wayOut(rapier, keeper, plus(start, way), resting) };
  }

  /** The nearest flat ground. Undefined also if a wall of the same collider is nearer. */
  #below(character: MovedCharacter, at: Vector): Surface | undefined {
    const { rapier, up, steep } = character;
    const keeper = this.#keeper(character);
    let below: Surface | undefined;
    for (const collider of this.#near) {
      const contact = contactOf(rapier, keeper, at, { collider }, keeper.offset + REACH);
      if (contact === undefined || contact.distance > (below?.distance ?? Infinity)) continue;
      const slope = dot(contact.normal, up);
      if (slope < steep || slope < FLAT) continue;
      below = { body: collider.parent() ?? undefined, slope, distance: contact.distance };
    }
    return below;
  }

  /** The surface right below it, however steep: the controller takes even a wall that leans by a hair for ground. */
  #castDown(
    { rapier, world, collider, body, up, meets }: MovedCharacter,
    at: Vector,
  ): Surface | undefined {
    const hit = world.castShape(
      at,
      collider.rotation(),
      scaled(up, -1),
      collider.shape,
      0,
      this.#offset + REACH,
      false,
      rapier.QueryFilterFlags.EXCLUDE_SENSORS,
      collider.collisionGroups(),
      undefined,
      body,
      meets,
    );
    if (hit === null) return undefined;
    const slope = dot(hit.normal1, up);
    return {
      body: hit.collider.parent() ?? undefined,
      slope,
      distance: hit.time_of_impact * slope,
    };
  }

  #keeper({ collider, up }: MovedCharacter): Keeper {
    const offset = this.#offset;
    return { shape: collider.shape, rotation: collider.rotation(), offset, up };
  }

  /** Colliders of dynamic bodies that lean at it: the controller would give way to them, but they give way to it. */
  #yielding(character: MovedCharacter, wanted: Vector): ReadonlySet<Collider> {
    const { rapier, collider, up } = character;
    const keeper = this.#keeper(character);
    const yielding = new Set<Collider>();
    for (const other of this.#near) {
      if (other.parent()?.isDynamic() !== true) continue;
      const contact = contactOf(rapier, keeper, collider.translation(), { collider: other });
      if (contact === undefined || contact.distance > keeper.offset) continue;
      const isInWay = dot(contact.normal, wanted) < 0 || dot(contact.normal, up) > FLAT;
      if (!isInWay) yielding.add(other);
    }
    return yielding;
  }

  /** The colliders of kinematic bodies. */
  #movers(): ReadonlySet<Collider> {
    return new Set(this.#near.filter((each) => each.parent()?.isKinematic() === true));
  }

  /** A way with what moves: only the rest of the world is in it. */
  #carried(character: MovedCharacter, wanted: Vector, movers: ReadonlySet<Collider>): Vector {
    const controller = this.#controller;
    const snap = controller.snapToGroundDistance() ?? undefined;
    // Not onto what is below the ground.
    controller.disableSnapToGround();
    const without = new Set([...movers, ...this.#yielding(character, wanted)]);
    const way = this.#ask(character, wanted, { without });
    if (snap !== undefined) controller.enableSnapToGround(snap);
    return way;
  }

  #ask(
    { rapier, collider, meets }: MovedCharacter,
    wanted: Vector,
    { isPushing = false, without }: Question = {},
  ): Vector {
    const controller = this.#controller;
    controller.setApplyImpulsesToDynamicBodies(isPushing);
    controller.computeColliderMovement(
      collider,
      wanted,
      rapier.QueryFilterFlags.EXCLUDE_SENSORS,
      collider.collisionGroups(),
      without === undefined || without.size === 0
        ? meets
        : (other) => !without.has(other) && meets?.(other) !== false,
    );
    return controller.computedMovement();
  }

  #hasMetDynamic(): boolean {
    const controller = this.#controller;
    for (let index = 0; index < controller.numComputedCollisions(); index++) {
      const met = controller.computedCollision(index)?.collider?.parent();
      if (met?.isDynamic() === true) return true;
    }
    return false;
  }
}

function configure(controller: Controller, fields: CharacterFields): void {
  const { autostep, snapToGround, characterMass } = fields;
  applySettings(CHARACTER, controller, fields, true);
  if (autostep !== undefined) {
    const [height, width = 0, includesDynamic = 0] = Array.from(autostep);
    if (height === undefined) controller.disableAutostep();
    else controller.enableAutostep(height, width, includesDynamic !== 0);
  }
  if (snapToGround !== undefined) {
    if (snapToGround < 0) controller.disableSnapToGround();
    else controller.enableSnapToGround(snapToGround);
  }
  if (characterMass !== undefined) {
    controller.setCharacterMass(characterMass < 0 ? null : characterMass);
  }
}
