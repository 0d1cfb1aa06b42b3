/** Finds the body under the pointer, as drawn last. */
import { type Intersection, type Ray, Raycaster, type Vector3 } from 'three';
import type { BodyId } from '../../../src/shared/index.js';
import { type SceneMeshes, UNDRAWN_LAYER } from './scene-meshes.js';

export interface Pick {
  readonly id: BodyId;
  /** Where the ray hit it, in world space. */
  readonly point: Vector3;
}

const raycaster = new Raycaster();
raycaster.layers.enable(UNDRAWN_LAYER);

/** @returns Undefined if the ray hits nothing, or first something that never moves. */
export function pickBody(meshes: SceneMeshes, ray: Ray): Pick | undefined {
  raycaster.ray.copy(ray);
  const hits: Intersection[] = raycaster.intersectObject(meshes.root, true);
  const nearest = hits.find(({ object }) => object.visible);
  if (nearest === undefined) return undefined;
  const id = meshes.bodyOf(nearest);
  return id === undefined ? undefined : { id, point: nearest.point };
}
