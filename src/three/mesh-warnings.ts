/** Warnings of edits of meshes with bodies that change nothing, or not what is meant. Loaded only in development. */
import { type InstancedMesh, Matrix4, type Mesh, type Object3D, Vector3 } from 'three';
import { warnOnce } from '../shared/util/development.js';
import { nameOf } from './drawn-geometry.js';
import type { AddedMesh, MeshPhysicsSettings, PlacedMeshes } from './placed-meshes.js';

const SETTINGS = ['mass', 'restitution', 'shape'] as const;

/** A mesh as the library has left it. */
interface LeftMesh {
  readonly place: Vector3;
  readonly matrix: Matrix4;
  /** Whether the library has not moved it since it was rendered. */
  isStill: boolean;
  /** Of the matrices of its instances. */
  version: number | undefined;
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
      const { mesh } = added;
      const now = left.get(added) ?? newlyLeft();
      now.isStill = now.place.equals(mesh.position);
      now.place.copy(mesh.position);
      now.matrix.copy(mesh.matrixWorld);
      now.version = versionOf(mesh);
      left.set(added, now);
    }
  };
}

const newlyLeft = (): LeftMesh => ({
  place: new Vector3(Number.NaN),
  matrix: new Matrix4(),
  isStill: false,
  version: undefined,
});

const versionOf = (mesh: Mesh): number | undefined =>
  'instanceMatrix' in mesh ? (mesh as InstancedMesh).instanceMatrix.version : undefined;

function warnOfMove({ mesh, settings }: AddedMesh, before: LeftMesh): void {
  const isMoved = !before.place.equals(mesh.position);
  // The library moves the others.
  const isFixed = !settings.mass;
  const isCarried = isFixed && before.isStill && hasOtherPlace(before.matrix, mesh.matrixWorld);
  const isChanged = isFixed && before.version !== versionOf(mesh);
  if (!isMoved && !isCarried && !isChanged) return;
  const [how, cure] = isMoved
    ? ['was moved by its position', 'call setMeshPosition(mesh, position), or']
    : isCarried
      ? ['was moved by an object around it', 'call']
      : ['has other matrices of instances', 'call setMeshPosition(mesh, position, index), or'];
  warnOnce(
    `a mesh that ${how}`,
    `${nameOf(mesh)} ${how}, and its body was not: ${cure} addMesh again`,
  );
}

/** Products of matrices are rounded. */
const hasOtherPlace = ({ elements: before }: Matrix4, { elements: now }: Matrix4): boolean =>
  [12, 13, 14].some((at) => Math.abs((before[at] as number) - (now[at] as number)) > 1e-6);

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

/** @param object Has settings, and is no mesh. */
export function warnOfNoMesh(object: Object3D): void {
  warnOnce(
    'physics of what is no mesh',
    `${nameOf(object)} has userData.physics, and gets no body, because it is no mesh: set it on the meshes in it`,
  );
}
