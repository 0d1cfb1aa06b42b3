/** A mesh with its bodies, and what their colliders have of it. */
import type { Mesh, Vector3 } from 'three';
import type { BodyId } from '../shared/memory/body-meta.js';
import { requireNumber } from '../shared/util/validate.js';
import type { Collider, ColliderDesc, RigidBody } from '../world/page/index.js';
import { drawnBy, type Drawn } from './drawn-geometry.js';
import type { MadeOf } from './made-of.js';
import { countOf, isInstanced } from './mesh-places.js';
import type { MeshPhysicsSettings } from './mesh-physics.js';
import { isHollow, requireKind, shapeOfDrawn } from './shape-of.js';

export interface Placed {
  readonly mesh: Mesh;
  /** One, or one for each instance. */
  readonly bodies: RigidBody[];
  /** One of each body. */
  readonly colliders: Collider[];
  /** The same for an InstancedMesh of which at least one instance has moved. */
  ids: (BodyId | undefined)[] | undefined;
  /** Three factors for each body that fits. */
  readonly scales: Float32Array;
  /** What the mesh was added with. Undefined: they have nothing of the mesh. */
  readonly settings: MeshPhysicsSettings | undefined;
  readonly madeOf: MadeOf;
  /** What the shapes were made of. */
  drawn: Drawn | undefined;
  /** What the colliders are made of: one for each body. */
  descs: readonly ColliderDesc[];
  /** Whether anything is drawn: otherwise the colliders are disabled. Undefined: it always was. */
  isShown: boolean | undefined;
}

/** Of `mesh.userData.physics`; the last two are put there for the application. */
export const SETTINGS = ['mass', 'restitution', 'shape', 'body', 'collider'];

/**
 * The colliders of a mesh, or of each of its instances, by what an application says of them.
 *
 * @throws As `shapeOf` does, and for a mass or a restitution that is none.
 */
export function shapesOf(
  mesh: Mesh,
  { mass = 0, restitution = 0, shape }: MeshPhysicsSettings,
  places: readonly { readonly scale: Vector3 }[],
): readonly ColliderDesc[] {
  requireNumber('mass', mass, 0, Number.MAX_VALUE);
  requireKind(shape);
  const { geometry } = mesh;
  // Triangles have no inside: others would fall into what moves, and it through the ground.
  const kind = shape ?? (mass > 0 && isHollow(geometry) ? 'hull' : undefined);
  const drawn = drawnBy(mesh);
  const known = new Map<string, ColliderDesc>();
  return places.map(({ scale }) => {
    const key = scale.toArray().join();
    const desc = known.get(key) ?? shapeOfDrawn(geometry, drawn, kind, scale);
    known.set(key, desc.setRestitution(restitution));
    return mass > 0 ? desc.setMass(mass) : desc;
  });
}

/** For the application. */
export function noteInMesh({ bodies, colliders, mesh, settings }: Placed): void {
  const isMany = settings !== undefined && isInstanced(mesh);
  mesh.userData['physics'] = {
    ...(mesh.userData['physics'] as object | undefined),
    body: isMany ? bodies : bodies[0],
    collider: isMany ? colliders : colliders[0],
  };
}

/** Whether it has changed since the last call. */
export function takeChange({ mesh, madeOf }: Placed): boolean {
  madeOf.addGeometry(mesh.geometry, mesh.material);
  madeOf.addScales(mesh);
  madeOf.add(countOf(mesh));
  return madeOf.takeChange();
}

export const titleOf = ({ name }: Mesh): string => (name === '' ? 'a mesh' : `the mesh "${name}"`);

/** Errors of what is done with a mesh name it. */
export function naming<T>(mesh: Mesh, what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { message } = error as Error;
    const Kind = error instanceof TypeError ? TypeError : RangeError;
    throw new Kind(`${titleOf(mesh)} cannot ${what}: ${message}`, { cause: error });
  }
}
