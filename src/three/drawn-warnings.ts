/** What is said of objects whose colliders are not what a developer may expect. */
import type { Mesh, Object3D } from 'three';
import { warnOnce } from '../shared/util/development.js';
import { nameOf, type Drawn } from './drawn-geometry.js';

/** Why something that is drawn has no collider. Undefined: it is a mesh, or draws nothing. */
export function whyNone(object: Object3D): string | undefined {
  if ('isBatchedMesh' in object) {
    return 'a BatchedMesh draws several geometries in one: use an InstancedMesh for each';
  }
  if ('isLineSegments2' in object || 'isLine' in object) return 'lines have no surface';
  if ('isPoints' in object) return 'points have no surface';
  return 'isSprite' in object ? 'a sprite faces the camera' : undefined;
}

/** @param reason What {@link whyNone} says. */
export function warnOfNone(object: Object3D, reason: string): void {
  warnOnce(
    `no collider: ${reason} ${object.name}`,
    `${nameOf(object)} gets no collider, because ${reason}. If it should collide, give its body a collider that needs no mesh`,
  );
}

/** Texts and models may have no points yet, and what grows from nothing no size. */
export function warnOfNothing(mesh: Mesh, { isEmpty }: Drawn): void {
  const reason = isEmpty
    ? 'its geometry has no points that are drawn'
    : 'its scale is 0 along an axis';
  warnOnce(
    `a mesh without a collider: ${mesh.name}`,
    `${nameOf(mesh)} has no collider now, because ${reason}: it gets one when that changes`,
  );
}

export function warnOfNoInstances(mesh: Mesh): void {
  warnOnce(
    `a mesh without instances: ${mesh.name}`,
    `${nameOf(mesh)} has no colliders now, because its count is 0: it gets one for each instance when that changes`,
  );
}

/** An edit left something of which no collider can be made. */
export function warnOfKept(mesh: Mesh, { message }: Error): void {
  warnOnce(
    `a collider that was kept: ${mesh.name} ${message}`,
    `${nameOf(mesh)} keeps the collider that it had, because there is none of what it is now: ${message}`,
  );
}
