/** Warnings of edits of meshes with bodies that change nothing, or not what is meant. Loaded only in development. */
import { Vector3 } from 'three';
import { warnOnce } from '../shared/util/development.js';
import { nameOf } from './drawn-geometry.js';
import { isInstanced, matrixInScene } from './scene-space.js';
import type { AddedMesh, MeshPhysicsSettings, PlacedMeshes } from './placed-meshes.js';

const SETTINGS = ['mass', 'restitution', 'shape'] as const;

/** Where the library has left a mesh, whether it was in something, and the version of the matrices of its instances. */
interface LeftMesh {
  readonly isInside: boolean;
  readonly place: Vector3;
  readonly version: number | undefined;
}

/** Watches meshes between an update and the next one: within an update, the library moves them. */
export function watchMeshes(meshes: PlacedMeshes): void {
  const left = new WeakMap<AddedMesh, LeftMesh>();
  const [followChanges, update] = [
    meshes.followChanges.bind(meshes),
    meshes.update.bind(meshes),
  ] as const;
  meshes.followChanges = () => {
    for (const added of meshes.all) {
      const before = left.get(added);
      if (before !== undefined) warnOfMove(added, before);
      warnOfSettings(added);
    }
    followChanges();
  };
  meshes.update = (frame) => {
    update(frame);
    for (const added of meshes.all) {
      left.set(added, whereItIs(added));
    }
  };
}

/** A mesh that is not fixed is moved by the library, also when an object around it moves. */
function whereItIs({ mesh, settings }: AddedMesh): LeftMesh {
  const isInside = mesh.parent !== null;
  if (settings.mass) return { isInside, place: mesh.position.clone(), version: undefined };
  const place = new Vector3().setFromMatrixPosition(matrixInScene(mesh));
  return { isInside, place, version: isInstanced(mesh) ? mesh.instanceMatrix.version : undefined };
}

function warnOfMove(added: AddedMesh, before: LeftMesh): void {
  const { isInside, place, version } = whereItIs(added);
  if (before.isInside && !isInside) {
    warnOnce(
      'a mesh that was removed',
      `${nameOf(added.mesh)} was removed from its scene, and its body was not: call removeMesh(mesh)`,
    );
    return;
  }
  const hasOthers = version !== before.version;
  // Products of matrices are rounded.
  if (!hasOthers && place.distanceTo(before.place) < 1e-6) return;
  const how = hasOthers ? 'has other matrices of instances' : 'was moved';
  warnOnce(
    `a mesh that ${how}`,
    `${nameOf(added.mesh)} ${how}, and its body was not: call setMeshPosition(mesh, position), or addMesh again`,
  );
}

function warnOfSettings({ mesh, userData: before }: AddedMesh): void {
  const now = mesh.userData['physics'] as MeshPhysicsSettings | undefined;
  if (now === undefined) return;
  const name = SETTINGS.find((each) => now[each] !== undefined && now[each] !== before[each]);
  if (name === undefined) return;
  warnOnce(
    'settings of a mesh that changed',
    `${name} in userData.physics of ${nameOf(mesh)} was changed after it was added, which changes nothing: call addMesh ` +
      'again, or set it on the body or the collider',
  );
}
