/** The colliders of one mesh: one, or one for each instance that it draws. */
import { Matrix4, type InstancedMesh, type Mesh, type Object3D } from 'three';
import { isDevelopment } from '../shared/util/development.js';
import { warnOfNoInstances } from '../three/drawn-geometry.js';
import { ChangeDetector } from '../three/change-detector.js';
import { countOf, isInstanced } from '../three/scene-space.js';
import type { ShapeKind } from '../three/index.js';
import type { BodyOwner } from './body-owner.js';
import { ColliderOwner } from './collider-owner.js';
import { MeshSource } from './mesh-source.js';

interface One {
  readonly owner: ColliderOwner;
  /** Of an instance. */
  readonly matrix: Matrix4 | undefined;
}

const scratch = new Matrix4();

/** What the colliders of meshes have in common. */
interface Parts {
  readonly body: BodyOwner;
  readonly kind: () => ShapeKind;
  /** Which prop says the kind, for messages. Default: that of the body. */
  readonly kindProp: string | undefined;
}

export class MeshColliders {
  readonly #mesh: Mesh;
  readonly #root: Object3D;
  readonly #parts: Parts;
  readonly #changes = new ChangeDetector();
  readonly #all: One[] = [];
  /** Of the matrices of instances, in the last frame. */
  #version = -1;

  /** @param root The object of the body. */
  constructor(mesh: Mesh, root: Object3D, parts: Parts) {
    this.#mesh = mesh;
    this.#root = root;
    this.#parts = parts;
  }

  sync(): void {
    // Again, if its effects have ended and begun again.
    this.#parts.body.scope.watched.add(this);
    this.#takeChange();
    const mesh = this.#mesh;
    const count = countOf(mesh);
    if (isDevelopment && count === 0) warnOfNoInstances(mesh);
    for (let index = 0; index < count; index++) {
      const { owner, matrix } = (this.#all[index] ??= this.#make());
      if (matrix !== undefined) (mesh as InstancedMesh).getMatrixAt(index, matrix);
      owner.sync();
    }
    for (const { owner } of this.#all.splice(count)) owner.remove();
  }

  /** Follows the mesh, if it is not what it was: its change renders no component around it. It allocates nothing otherwise. */
  look(): void {
    const { body } = this.#parts;
    if (this.#takeChange()) body.late(() => this.sync());
    else if (this.#haveInstancesChanged()) body.late(() => this.#syncMoved());
  }

  remove(): void {
    this.#parts.body.scope.watched.delete(this);
    for (const { owner } of this.#all.splice(0)) owner.remove();
  }

  release(): void {
    this.#parts.body.scope.watched.delete(this);
    for (const { owner } of this.#all) owner.release();
  }

  /** Those whose matrices have changed: applications may say so in each frame. */
  #syncMoved(): void {
    for (const [index, { owner, matrix }] of this.#all.entries()) {
      (this.#mesh as InstancedMesh).getMatrixAt(index, scratch);
      if (matrix === undefined || matrix.equals(scratch)) continue;
      matrix.copy(scratch);
      owner.sync();
    }
  }

  #takeChange(): boolean {
    const mesh = this.#mesh;
    this.#changes.addGeometry(mesh.geometry, mesh.material);
    this.#changes.addScales(mesh);
    this.#changes.add(countOf(mesh));
    if (isInstanced(mesh)) this.#changes.add(mesh.instanceMatrix);
    return this.#changes.takeChange();
  }

  #haveInstancesChanged(): boolean {
    const mesh = this.#mesh;
    if (!isInstanced(mesh)) return false;
    // At first they are placed without saying so: nothing was rendered yet.
    const { version } = mesh.instanceMatrix;
    const haveChanged = version !== this.#version;
    this.#version = version;
    return haveChanged;
  }

  #make(): One {
    const { body, kind, kindProp } = this.#parts;
    const matrix = isInstanced(this.#mesh) ? new Matrix4() : undefined;
    const source = new MeshSource(this.#mesh, this.#root, kind, matrix && { matrix });
    source.shapeProp = kindProp;
    return { owner: new ColliderOwner(body.scope, body, source), matrix };
  }
}
