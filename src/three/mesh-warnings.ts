/** Warnings of edits of meshes with bodies that change nothing, or not what is meant. Loaded only in development. */
import { type Mesh, Vector3 } from 'three';
import { warnOnce } from '../shared/util/development.js';
import { nameOf } from './drawn-geometry.js';
import type { MeshPhysicsSettings, PlacedMeshes } from './placed-meshes.js';

/** A mesh with the settings that it was added with. */
interface AddedMesh {
  readonly mesh: Mesh;
  readonly settings: MeshPhysicsSettings | undefined;
}

const SETTINGS = ['mass', 'restitution', 'shape'] as const;

/** Watches meshes between an update and the next one: within an update, the library moves them. */
export function watchMeshes(meshes: PlacedMeshes): void {
  const places = new WeakMap<AddedMesh, Vector3>();
  const [followChanges, update] = [
    meshes.followChanges.bind(meshes),
    meshes.update.bind(meshes),
  ] as const;
  meshes.followChanges = () => {
    for (const added of meshes.all) {
      const place = places.get(added);
      if (place !== undefined && !place.equals(added.mesh.position)) warnOfMove(added.mesh);
      warnOfSettings(added);
    }
    followChanges();
  };
  meshes.update = (frame) => {
    update(frame);
    for (const added of meshes.all) {
      const { position } = added.mesh;
      places.set(added, (places.get(added) ?? new Vector3()).copy(position));
    }
  };
}

function warnOfMove(mesh: Mesh): void {
  warnOnce(
    'a mesh that was moved by hand',
    `${nameOf(mesh)} was moved by its position, and its body was not: call setMeshPosition(mesh, position), or addMesh again`,
  );
}

function warnOfSettings({ mesh, settings }: AddedMesh): void {
  const now = mesh.userData['physics'] as MeshPhysicsSettings | undefined;
  if (settings === undefined || now === undefined) return;
  const name = SETTINGS.find((each) => now[each] !== undefined && now[each] !== settings[each]);
  if (name === undefined) return;
  warnOnce(
    'settings of a mesh that changed',
    `${name} in userData.physics of ${nameOf(mesh)} was changed after it was added, which changes nothing: call addMesh ` +
      'again, or set it on the body or the collider',
  );
}
