/** Colliders for meshes: `AutoColliders` finds the meshes in a body or in a `<MeshCollider>`. */
import type { LOD, Matrix4, Mesh, Object3D } from 'three';
import {
  type JSX,
  memo,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { isDevelopment } from '../shared/util/development.js';
import { warnOfNoCollider, warnOfOtherBones, whyNoCollider } from '../three/drawn-geometry.js';
import {
  type ColliderMaker,
  isNearestLevel,
  type MeshCollider as ColliderOfMesh,
  MeshColliders,
  MeshShape,
} from '../three/mesh-colliders.js';
import type { ShapeKind } from '../three/shape-of.js';
import { BodyContext, type BodyOwner, OWNER_PROPERTY } from './body-owner.js';
import { ColliderOwner, type ColliderSource } from './collider-owner.js';
import type { RigidBodyAutoCollider } from './types.js';
import { naming } from './errors.js';
import { checkProps } from './development.js';
import { useRelease } from './leases.js';

/** Marks an object of which the meshes get no colliders from the body around it. */
export const MESH_COLLIDER_PROPERTY = 'betwixtMeshCollider';

/** The colliders of all meshes below an object. */
export class AutoColliders {
  readonly #body: BodyOwner;
  readonly #kind: () => RigidBodyAutoCollider;
  readonly #kindProp: string | undefined;
  readonly #colliders = new Map<Mesh, BodyMesh>();
  readonly #watched = new Set<Object3D>();
  #root: Object3D | undefined;
  #isSyncDue = false;

  /** @param kindProp The prop that says the kind, for messages. Default: `colliders` of the body. */
  constructor(body: BodyOwner, kind: () => RigidBodyAutoCollider, kindProp?: string) {
    this.#body = body;
    this.#kind = kind;
    this.#kindProp = kindProp;
  }

  /** Makes and removes colliders, so that each mesh below an object has one. @param root Default: the same as before. */
  sync(root: Object3D | undefined = this.#root): void {
    if (root === undefined) return;
    this.#root = root;
    const kind = this.#kind();
    const missing = new Set(this.#colliders.keys());
    if (kind !== false) {
      this.#forMeshes(root, (mesh) => {
        missing.delete(mesh);
        this.#require(mesh, root).sync();
      });
    }
    for (const mesh of missing) {
      this.#colliders.get(mesh)?.remove();
      this.#colliders.delete(mesh);
    }
  }

  release(): void {
    this.#body.delete(this);
    for (const colliders of this.#colliders.values()) colliders.release();
    for (const object of this.#watched) this.#unwatch(object);
    this.#watched.clear();
  }

  #require(mesh: Mesh, root: Object3D): BodyMesh {
    let colliders = this.#colliders.get(mesh);
    if (colliders === undefined) {
      colliders = new BodyMesh(mesh, this.#body.objectFrom(root) ?? root, {
        body: this.#body,
        kind: () => this.#kind() as ShapeKind,
        kindProp: this.#kindProp,
      });
      this.#colliders.set(mesh, colliders);
    }
    return colliders;
  }

  /** Also those that are hidden: they may be shown without a render. */
  #forMeshes(object: Object3D, callback: (mesh: Mesh) => void, isHidden = false): void {
    if (object !== this.#root && (MESH_COLLIDER_PROPERTY in object || OWNER_PROPERTY in object)) {
      return;
    }
    this.#watch(object);
    const isShown =
      object === this.#root ||
      this.#body.props.includeInvisible === true ||
      !hides(object) ||
      isNearestLevel(object);
    const isDrawn = isShown && !isHidden;
    const reason = whyNoCollider(object);
    if (reason === undefined) {
      if ('isMesh' in object) callback(object as Mesh);
    } else if (isDevelopment && isDrawn) {
      warnOfNoCollider(object, reason);
    }
    const levels = 'isLOD' in object ? (object as LOD).levels.map((level) => level.object) : [];
    for (const child of object.children) {
      // The nearest level counts.
      if (levels.indexOf(child) <= 0) this.#forMeshes(child, callback, !isDrawn);
    }
  }

  /** An object that is added later, such as a model that was still loading, renders no component around it. */
  #watch(object: Object3D): void {
    if (this.#watched.has(object)) return;
    this.#watched.add(object);
    object.addEventListener('childadded', this.#onChild);
    object.addEventListener('childremoved', this.#onChild);
  }

  #unwatch(object: Object3D): void {
    object.removeEventListener('childadded', this.#onChild);
    object.removeEventListener('childremoved', this.#onChild);
  }

  readonly #onChild = (): void => {
    if (this.#isSyncDue) return;
    this.#isSyncDue = true;
    queueMicrotask(() => {
      this.#isSyncDue = false;
      if (this.#watched.size > 0) this.#body.late.do(() => this.sync());
    });
  };
}

/** Whether the application has hidden an object. Fiber hides objects itself, while a boundary around them is suspended. */
function hides(object: Object3D): boolean {
  if (object.visible) return false;
  const { __r3f: fiber } = object as { __r3f?: FiberInstance };
  return fiber?.isHidden !== true || (fiber.previousVisible ?? fiber.props?.visible) === false;
}

/** The members that fiber adds to an object. */
interface FiberInstance {
  readonly isHidden?: boolean;
  /** Before fiber has hidden it. Only newer versions have this. */
  readonly previousVisible?: boolean;
  readonly props?: { readonly visible?: boolean };
}

/** The same for all meshes of a body. */
interface BodyMeshOptions {
  readonly body: BodyOwner;
  readonly kind: () => ShapeKind;
  /** The prop that says the kind, for messages. Default: `colliders` of the body. */
  readonly kindProp: string | undefined;
}

/** A mesh in a body. */
class BodyMesh implements ColliderMaker<OwnedCollider> {
  readonly root: Object3D;
  readonly #mesh: Mesh;
  readonly #options: BodyMeshOptions;
  readonly #colliders: MeshColliders<OwnedCollider>;

  /** @param root The object of the body. */
  constructor(mesh: Mesh, root: Object3D, options: BodyMeshOptions) {
    this.root = root;
    this.#mesh = mesh;
    this.#options = options;
    this.#colliders = new MeshColliders(mesh, this);
  }

  sync(): void {
    // Its effects may have ended and begun again.
    const { body } = this.#options;
    body.scope.watchers.add(this);
    if (isDevelopment && body.props.type !== 'fixed') warnOfOtherBones(this.#mesh, this.root);
    this.#colliders.sync();
  }

  /** For a mesh for which no component around it is rendered. */
  followChanges(): void {
    this.#colliders.followChanges(this.#attempt);
  }

  remove(): void {
    this.#options.body.scope.watchers.delete(this);
    this.#colliders.remove();
  }

  release(): void {
    this.#options.body.scope.watchers.delete(this);
    for (const collider of this.#colliders.all) collider.release();
  }

  hides(object: Object3D): boolean {
    return this.#options.body.props.includeInvisible !== true && hides(object);
  }

  make(_index: number, matrix: Matrix4 | undefined): OwnedCollider {
    const { body, kind, kindProp } = this.#options;
    const shape = new MeshSource(this.#mesh, kind, { root: this.root, matrix });
    shape.shapeProp = kindProp;
    return new OwnedCollider(body, shape);
  }

  /** Created once, to avoid allocations per frame. */
  readonly #attempt = (act: () => void): void => this.#options.body.late.do(act);
}

/** A collider of a mesh with its owner. */
class OwnedCollider extends ColliderOwner implements ColliderOfMesh {
  readonly shape: MeshSource;

  constructor(body: BodyOwner, shape: MeshSource) {
    super(body.scope, body, shape);
    this.shape = shape;
  }
}

/** A collider of a mesh in a body, which has the settings of the body. */
export class MeshSource extends MeshShape implements ColliderSource {
  readonly props = {};
  readonly object = undefined;
  /** The prop that says the kind, for messages. Default: `colliders` of the body. */
  shapeProp: string | undefined;

  /** @throws As `shapeOf` does, naming the mesh. */
  override prepare(): boolean {
    return naming(`the mesh ${JSON.stringify(this.mesh.name)}`, () => super.prepare());
  }
}

/** Props of {@link MeshCollider}. */
export interface MeshColliderProps {
  /** Meshes, or what has meshes in it. */
  children: ReactNode;
  /** Which colliders the meshes in it get. */
  type: RigidBodyAutoCollider;
}

/**
 * Gives the meshes in it other colliders than the `<RigidBody>` around it would.
 *
 * @throws Error outside of a `<RigidBody>`.
 */
export const MeshCollider = memo(function MeshCollider(props: MeshColliderProps): JSX.Element {
  const { children, type } = props;
  if (isDevelopment) checkProps('meshCollider', '<MeshCollider>', props);
  const body = useContext(BodyContext);
  if (body === undefined) {
    throw new Error(
      '<MeshCollider> was used outside of <RigidBody>: put it into <RigidBody colliders={false}>, which has the body ' +
        'of its colliders',
    );
  }
  const object = useRef<Object3D>(null);
  const kind = useRef(type);
  const [colliders] = useState(
    () => new AutoColliders(body, () => kind.current, 'type of <MeshCollider>'),
  );
  useLayoutEffect(() => {
    kind.current = type;
    if (object.current !== null) colliders.sync(object.current);
  });
  useEffect(() => body.add(colliders), [body, colliders]);
  useRelease(colliders);
  return (
    <object3D ref={object} {...{ [MESH_COLLIDER_PROPERTY]: true }}>
      {children}
    </object3D>
  );
});
