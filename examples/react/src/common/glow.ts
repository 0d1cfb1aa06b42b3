/** Lets a mesh glow. */
import type { RefObject } from 'react';
import type { ColorRepresentation, Mesh, MeshStandardMaterial } from 'three';

/** @param color Black: it does not. */
export function glow(mesh: RefObject<Mesh | null>, color: ColorRepresentation): void {
  (mesh.current?.material as MeshStandardMaterial | undefined)?.emissive.set(color);
}
