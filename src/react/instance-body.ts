/** One instance: its body and its colliders. Components of colliders are read as data, so that none is rendered for each instance. */
import { type InstancedMesh, Matrix4, Object3D, Quaternion, Vector3 } from 'three';
import { isValidElement, type ReactNode } from 'react';
import type { BodyId } from '../shared/memory/body-meta.js';
import type { ShapeKind } from '../three/index.js';
import type { RigidBody } from '../world/page/index.js';
import { isFlat } from '../world/page/checked-shapes.js';
import { MeshSource } from './auto-colliders.js';
import { BodyOwner } from './body-owner.js';
import { ColliderOwner } from './collider-owner.js';
import type { PhysicsScope } from './physics-scope.js';
import { decomposed, type Placement } from '../three/scene-space.js';
import { matrixOf, NO_TRANSFORM, transformKeys, type TransformKeys } from './placement.js';
import { isSameProps } from './props.js';
import type { ColliderProps, RigidBodyOptions } from './types.js';
import { AnyCollider, nameOfShape, shapeOfComponent, ShapeSource } from './collider-components.js';

/** The list of instances passes this to each. */
export interface InstanceParent {
  /** The mesh that draws them. */
  readonly mesh: InstancedMesh | undefined;
  /** The object of the component, in which instances are. Its world matrix is up to date. */
  readonly object: Object3D | undefined;
  /** Says where the application has placed that object. */
  readonly transformKey: string;
  /** Colliders of each. */
  readonly nodes: readonly (NodeData | undefined)[];
  /** The body of an instance has another number. */
  show(instance: InstanceBody): void;
  /** Makes the bodies as the props say, after a commit. */
  resync(): void;
}

export class InstanceBody extends BodyOwner {
  /** Index in `instances`. Negative: it was removed. */
  index = -1;
  /** The instance's props without those of all instances. Undefined: it has none yet. */
  given: object | undefined;
  /** Whether its props were changed. */
  isDirty = true;
  /** Number of its body. Undefined: it stays where it is drawn. */
  id: BodyId | undefined;
  readonly #parent: InstanceParent;
  readonly #nodes: (ColliderOwner<NodeSource> | undefined)[] = [];
  /** The collider of the mesh. */
  #auto: ColliderOwner<MeshSource> | undefined;
  #keys: TransformKeys = NO_TRANSFORM;
  /** Where the props have put it. */
  #placement: Placement | undefined;
  /** Where its last body was. */
  #last: Placement | undefined;

  constructor(scope: PhysicsScope, parent: InstanceParent) {
    super(scope);
    this.#parent = parent;
  }

  /** Scale in the scene. */
  get scale(): Vector3 {
    return this.#renderedPlacement().scale;
  }

  override componentOf(prop: string): string {
    const all = '<InstancedRigidBodies>';
    return this.given !== undefined && prop in this.given
      ? `instances[${this.index}] of ${all}`
      : all;
  }

  override setProps(props: RigidBodyOptions): void {
    super.setProps(props);
    this.isDirty = true;
    const { position, rotation, scale } = transformKeys(props);
    // Where two instances begin in the same place, the one with the same key is alike.
    const around = `${this.#parent.transformKey}|${String((props as { key?: unknown }).key)}`;
    const keys = { position: position + around, rotation: rotation + around, scale };
    if (isSameProps(keys, this.#keys)) return;
    this.#keys = keys;
    this.#placement = undefined;
    this.#last = undefined;
  }

  /** @param isAll Whether something has changed that is the same for all instances, such as the scale of a parent. */
  sync(isAll: boolean): void {
    this.isDirty = false;
    if (isAll) this.#placement = undefined;
    this.syncBody();
    this.#syncAuto();
    this.#syncNodes();
    this.syncColliders();
  }

  override release(): void {
    this.#auto?.release();
    for (const node of this.#nodes) node?.release();
    super.release();
  }

  protected override resync(): void {
    this.isDirty = true;
    this.#parent.resync();
  }

  override get object(): Object3D | undefined {
    return this.#parent.mesh;
  }

  override onShown(id: BodyId | undefined): void {
    this.id = id;
    this.#parent.show(this);
  }

  /** Another body continues where this one was. */
  protected override beforeRemoval(body: RigidBody): void {
    const { scale } = this;
    this.#last = {
      position: new Vector3().copy(body.translation()),
      rotation: new Quaternion().copy(body.rotation()),
      scale: new Vector3().copy(scale),
    };
    this.onShown(undefined);
  }

  protected override transformKeys(): TransformKeys {
    return this.#keys;
  }

  protected override placement(): Placement {
    return this.#last ?? this.#renderedPlacement();
  }

  #renderedPlacement(): Placement {
    if (this.#placement === undefined) {
      const matrix = matrixOf(this.props);
      const { object } = this.#parent;
      this.#placement = decomposed(object ? matrix.premultiply(object.matrixWorld) : matrix);
    }
    return this.#placement;
  }

  #syncAuto(): void {
    const mesh = this.autoColliders === false ? undefined : this.#parent.mesh;
    if (this.#auto?.source.mesh !== mesh) {
      this.#auto?.remove();
      this.#auto = undefined;
    }
    if (mesh === undefined) return;
    if (this.#auto === undefined) {
      const kind = (): ShapeKind => this.autoColliders as ShapeKind;
      const place = { root: mesh.parent as Object3D, body: () => this };
      this.#auto = new ColliderOwner(this.scope, this, new MeshSource(mesh, kind, place));
    }
    this.#auto.sync();
  }

  #syncNodes(): void {
    const { nodes } = this.#parent;
    for (const [index, node] of this.#nodes.entries()) {
      if (nodes[index] !== undefined) continue;
      node?.remove();
      this.#nodes[index] = undefined;
    }
    for (const [index, data] of nodes.entries()) {
      if (data === undefined) continue;
      const node = (this.#nodes[index] ??= new ColliderOwner(
        this.scope,
        this,
        new NodeSource(data, this),
      ));
      node.source.data = data;
      node.sync();
    }
  }
}

/** A collider that each instance has. */
export interface NodeData {
  readonly props: ColliderProps;
  /** The object that collisions name: the same for all instances, and in no scene. */
  readonly object: Object3D;
}

/** The props of a component of a collider. Undefined for another component, and for one that has to be rendered. */
function colliderOf(node: ReactNode): ColliderProps | undefined {
  if (!isValidElement<ColliderProps>(node)) return undefined;
  const { type, props } = node;
  const shape = type === AnyCollider ? props.shape : shapeOfComponent(type);
  const isData = shape !== undefined && props.ref === undefined && props.children === undefined;
  return isData ? { ...props, shape } : undefined;
}

/** Which nodes have to be rendered in each instance, by their indices. */
export const renderedNodes = (nodes: readonly ReactNode[]): readonly [number, ReactNode][] =>
  [...nodes.entries()].filter(([, node]) => colliderOf(node) === undefined);

/**
 * Props of the colliders that need not be rendered, by the indices of their nodes.
 *
 * @param before The result of the last call: what is equal stays the same.
 */
export const readNodes = (
  nodes: readonly ReactNode[],
  before: readonly (NodeData | undefined)[],
): readonly (NodeData | undefined)[] =>
  nodes.map((node, index) => {
    const props = colliderOf(node);
    const old = before[index];
    if (props === undefined || (old && isSameProps(old.props, props))) return props && old;
    const object = old?.object ?? new Object3D();
    object.name = props.name ?? '';
    return { props, object };
  });

/** A collider of one instance. */
class NodeSource extends ShapeSource {
  data: NodeData;
  readonly #instance: InstanceBody;
  #placement: Placement | undefined;

  constructor(data: NodeData, instance: InstanceBody) {
    super();
    this.data = data;
    this.#instance = instance;
  }

  override get props(): ColliderProps {
    return this.data.props;
  }

  override get name(): string {
    return `${nameOfShape(this.props.shape)} in colliderNodes of <InstancedRigidBodies>`;
  }

  override get object(): Object3D {
    return this.data.object;
  }

  override prepare(): boolean {
    const { x, y, z } = this.#instance.scale;
    const local = matrixOf(this.props);
    this.#placement = decomposed(local.premultiply(new Matrix4().makeScale(x, y, z)));
    this.scale.copy(this.#placement.scale);
    return !isFlat(this.scale);
  }

  protected override place(): Placement | undefined {
    return this.#placement;
  }
}
