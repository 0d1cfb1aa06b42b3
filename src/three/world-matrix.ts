/** World matrices while objects are being moved: three.js updates them only when it renders. */
import type { Object3D, Scene } from 'three';

export const isScene = (object: Object3D): object is Scene => 'isScene' in object;

/** The topmost ancestor of an object, or the object itself. */
export function topOf(object: Object3D): Object3D {
  let top = object;
  while (top.parent !== null) top = top.parent;
  return top;
}

/** Computes an object's world matrix from its parent's, which must be up to date. */
export function updateWorldMatrix(object: Object3D): void {
  const { matrixWorldNeedsUpdate } = object;
  // Also of an object without automatic updates: it moves with its parent.
  object.matrixWorldNeedsUpdate = true;
  object.updateWorldMatrix(false, false);
  // Left to the renderer, which then updates the children as well.
  object.matrixWorldNeedsUpdate = matrixWorldNeedsUpdate;
}
