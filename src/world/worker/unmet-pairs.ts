/**
 * Finds what passes through each other without an event although one was asked for: the types of the bodies exclude it,
 * unless the active collision types of a collider include it. Only for warnings during development.
 */
import type { UnmetPair } from '../shared/world-batch.js';
import type { Rapier, RapierWorldOf } from '../../rapier/rapier-builds.js';
import { collidersAround } from '../../rapier/shape-bounds.js';

type Collider = InstanceType<Rapier['Collider']>;

export class UnmetPairs {
  readonly #rapier: Rapier;
  /** The pairs that overlap, by the engine's numbers. Undefined: before the first step, when nothing has moved yet. */
  #overlapping: ReadonlySet<string> | undefined;

  constructor(rapier: Rapier) {
    this.#rapier = rapier;
  }

  /** @returns The pairs that have begun to overlap. */
  afterStep(world: RapierWorldOf, handleOf: (collider: Collider) => number | undefined) {
    const before = this.#overlapping;
    const overlapping = new Set<string>();
    const found: UnmetPair[] = [];
    let hasDynamic = false;
    const movers: Collider[] = [];
    world.bodies.forEach((body) => {
      hasDynamic ||= body.isDynamic();
      if (!body.isKinematic() || !body.isEnabled()) return;
      for (let index = 0; index < body.numColliders(); index++) movers.push(body.collider(index));
    });
    for (const mover of movers) {
      for (const other of collidersAround(world, mover, 0)) {
        const types = this.#missingTypes(mover, other);
        if (types === undefined) continue;
        // With dynamic bodies, it may be meant for those.
        if (hasDynamic && !isEntered(mover, other)) continue;
        if ((mover.contactCollider(other, 0)?.distance ?? 1) > 0) continue;
        const key = [mover.handle, other.handle].toSorted().join();
        const isNew = before !== undefined && !before.has(key) && !overlapping.has(key);
        overlapping.add(key);
        const [a, b] = [handleOf(mover), handleOf(other)];
        if (isNew && a !== undefined && b !== undefined) found.push({ colliders: [a, b], types });
      }
    }
    this.#overlapping = overlapping;
    return found;
  }

  /** The active collision types that a pair lacks. Undefined: no event was asked for, or they have it. */
  #missingTypes(mover: Collider, other: Collider): UnmetPair['types'] | undefined {
    const { ActiveCollisionTypes, ActiveEvents } = this.#rapier;
    const body = other.parent();
    if (body?.isDynamic() === true) return undefined;
    if (((mover.activeEvents() | other.activeEvents()) & ActiveEvents.COLLISION_EVENTS) === 0) {
      return undefined;
    }
    const types = body?.isKinematic() === true ? 'KINEMATIC_KINEMATIC' : 'KINEMATIC_FIXED';
    const has = mover.activeCollisionTypes() | other.activeCollisionTypes();
    return (has & ActiveCollisionTypes[types]) === 0 ? types : undefined;
  }
}

/** Whether something solid that moves is in a sensor: a sensor that moves sweeps through a scene all the time. */
const isEntered = (mover: Collider, other: Collider): boolean =>
  !mover.isSensor() && other.isSensor();
