/** Calls the handlers of bodies and colliders for what a world reports. */
import type { Object3D } from 'three';
import type { EventStamp } from '../shared/events/simulation-event.js';
import type {
  Collider,
  RigidBody,
  World,
  WorldCollisionEvent,
  WorldContactForceEvent,
} from '../world/page/index.js';
import { callReported } from '../render-main/util/report-uncaught.js';
import { CollisionManifold } from './collision-manifold.js';
import type {
  CollisionHandlers,
  CollisionPayload,
  CollisionTarget,
  SleepHandler,
} from './collision-payloads.js';

/** Finds what was rendered last. */
export interface HandlersOf {
  entryOf(body: RigidBody): EntryOfBody | undefined;
  entryOfCollider(collider: Collider): EntryOfCollider | undefined;
}

interface EntryOfBody {
  readonly object: Object3D | undefined;
  readonly props: CollisionHandlers & {
    readonly onSleep?: SleepHandler | undefined;
    readonly onWake?: SleepHandler | undefined;
  };
}

interface EntryOfCollider {
  readonly object: Object3D | undefined;
  readonly handlers: CollisionHandlers;
}

export class CollisionDispatcher {
  readonly #handlers: HandlersOf;

  constructor(handlers: HandlersOf) {
    this.#handlers = handlers;
  }

  listen(world: World, when: 'shown' | 'now'): void {
    const options = { when };
    world.on('collision', (event) => this.#onCollision(event), options);
    world.on('contactForce', (event) => this.#onContactForce(event), options);
    const propsOf = (body: RigidBody) => this.#handlers.entryOf(body)?.props;
    world.on('sleep', ({ body, ...stamp }) => propsOf(body)?.onSleep?.(stamp), options);
    world.on('wake', ({ body, ...stamp }) => propsOf(body)?.onWake?.(stamp), options);
  }

  #onCollision(event: WorldCollisionEvent): void {
    const { started, isSensor } = event;
    let manifold: CollisionManifold | undefined;
    this.#tell(event, (handlers, payload, flipped) => {
      if (isSensor) {
        (started ? handlers.onIntersectionEnter : handlers.onIntersectionExit)?.(payload);
      } else if (!started) {
        handlers.onCollisionExit?.(payload);
      } else if (handlers.onCollisionEnter !== undefined) {
        manifold ??= new CollisionManifold(event);
        handlers.onCollisionEnter({ ...payload, manifold, flipped });
      }
    });
  }

  #onContactForce(event: WorldContactForceEvent): void {
    const { totalForce, totalForceMagnitude, maxForceDirection, maxForceMagnitude } = event;
    const forces = { totalForce, totalForceMagnitude, maxForceDirection, maxForceMagnitude };
    this.#tell(event, (handlers, payload) => handlers.onContactForce?.({ ...payload, ...forces }));
  }

  /** Both bodies, and then both colliders. */
  #tell(
    { collider1, collider2, ...event }: WorldCollisionEvent | WorldContactForceEvent,
    tell: (handlers: CollisionHandlers, payload: CollisionPayload, flipped: boolean) => void,
  ): void {
    const [side1, side2] = [this.#side(collider1), this.#side(collider2)];
    const { tick, isLate, isReplayed } = event;
    const stamp = { tick, isLate, isReplayed };
    const [payload1, payload2] = [payloadOf(side1, side2, stamp), payloadOf(side2, side1, stamp)];
    // Read before: a handler may remove the other side.
    const called = [
      [side1.ofBody, payload1, false],
      [side2.ofBody, payload2, true],
      [side1.ofCollider, payload1, false],
      [side2.ofCollider, payload2, true],
    ] as const;
    for (const [handlers, payload, flipped] of called) {
      if (handlers !== undefined) callReported((own) => tell(handlers, own, flipped), payload);
    }
  }

  #side(collider: Collider): Side {
    const rigidBody = collider.parent() ?? undefined;
    const ofBody = rigidBody === undefined ? undefined : this.#handlers.entryOf(rigidBody);
    const ofCollider = this.#handlers.entryOfCollider(collider);
    return {
      ofBody: ofBody?.props,
      ofCollider: ofCollider?.handlers,
      target: {
        collider,
        ...(rigidBody === undefined ? {} : { rigidBody }),
        ...(ofBody?.object === undefined ? {} : { rigidBodyObject: ofBody.object }),
        ...(ofCollider?.object === undefined ? {} : { colliderObject: ofCollider.object }),
      },
    };
  }
}

/** One side of a collision. */
interface Side {
  readonly ofBody: CollisionHandlers | undefined;
  readonly ofCollider: CollisionHandlers | undefined;
  readonly target: CollisionTarget;
}

const payloadOf = (
  { target }: Side,
  { target: other }: Side,
  stamp: EventStamp,
): CollisionPayload => ({
  ...stamp,
  target,
  other,
  ...other,
});
