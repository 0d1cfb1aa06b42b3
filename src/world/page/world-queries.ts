/** The queries of a world: the page's engine answers them. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import { finite, flag, ray, reach, rotation, vector } from './checked-values.js';
import type { Collider, RigidBody } from './body-and-collider.js';
import { ActiveCollisionTypes, RigidBodyType } from './constants.js';
import type { PageEngine } from './page-engine.js';
import type { RayData } from './query-types.js';
import type { EngineCollider, EngineWorld } from './query-world.js';
import { shapeData } from './checked-shapes.js';
import type { AnyShape } from './shape.js';
import type { WorldEventRelay } from './world-events.js';
import type { WorldLink } from './world-link.js';
import type {
  CharacterController,
  ContactManifold,
  PidController,
  QueryFilter,
  VehicleController,
  WorldQueryMethods,
} from './world-query-methods.js';

/** The arguments of the engine that select colliders. */
type EngineFilter =
  Parameters<EngineWorld['castRay']> extends [unknown, unknown, unknown, ...infer F] ? F : never;
type FoundCollider = { collider: unknown };
const none = (): number => 0;

export class WorldQueries implements WorldQueryMethods {
  protected readonly link: WorldLink;
  readonly #impulses: PairImpulses;

  constructor(link: WorldLink, events: WorldEventRelay) {
    this.link = link;
    this.#impulses = new PairImpulses(events, link);
  }

  /** The run has jumped: all answers so far are of another state. */
  protected forgetAnswers(): void {
    this.link.forgetAnswers();
    this.#impulses.forget();
  }

  castRay(along: RayData, maxToi: number, solid: boolean, ...filter: Partial<QueryFilter>) {
    const args = [ray(along) as never, reach('maxToi', maxToi), flag(solid)] as const;
    return this.#find((world, where) => world.castRay(...args, ...where), filter);
  }

  castRayAndGetNormal(
    along: RayData,
    maxToi: number,
    solid: boolean,
    ...filter: Partial<QueryFilter>
  ) {
    const args = [ray(along) as never, reach('maxToi', maxToi), flag(solid)] as const;
    return this.#find((world, where) => world.castRayAndGetNormal(...args, ...where), filter);
  }

  intersectionsWithRay(
    along: RayData,
    maxToi: number,
    solid: boolean,
    callback: Parameters<WorldQueryMethods['intersectionsWithRay']>[3],
    ...filter: Partial<QueryFilter>
  ): void {
    const args = [ray(along) as never, reach('maxToi', maxToi), flag(solid)] as const;
    this.#ask((world, where, engine) => {
      const call = engine.callback((hit: FoundCollider) => callback(named(engine, hit) as never));
      world.intersectionsWithRay(...args, call as never, ...where);
    }, filter);
  }

  castShape(
    shapePos: Readonly<Vector>,
    shapeRot: Readonly<Rotation>,
    shapeVel: Readonly<Vector>,
    shape: AnyShape,
    targetDistance: number,
    maxToi: number,
    stopAtPenetration: boolean,
    ...filter: Partial<QueryFilter>
  ) {
    const at = [vector('shapePos', shapePos), rotation('shapeRot', shapeRot)] as const;
    const velocity = vector('shapeVel', shapeVel);
    const data = shapeData('shape', shape);
    const limits = [
      finite('targetDistance', targetDistance),
      reach('maxToi', maxToi),
      flag(stopAtPenetration),
    ] as const;
    return this.#find(
      (world, where, engine) =>
        world.castShape(...at, velocity, engine.shapeOf(data), ...limits, ...where),
      filter,
    );
  }

  intersectionWithShape(
    shapePos: Readonly<Vector>,
    shapeRot: Readonly<Rotation>,
    shape: AnyShape,
    ...filter: Partial<QueryFilter>
  ): Collider | null {
    const at = [vector('shapePos', shapePos), rotation('shapeRot', shapeRot)] as const;
    const data = shapeData('shape', shape);
    return this.#ask((world, where, engine) => {
      const found = world.intersectionWithShape(...at, engine.shapeOf(data), ...where);
      return found === null ? null : (engine.pageOf(found) as unknown as Collider);
    }, filter);
  }

  intersectionsWithShape(
    shapePos: Readonly<Vector>,
    shapeRot: Readonly<Rotation>,
    shape: AnyShape,
    callback: (collider: Collider) => boolean,
    ...filter: Partial<QueryFilter>
  ): void {
    const at = [vector('shapePos', shapePos), rotation('shapeRot', shapeRot)] as const;
    const data = shapeData('shape', shape);
    this.#ask((world, where, engine) => {
      const call = calling(engine, callback);
      world.intersectionsWithShape(...at, engine.shapeOf(data), call, ...where);
    }, filter);
  }

  intersectionsWithPoint(
    point: Readonly<Vector>,
    callback: (collider: Collider) => boolean,
    ...filter: Partial<QueryFilter>
  ): void {
    const at = vector('point', point);
    this.#ask((world, where, engine) => {
      world.intersectionsWithPoint(at, calling(engine, callback), ...where);
    }, filter);
  }

  projectPoint(point: Readonly<Vector>, solid: boolean, ...filter: Partial<QueryFilter>) {
    const at = vector('point', point);
    return this.#find((world, where) => world.projectPoint(at, flag(solid), ...where), filter);
  }

  projectPointAndGetFeature(point: Readonly<Vector>, ...filter: Partial<QueryFilter>) {
    const at = vector('point', point);
    return this.#find((world, where) => world.projectPointAndGetFeature(at, ...where), filter);
  }

  collidersWithAabbIntersectingAabb(
    aabbCenter: Readonly<Vector>,
    aabbHalfExtents: Readonly<Vector>,
    callback: (collider: Collider) => boolean,
  ): void {
    const box = [
      vector('aabbCenter', aabbCenter),
      vector('aabbHalfExtents', aabbHalfExtents),
    ] as const;
    this.#ask((world, _, engine) => {
      world.collidersWithAabbIntersectingAabb(...box, calling(engine, callback));
    });
  }

  contactPairsWith(collider1: Collider, f: (collider2: Collider) => void): void {
    this.#touching(collider1, (world, own, engine) => {
      world.contactPairsWith(own, visiting(engine, collider1, f));
    });
  }

  intersectionPairsWith(collider1: Collider, f: (collider2: Collider) => void): void {
    this.#touching(collider1, (world, own, engine) => {
      world.intersectionPairsWith(own, visiting(engine, collider1, f));
    });
  }

  contactPair(
    collider1: Collider,
    collider2: Collider,
    f: (manifold: ContactManifold, flipped: boolean) => void,
  ): void {
    if (!meets(collider1, collider2)) return;
    const impulse = this.#impulses.of(collider1, collider2);
    this.#touching(collider1, (world, own, engine) => {
      const other = engine.colliderOf(collider2.handle);
      if (other === undefined) return;
      let points = 0;
      world.contactPair(own, other, (manifold) => (points += manifold.numContacts()));
      const contactImpulse = () => impulse / points;
      world.contactPair(own, other, (manifold, flipped) => {
        // The engine's own are of a step of 0 s.
        const reported = Object.assign(manifold, {
          contactImpulse,
          contactTangentImpulseX: none,
          contactTangentImpulseY: none,
        });
        engine.callback(() => f(reported, flipped))(undefined);
      });
    });
  }

  intersectionPair(collider1: Collider, collider2: Collider): boolean {
    if (!meets(collider1, collider2)) return false;
    return (
      this.#touching(collider1, (world, own, engine) => {
        const other = engine.colliderOf(collider2.handle);
        return other !== undefined && world.intersectionPair(own, other);
      }) ?? false
    );
  }

  debugRender(
    filterFlags?: number,
    filterPredicate?: (collider: Collider) => boolean,
  ): { vertices: Float32Array; colors: Float32Array } {
    return this.#ask((world, _, engine) =>
      world.debugRender(filterFlags as never, engine.predicate(filterPredicate)),
    );
  }

  createCharacterController(offset: number): CharacterController {
    return this.link.engine().createCharacterController(offset) as never;
  }

  removeCharacterController(controller: CharacterController): void {
    this.link.engine().ask((world) => world.removeCharacterController(controller as never));
  }

  createVehicleController(chassis: RigidBody): VehicleController {
    return this.link.engine().createVehicleController(chassis as never) as never;
  }

  removeVehicleController(controller: VehicleController): void {
    this.link.engine().ask((world) => world.removeVehicleController(controller as never));
  }

  createPidController(kp: number, ki: number, kd: number, axes: number): PidController {
    return this.link.engine().createPidController(kp, ki, kd, axes as never) as never;
  }

  removePidController(controller: PidController): void {
    this.link.engine().ask((world) => world.removePidController(controller as never));
  }

  #ask<T>(
    question: (world: EngineWorld, filter: EngineFilter, engine: PageEngine) => T,
    filter: Partial<QueryFilter> = [],
  ): T {
    const engine = this.link.engine();
    return engine.ask((world) => question(world, this.#filter(engine, filter), engine));
  }

  /** Like `#ask`, for an answer that names a collider: it is the page's. */
  #find<Hit extends FoundCollider>(
    question: (world: EngineWorld, filter: EngineFilter, engine: PageEngine) => Hit | null,
    filter: Partial<QueryFilter>,
  ) {
    return this.#ask((world, where, engine) => {
      const hit = question(world, where, engine);
      return hit === null ? null : named(engine, hit);
    }, filter);
  }

  /** Undefined for a collider that was removed, which is reported once. */
  #touching<T>(
    collider: Collider,
    question: (world: EngineWorld, own: EngineCollider, engine: PageEngine) => T,
  ): T | undefined {
    const { link } = this;
    if (link.handleIn('collider1', 'collider', collider) === undefined) {
      link.warnOfRemoved('collider', collider);
      return undefined;
    }
    return this.#ask((world, _, engine) => {
      const own = engine.touch(collider.handle);
      return own === undefined ? undefined : question(world, own, engine);
    });
  }

  #filter(
    engine: PageEngine,
    [flags, groups, excludeCollider, excludeBody, predicate]: Partial<QueryFilter>,
  ): EngineFilter {
    const { link } = this;
    const collider = link.handleIn('filterExcludeCollider', 'collider', excludeCollider);
    const body = link.handleIn('filterExcludeRigidBody', 'body', excludeBody);
    return [
      flags as never,
      groups,
      collider === undefined ? undefined : engine.colliderOf(collider),
      body === undefined ? undefined : engine.bodyOf(body),
      engine.predicate(predicate),
    ] as EngineFilter;
  }
}

/** The answer itself, with the page's collider in it. */
function named<Hit extends FoundCollider>(
  engine: PageEngine,
  hit: Hit,
): Omit<Hit, 'collider'> & { collider: Collider } {
  hit.collider = engine.pageOf(hit.collider as EngineCollider);
  return hit as Omit<Hit, 'collider'> & { collider: Collider };
}

const calling = (engine: PageEngine, callback: (collider: Collider) => unknown) =>
  engine.callback((found: EngineCollider) => callback(engine.pageOf(found) as unknown as Collider));

/** Calls back for those that a collider may meet. */
const visiting = (
  engine: PageEngine,
  collider: Collider,
  callback: (collider: Collider) => unknown,
) =>
  calling(engine, (other) => {
    if (meets(collider, other)) callback(other);
  });

/**
 * The impulses with which two colliders pressed on each other last, as the worker reports them: the page's engine does not
 * simulate. It reports what the active events of the two ask for.
 */
class PairImpulses {
  readonly #events: WorldEventRelay;
  readonly #link: WorldLink;
  /** By the one with the lower handle, then by the other. Undefined until something asks. */
  #last: WeakMap<Collider, WeakMap<Collider, number>> | undefined;

  constructor(events: WorldEventRelay, link: WorldLink) {
    this.#events = events;
    this.#link = link;
  }

  /** In N s; 0: nothing was reported since the first call, or since they ceased to touch. */
  of(a: Collider, b: Collider): number {
    if (this.#last === undefined) this.#listen();
    const [low, high] = a.handle < b.handle ? [a, b] : [b, a];
    return this.#last?.get(low)?.get(high) ?? 0;
  }

  /** The run has jumped: all reports so far are of another state. */
  forget(): void {
    if (this.#last !== undefined) this.#last = new WeakMap();
  }

  #listen(): void {
    this.#last = new WeakMap();
    const now = { when: 'now' } as const;
    this.#events.on(
      'collision',
      // Not a number at an end, and if the event is late.
      ({ collider1, collider2, impulse }) => this.#note(collider1, collider2, impulse || 0),
      now,
    );
    this.#events.on(
      'contactForce',
      ({ collider1, collider2, totalForceMagnitude }) =>
        this.#note(collider1, collider2, totalForceMagnitude * this.#link.parameters.dt),
      now,
    );
  }

  #note(a: Collider, b: Collider, impulse: number): void {
    const [low, high] = a.handle < b.handle ? [a, b] : [b, a];
    const others = this.#last?.get(low) ?? new WeakMap<Collider, number>();
    others.set(high, impulse);
    this.#last?.set(low, others);
  }
}

/** 0: dynamic, 1: fixed, also without a body, 2: kinematic. */
function typeOf(collider: Collider): number {
  const type = collider.parent()?.bodyType() ?? RigidBodyType.Fixed;
  return Math.min(type, RigidBodyType.KinematicPositionBased);
}

const { DYNAMIC_DYNAMIC, DYNAMIC_FIXED, DYNAMIC_KINEMATIC } = ActiveCollisionTypes;
const { FIXED_FIXED, KINEMATIC_FIXED, KINEMATIC_KINEMATIC } = ActiveCollisionTypes;
const BITS = [
  [DYNAMIC_DYNAMIC, DYNAMIC_FIXED, DYNAMIC_KINEMATIC],
  [DYNAMIC_FIXED, FIXED_FIXED, KINEMATIC_FIXED],
  [DYNAMIC_KINEMATIC, KINEMATIC_FIXED, KINEMATIC_KINEMATIC],
] as const;

/** Whether one of two colliders asks for contacts between such types of bodies. */
function meets(collider1: Collider, collider2: Collider): boolean {
  const bits = BITS[typeOf(collider1)]?.[typeOf(collider2)] ?? 0;
  return ((collider1.activeCollisionTypes() | collider2.activeCollisionTypes()) & bits) !== 0;
}
