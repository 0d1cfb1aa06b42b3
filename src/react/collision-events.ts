/** Calls the handlers of bodies and colliders for what a world reports. */
import type { Object3D } from 'three';
import type { BodyId } from '../shared/memory/body-meta.js';
import type {
  Collider,
  RigidBody,
  World,
  WorldCollisionEvent,
  WorldContactForceEvent,
} from '../world/page/index.js';
import { callReported } from '../render-main/util/page-errors.js';
import {
  CollisionManifold,
  type CollisionHandlers,
  type CollisionPayload,
  type CollisionTarget,
} from './collisions.js';
import { type ComponentNames, withoutUndefined } from './props.js';
import type { RigidBodyOptions } from './types.js';

/** The component of a body, as the others in one `<Physics>` know it. */
export interface BodyEntry extends ComponentNames {
  /** The body that it has now: the handlers of another one are not called any more. */
  readonly current: RigidBody | undefined;
  /** The object that collisions name, and that the body moves unless there is `onShown`. */
  readonly object: Object3D | undefined;
  /** Called when the number of its body changes. Without a number, it stays where it is drawn. */
  onShown?(id: BodyId | undefined): void;
  /** As they were rendered last. */
  readonly props: RigidBodyOptions;
}

/** The same for a collider. */
export interface ColliderEntry extends ComponentNames {
  readonly source: {
    /** The object of its component. Undefined if it was made for a mesh. */
    readonly object: Object3D | undefined;
    /** As they were rendered last. */
    readonly props: CollisionHandlers;
  };
}

/** Finds what was rendered last. */
interface Entries {
  entryOf(body: RigidBody): BodyEntry | undefined;
  readonly colliderEntries: WeakMap<Collider, ColliderEntry>;
}

/** Calls the handlers of bodies and colliders for what a world reports. */
export function listenForCollisions(entries: Entries, world: World, when: 'shown' | 'now'): void {
  const options = { when };
  world.on('collision', (event) => onCollision(entries, event), options);
  world.on('contactForce', (event) => onContactForce(entries, event), options);
  world.on('sleep', ({ body, ...stamp }) => propsOf(entries, body)?.onSleep?.(stamp), options);
  world.on('wake', ({ body, ...stamp }) => propsOf(entries, body)?.onWake?.(stamp), options);
}

function onCollision(entries: Entries, event: WorldCollisionEvent): void {
  const { started, isSensor } = event;
  let manifold: CollisionManifold | undefined;
  callHandlers(entries, event, (handlers, payload, flipped) => {
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

function onContactForce(entries: Entries, event: WorldContactForceEvent): void {
  const { totalForce, totalForceMagnitude, maxForceDirection, maxForceMagnitude } = event;
  const forces = { totalForce, totalForceMagnitude, maxForceDirection, maxForceMagnitude };
  callHandlers(entries, event, (handlers, payload) =>
    handlers.onContactForce?.({ ...payload, ...forces }),
  );
}

/** Calls handlers of both bodies, and then of both colliders. */
function callHandlers(
  entries: Entries,
  { collider1, collider2, tick, isLate, isReplayed }: WorldCollisionEvent | WorldContactForceEvent,
  call: (handlers: CollisionHandlers, payload: CollisionPayload, flipped: boolean) => void,
): void {
  const [target1, target2] = [targetOf(entries, collider1), targetOf(entries, collider2)];
  const stamp = { tick, isLate, isReplayed };
  const payload1 = { ...stamp, target: target1, other: target2, ...target2 };
  const payload2 = { ...stamp, target: target2, other: target1, ...target1 };
  // Read before any call: a handler may remove the other collider.
  const called = [
    [propsOf(entries, target1.rigidBody), payload1, false],
    [propsOf(entries, target2.rigidBody), payload2, true],
    [entries.colliderEntries.get(collider1)?.source.props, payload1, false],
    [entries.colliderEntries.get(collider2)?.source.props, payload2, true],
  ] as const;
  for (const [handlers, payload, flipped] of called) {
    if (handlers !== undefined) callReported((own) => call(handlers, own, flipped), payload);
  }
}

/** The props of a body that has handlers now. */
function propsOf(entries: Entries, body: RigidBody | undefined): RigidBodyOptions | undefined {
  const entry = body && entries.entryOf(body);
  return entry?.current === body ? entry?.props : undefined;
}

function targetOf(entries: Entries, collider: Collider): CollisionTarget {
  const rigidBody = collider.parent() ?? undefined;
  const rigidBodyObject = rigidBody && entries.entryOf(rigidBody)?.object;
  const colliderObject = entries.colliderEntries.get(collider)?.source.object;
  return { collider, ...withoutUndefined({ rigidBody, rigidBodyObject, colliderObject }) };
}
