/** The bodies and colliders of a world in plain numbers, to compare two worlds of different libraries. */
import type { Rotation, Vector } from '../../src/shared/util/vectors.js';
import type { RapierCollider, RapierRigidBody } from '../../src/react/index.js';

/** A world of either library: in the other one, some methods answer null or undefined. */
export interface AnyWorld {
  readonly bodies: { getAll(): readonly object[] };
  readonly colliders: { getAll(): readonly object[] };
}

const bodiesOf = ({ bodies }: AnyWorld) => bodies.getAll() as readonly RapierRigidBody[];

type Described = Readonly<Record<string, unknown>>;

const POLYHEDRA = new Set([9, 16]);

/** Sorted, because the libraries create things in another order. */
export function describeWorld(world: AnyWorld): {
  readonly bodies: readonly Described[];
  readonly colliders: readonly Described[];
} {
  return {
    bodies: sorted(bodiesOf(world).map(describeBody)),
    colliders: sorted(
      (world.colliders.getAll() as readonly RapierCollider[]).map(describeCollider),
    ),
  };
}

const sorted = (list: readonly Described[]): readonly Described[] =>
  list.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

const keyOf = (described: Described): string =>
  JSON.stringify(described, (_name, value: unknown) =>
    typeof value === 'number' ? Math.round(value * 100) + 0 : value,
  );

function describeBody(body: RapierRigidBody): Described {
  return {
    name: nameOf(body),
    type: body.bodyType(),
    translation: pointOf(body.translation()),
    rotation: turnOf(body.rotation()),
    linvel: pointOf(body.linvel()),
    angvel: pointOf(body.angvel()),
    gravityScale: body.gravityScale(),
    linearDamping: body.linearDamping(),
    angularDamping: body.angularDamping(),
    dominanceGroup: body.dominanceGroup(),
    additionalSolverIterations: body.additionalSolverIterations(),
    ccd: body.isCcdEnabled(),
    softCcdPrediction: body.softCcdPrediction(),
    isSleeping: body.isSleeping(),
  };
}

/** The masses that the engine computes of a body, after a tick. */
export const describeMasses = (world: AnyWorld): readonly Described[] =>
  sorted(
    bodiesOf(world).map((body) => ({
      name: nameOf(body),
      translation: pointOf(body.translation()),
      linvel: pointOf(body.linvel()),
      mass: body.mass(),
      localCom: pointOf(body.localCom()),
      // Whichever axis an engine calls the first one.
      principalInertia: pointOf(body.principalInertia()).toSorted((a, b) => a - b),
    })),
  );

function describeCollider(collider: RapierCollider): Described {
  const parent = collider.parent();
  const type = collider.shapeType();
  return {
    body: parent === null ? undefined : nameOf(parent),
    shape: type,
    pose: poseOf(collider, parent),
    ...sizesOf(collider, type),
    friction: collider.friction(),
    restitution: collider.restitution(),
    frictionCombineRule: collider.frictionCombineRule(),
    restitutionCombineRule: collider.restitutionCombineRule(),
    collisionGroups: collider.collisionGroups() >>> 0,
    solverGroups: collider.solverGroups() >>> 0,
    sensor: collider.isSensor(),
    activeCollisionTypes: collider.activeCollisionTypes(),
    activeEvents: collider.activeEvents(),
    contactSkin: collider.contactSkin(),
  };
}

/** In its body, or in the scene without one. */
const poseOf = (collider: RapierCollider, parent: RapierRigidBody | null): Described => ({
  translation: pointOf((parent && collider.translationWrtParent()) ?? collider.translation()),
  rotation: turnOf((parent && collider.rotationWrtParent()) ?? collider.rotation()),
});

function sizesOf(collider: RapierCollider, type: number): Described {
  const half = collider.halfExtents();
  const fieldScale = collider.heightfieldScale();
  // Rapier 0.19 has the sizes of round cones in the shape alone.
  const shape = collider.shape as object as { radius?: number; halfHeight?: number } | undefined;
  return {
    halfExtents: half === null ? undefined : pointOf(half),
    radius: collider.radius() ?? shape?.radius,
    halfHeight: collider.halfHeight() ?? shape?.halfHeight,
    roundRadius: collider.roundRadius() ?? undefined,
    // Rapier has the corners of a hull alone, in another order.
    points: POLYHEDRA.has(type)
      ? boxOf(collider.vertices())
      : type === 7
        ? undefined
        : cornersOf(collider),
    rows: collider.heightfieldNRows() ?? undefined,
    columns: collider.heightfieldNCols() ?? undefined,
    fieldScale: fieldScale ? pointOf(fieldScale) : undefined,
    heights: [...(collider.heightfieldHeights() ?? [])],
  };
}

/** Points that no triangle has are not drawn, and only the peer has them. */
function cornersOf(collider: RapierCollider): readonly number[] {
  const [points, indices] = [collider.vertices(), collider.indices()];
  if (!points || !indices) return [...(points ?? [])];
  return Array.from(
    { length: 3 * indices.length },
    (_, at) => points[3 * (indices[(at - (at % 3)) / 3] as number) + (at % 3)] as number,
  );
}

function boxOf(points: Float32Array): readonly number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  points.forEach((value, index) => {
    const axis = index % 3;
    box[axis] = Math.min(box[axis] as number, value);
    box[axis + 3] = Math.max(box[axis + 3] as number, value);
  });
  return box;
}

const nameOf = (body: RapierRigidBody): unknown =>
  (body.userData as { readonly name?: string } | undefined)?.name;

const pointOf = ({ x, y, z }: Vector): readonly number[] => [x, y, z];

/** One of the two quaternions that mean the same. */
function turnOf({ x, y, z, w }: Rotation): readonly number[] {
  const first = [w, x, y, z].find((value) => Math.abs(value) > 1e-4) ?? 1;
  return [x, y, z, w].map((value) => (first < 0 ? -value : value));
}

/** Where two descriptions differ by more than rounding; empty if nowhere. @param tolerance A part of each number. */
export function differences(
  ours: unknown,
  theirs: unknown,
  tolerance = 1e-5,
  path = '',
): readonly string[] {
  if (typeof ours === 'number' && typeof theirs === 'number') {
    const error = Math.abs(ours - theirs) / Math.max(1, Math.abs(theirs));
    if (error <= tolerance) return [];
  }
  if (typeof ours === 'object' && typeof theirs === 'object' && ours !== null && theirs !== null) {
    const [mine, other] = [Object.entries(ours), Object.entries(theirs)];
    if (mine.length !== other.length) {
      return [`${path}: ${JSON.stringify(ours)} instead of ${JSON.stringify(theirs)}`];
    }
    return mine.flatMap(([name, value]) =>
      differences(value, (theirs as Record<string, unknown>)[name], tolerance, `${path}.${name}`),
    );
  }
  return Object.is(ours, theirs) ? [] : [`${path}: ${String(ours)} instead of ${String(theirs)}`];
}
