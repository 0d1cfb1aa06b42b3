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
import {
  nameOf,
  warnOfNoCollider,
  warnOfOtherBones,
  whyNoCollider,
} from '../three/drawn-geometry.js';
import {
  type ColliderMaker,
  isNearestLevel,
  MeshColliders,
  MeshShape,
} from '../three/mesh-colliders.js';
import type { ShapeKind } from '../three/shape-of.js';
import { oncePerTurn } from '../render-main/util/turns.js';
import { BodyContext, type BodyOwner, OWNER_PROPERTY } from './body-owner.js';
import { ColliderOwner, type ColliderSource } from './collider-owner.js';
import type { RigidBodyAutoCollider } from './types.js';
import { naming } from './errors.js';
import { checkProps } from './development.js';
import { useRelease } from './leases.js';

/** Marks an object of which the meshes get no colliders from the body around it. */
export const MESH_COLLIDER_PROPERTY = 'betwixtMeshCollider';

/** The colliders of all meshes below an object. */
export class AutoColliders implements ColliderMaker<ColliderOwner<MeshSource>> {
  readonly #body: BodyOwner;
  readonly #kind: () => RigidBodyAutoCollider;
  readonly #kindProp: string | undefined;
  readonly #colliders = new Map<Mesh, MeshColliders<ColliderOwner<MeshSource>>>();
  #watched = new Set<Object3D>();
  #top: Object3D | undefined;

  /** @param kindProp The prop that says the kind, for messages. Default: `colliders` of the body. */
  constructor(body: BodyOwner, kind: () => RigidBodyAutoCollider, kindProp?: string) {
    this.#body = body;
    this.#kind = kind;
    this.#kindProp = kindProp;
  }

  /** Makes and removes colliders, so that each mesh below an object has one. @param top Default: the same as before. */
  sync(top: Object3D | undefined = this.#top): void {
    if (top === undefined) return;
    this.#top = top;
    const { watchers } = this.#body.scope;
    const missing = new Set(this.#colliders.keys());
    const watched = this.#watched;
    this.#watched = new Set();
    if (this.#kind() !== false) {
      this.#forMeshes(top, (mesh) => {
        missing.delete(mesh);
        const colliders = this.#colliders.get(mesh) ?? new MeshColliders(mesh, this);
        this.#colliders.set(mesh, colliders);
        // The effects of the body may have ended and begun again.
        watchers.add(colliders);
        if (isDevelopment && this.#body.props.type !== 'fixed') warnOfOtherBones(mesh, this.root);
        colliders.sync();
      });
    }
    for (const object of watched) if (!this.#watched.has(object)) this.#unwatch(object);
    for (const mesh of missing) {
      const colliders = this.#colliders.get(mesh) as MeshColliders;
      watchers.delete(colliders);
      colliders.remove();
      this.#colliders.delete(mesh);
    }
  }

  release(): void {
    this.#body.parts.delete(this);
    for (const colliders of this.#colliders.values()) {
      this.#body.scope.watchers.delete(colliders);
      for (const collider of colliders.all) collider.release();
    }
    for (const object of this.#watched) this.#unwatch(object);
    this.#watched.clear();
  }

  get root(): Object3D {
    // There are meshes below it.
    const top = this.#top as Object3D;
    return this.#body.objectFrom(top) ?? top;
  }

  make(mesh: Mesh, _index: number, matrix: Matrix4 | undefined): ColliderOwner<MeshSource> {
    const kind = (): ShapeKind => this.#kind() as ShapeKind;
    const source = new MeshSource(mesh, kind, { root: this.root, matrix });
    source.shapeProp = this.#kindProp;
    return new ColliderOwner(this.#body.scope, this.#body, source);
  }

  attempt(act: () => void): void {
    this.#body.late.do(act);
  }

  hides(object: Object3D): boolean {
    return this.#body.props.includeInvisible !== true && isHidden(object);
  }

  /** Also those that are hidden: they may be shown without a render. */
  #forMeshes(object: Object3D, callback: (mesh: Mesh) => void, isBelowHidden = false): void {
    if (object !== this.#top && (MESH_COLLIDER_PROPERTY in object || OWNER_PROPERTY in object)) {
      return;
    }
    this.#watch(object);
    const isShown = object === this.#top || !this.hides(object) || isNearestLevel(object);
    const isDrawn = isShown && !isBelowHidden;
    const reason = whyNoCollider(object);
    if (reason === undefined) {
      if ('isMesh' in object) callback(object as Mesh);
    } else if (isDevelopment && isDrawn) {
      warnOfNoCollider(nameOf(object), reason);
    }
    const levels = 'isLOD' in object ? (object as LOD).levels.map((level) => level.object) : [];
    for (const child of object.children) {
      // The nearest level counts.
      if (levels.indexOf(child) <= 0) this.#forMeshes(child, callback, !isDrawn);
    }
  }

  /** An object that is added later, such as a model that was still loading, renders no component around it. */
  #watch(object: Object3D): void {
    this.#watched.add(object);
    // Once: three takes a listener that it has for the same.
    object.addEventListener('childadded', this.#onChild);
    object.addEventListener('childremoved', this.#onChild);
  }

  #unwatch(object: Object3D): void {
    object.removeEventListener('childadded', this.#onChild);
    object.removeEventListener('childremoved', this.#onChild);
  }

  readonly #onChild = oncePerTurn(() => {
    if (this.#watched.size > 0) this.#body.late.do(() => this.sync());
  });
}

/** Whether the application has hidden an object. Fiber hides objects itself, while a boundary around them is suspended. */
function isHidden(object: Object3D): boolean {
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

/** A collider of a mesh in a body, which has the settings of the body. */
export class MeshSource extends MeshShape implements ColliderSource {
  readonly props = {};
  readonly object = undefined;
  /** The prop that says the kind, for messages. Default: `colliders` of the body. */
  shapeProp: string | undefined;

  /** @throws As `shapeOf` does, naming the mesh. */
  override prepare(): boolean {
    return naming(nameOf(this.mesh), () => super.prepare());
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
  useEffect(() => void body.parts.add(colliders), [body, colliders]);
  useRelease(colliders);
  return (
    <object3D ref={object} {...{ [MESH_COLLIDER_PROPERTY]: true }}>
      {children}
    </object3D>
  );
});
