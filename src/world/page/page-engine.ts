/**
 * The page's own engine, with all that it answers, and Rapier's own controllers: they take the page's handles, and what they
 * change in bodies is sent to the worker as impulses. Loaded only by pages that ask.
 */
import { loadRapier } from '../../rapier/load-simd.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { Vector } from '../../shared/util/vectors.js';
import type { EngineBody, EngineCollider, EngineWorld } from './asked-engine.js';
import { QueryWorld, type QueriedBody, type QueriedCollider } from './query-world.js';
import { shapeQueries } from './shape-queries.js';
import { setShapeAnswers } from './shape.js';

export class PageEngine extends QueryWorld {
  createCharacterController(offset: number) {
    return characterController(this, offset);
  }

  createPidController(...args: Parameters<EngineWorld['createPidController']>) {
    return pidController(this, ...args);
  }
}

/** @throws Error if it does not load; the next call tries again. */
export async function loadPageEngine() {
  const rapier = await loadRapier();
  setShapeAnswers(shapeQueries(rapier));
  return rapier;
}

type EngineCharacter = InstanceType<Rapier['KinematicCharacterController']>;
type EnginePid = InstanceType<Rapier['PidController']>;

/** A body that can be pushed. */
interface PushedBody extends QueriedBody {
  applyImpulse(impulse: Vector, wakeUp: boolean): void;
  applyTorqueImpulse(impulse: Vector, wakeUp: boolean): void;
}

/** Arguments that select colliders. */
type ShortFilter = [flags?: number, groups?: number, predicate?: (collider: never) => boolean];

const requireCollider = (collider: EngineCollider | undefined): EngineCollider => {
  if (collider !== undefined) return collider;
  throw new Error('a character cannot move a collider that was removed, or made in this callback');
};

function characterController(queries: QueryWorld, offset: number): EngineCharacter {
  const character = queries.ask((world) => world.createCharacterController(offset));
  const compute = character.computeColliderMovement.bind(character);
  const collision = character.computedCollision.bind(character);
  const methods = {
    computeColliderMovement: (
      collider: QueriedCollider,
      movement: Vector,
      ...filter: ShortFilter
    ): void =>
      queries.ask(() => {
        const moved = requireCollider(queries.colliderOf(collider.handle));
        const call = (): void => compute(moved, movement, ...shortFilter(queries, filter));
        if (character.applyImpulsesToDynamicBodies()) pushing(queries, call);
        else call();
      }),
    computedCollision(index: number, ...into: [Parameters<typeof collision>[1]?]) {
      const found = collision(index, ...into);
      if (found?.collider) found.collider = queries.pageOf(found.collider) as never;
      return found;
    },
  };
  return Object.assign(character, methods as unknown as Partial<EngineCharacter>);
}

function pidController(
  queries: QueryWorld,
  ...args: Parameters<EngineWorld['createPidController']>
): EnginePid {
  const pid = queries.ask((world) => world.createPidController(...args));
  const bodyOf = ({ handle }: QueriedBody): EngineBody => {
    const body = queries.bodyOf(handle);
    if (body === undefined) throw new Error('a controller cannot move a body that was removed');
    return body;
  };
  const own = {
    applyLinearCorrection: pid.applyLinearCorrection.bind(pid),
    applyAngularCorrection: pid.applyAngularCorrection.bind(pid),
    linearCorrection: pid.linearCorrection.bind(pid),
    angularCorrection: pid.angularCorrection.bind(pid),
  } as unknown as Record<string, (body: EngineBody, ...rest: unknown[]) => unknown>;
  const methods = Object.entries(own).map(([name, call]) => [
    name,
    (page: QueriedBody, ...rest: unknown[]): unknown =>
      queries.ask(() => {
        const body = bodyOf(page);
        queries.setVelocity(page, body);
        if (!name.startsWith('apply')) return call(body, ...rest);
        const isPushed = body.isDynamic() && body.isEnabled();
        return pushing(queries, () => call(body, ...rest), isPushed ? [[page, body]] : []);
      }),
  ]);
  return Object.assign(pid, Object.fromEntries(methods) as Partial<EnginePid>);
}

/** Sends what a call changes in velocities. @param bodies Whose. Default: those of all dynamic bodies. */
function pushing<T>(
  queries: QueryWorld,
  call: () => T,
  bodies: Iterable<readonly [QueriedBody, EngineBody]> = queries.dynamicBodies(),
): T {
  const before = Array.from(bodies, ([page, body]) => {
    queries.setVelocity(page, body);
    return { page: page as PushedBody, body, linvel: body.linvel(), angvel: body.angvel() };
  });
  const result = call();
  for (const { page, body, linvel, angvel } of before) {
    const [v, w] = [difference(body.linvel(), linvel), difference(body.angvel(), angvel)];
    const mass = body.mass();
    if (v !== undefined) {
      page.applyImpulse({ x: mass * v.x, y: mass * v.y, z: mass * v.z }, true);
    }
    if (w === undefined) continue;
    const { m11, m12, m13, m22, m23, m33 } = body.effectiveAngularInertia();
    page.applyTorqueImpulse(
      {
        x: m11 * w.x + m12 * w.y + m13 * w.z,
        y: m12 * w.x + m22 * w.y + m23 * w.z,
        z: m13 * w.x + m23 * w.y + m33 * w.z,
      },
      true,
    );
  }
  return result;
}

function difference(after: Vector, before: Vector): Vector | undefined {
  const [x, y, z] = [after.x - before.x, after.y - before.y, after.z - before.z];
  return x === 0 && y === 0 && z === 0 ? undefined : { x, y, z };
}

function shortFilter(
  queries: QueryWorld,
  [flags, groups, predicate]: ShortFilter,
): [number | undefined, number | undefined, ((collider: EngineCollider) => boolean) | undefined] {
  return [flags, groups, queries.predicate(predicate)];
}
