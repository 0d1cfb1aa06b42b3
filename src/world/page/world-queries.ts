/** The queries of a world: the page's engine answers them. */
import type { Kind } from '../shared/setting-tables.js';
import type { Collider } from './body-and-collider.js';
import { ActiveCollisionTypes, RigidBodyType } from './constants.js';
import type { AskedEngine, EngineCollider, EngineWorld } from './asked-engine.js';
import { hasNumber } from './engine-data.js';
import { pageAnswer, queryArguments, type EngineQueries } from './query-arguments.js';
import { defineMethods } from './setting-methods.js';
import type { WorldEventRelay } from './world-events.js';
import type { AnyItem, WorldLink } from './world-link.js';
import type {
  KinematicCharacterController,
  TempContactManifold,
  PidController,
  QueryFilter,
  WorldQueryMethods,
} from './world-query-methods.js';

/** The arguments of the engine that select colliders. */
type EngineFilter =
  Parameters<EngineWorld['castRay']> extends [unknown, unknown, unknown, ...infer F] ? F : never;
const none = (): number => 0;

/** Queries with a filter, the arguments before it, and the answer that nothing was found. */
const QUERIES = {
  castRay: [['ray', 'maxToi', 'solid'], null],
  castRayAndGetNormal: [['ray', 'maxToi', 'solid'], null],
  intersectionsWithRay: [['ray', 'maxToi', 'solid', 'callback'], undefined],
  castShape: [
    ['shapePos', 'shapeRot', 'shapeVel', 'shape', 'targetDistance', 'maxToi', 'stopAtPenetration'],
    null,
  ],
  intersectionWithShape: [['shapePos', 'shapeRot', 'shape'], null],
  intersectionsWithShape: [['shapePos', 'shapeRot', 'shape', 'callback'], undefined],
  intersectionsWithPoint: [['point', 'callback'], undefined],
  projectPoint: [['point', 'solid'], null],
  projectPointAndGetFeature: [['point'], null],
  /** Without a filter. */
  collidersWithAabbIntersectingAabb: [['aabbCenter', 'aabbHalfExtents', 'callback'], undefined],
} as const;
type QueryName = keyof typeof QUERIES;

export interface WorldQueries extends Pick<WorldQueryMethods, QueryName> {}

export class WorldQueries implements WorldQueryMethods {
  protected readonly link: WorldLink;
  readonly #impulses: PairImpulses;

  static {
    for (const [name, [names, nothing]] of Object.entries(QUERIES)) {
      const argumentsOf = queryArguments(names);
      defineMethods(this.prototype, {
        [name](this: WorldQueries, ...given: unknown[]): unknown {
          const engineArguments = argumentsOf(given);
          const filter = given.slice(names.length) as Partial<QueryFilter>;
          return this.#ask((world: EngineQueries<QueryName>, where, engine) => {
            const args = engineArguments(engine);
            if (args === undefined) return nothing;
            const found = world[name as QueryName](...([...args, ...where] as never[]));
            return pageAnswer(engine, found);
          }, filter);
        },
      });
    }
  }

  constructor(link: WorldLink, events: WorldEventRelay) {
    this.link = link;
    this.#impulses = new PairImpulses(events, link);
  }

  /** The run has jumped: all answers so far are of another state. */
  protected forgetAnswers(): void {
    this.link.forgetAnswers();
    this.#impulses.forget();
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
    f: (manifold: TempContactManifold, flipped: boolean) => void,
  ): void {
    if (!meets(collider1, collider2)) return;
    const impulse = this.#impulses.of(collider1, collider2);
    this.#touching(collider1, (world, own, engine) => {
      const other = engine.colliderOf(collider2.handle);
      if (other === undefined) return;
      if (this.link.running !== undefined) {
        world.contactPair(own, other, (manifold, flipped) => {
          engine.callback(() => f(manifold, flipped))(undefined);
        });
        return;
      }
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

  createCharacterController(offset: number): KinematicCharacterController {
    return this.link.pageEngine().createCharacterController(offset) as never;
  }

  removeCharacterController(controller: KinematicCharacterController): void {
    this.link.pageEngine().ask((world) => world.removeCharacterController(controller as never));
  }

  createPidController(kp: number, ki: number, kd: number, axes: number): PidController {
    return this.link.pageEngine().createPidController(kp, ki, kd, axes as never) as never;
  }

  removePidController(controller: PidController): void {
    this.link.pageEngine().ask((world) => world.removePidController(controller as never));
  }

  #ask<T>(
    question: (world: EngineWorld, filter: EngineFilter, engine: AskedEngine) => T,
    filter: Partial<QueryFilter> = [],
  ): T {
    const engine = this.link.engine();
    return engine.ask((world) => question(world, this.#filter(engine, filter), engine));
  }

  /** Undefined for a collider that was removed, which is reported once. */
  #touching<T>(
    collider: Collider,
    question: (world: EngineWorld, own: EngineCollider, engine: AskedEngine) => T,
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
    engine: AskedEngine,
    [flags, groups, excludeCollider, excludeBody, predicate]: Partial<QueryFilter>,
  ): EngineFilter {
    const { link } = this;
    const collider = handleOf(link, 'filterExcludeCollider', 'collider', excludeCollider);
    const body = handleOf(link, 'filterExcludeRigidBody', 'body', excludeBody);
    return [
      flags as never,
      groups,
      collider === undefined ? undefined : engine.colliderOf(collider),
      body === undefined ? undefined : engine.bodyOf(body),
      engine.predicate(predicate),
    ] as EngineFilter;
  }
}

/** As in the engine, what has no handle excludes nothing. */
const handleOf = (link: WorldLink, name: string, kind: Kind, item: AnyItem | null | undefined) =>
  hasNumber(item, 'handle') ? link.handleIn(name, kind, item as AnyItem) : undefined;

/** Calls back for those that a collider may meet. */
const visiting = (
  engine: AskedEngine,
  collider: Collider,
  callback: (collider: Collider) => unknown,
) =>
  engine.callback((found: EngineCollider) => {
    const other = engine.pageOf(found) as unknown as Collider;
    if (typeof callback === 'function' && meets(collider, other)) callback(other);
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
