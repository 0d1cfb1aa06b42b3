/** One instance: its body and its colliders. Components of colliders are read as data, so that none is rendered for each instance. */
import { type InstancedMesh, Matrix4, Object3D, Quaternion, Vector3 } from 'three';
import { isValidElement, type ReactNode } from 'react';
import type { BodyId } from '../shared/memory/body-meta.js';
import type { ShapeKind } from '../three/index.js';
import type { ColliderDesc, RigidBody } from '../world/page/index.js';
import type { Vector } from '../shared/util/vectors.js';
import { isFlat } from '../world/page/checked-shapes.js';
import { MeshSource } from './auto-colliders.js';
import { BodyOwner } from './body-owner.js';
import { ColliderOwner, type ColliderSource } from './collider-owner.js';
import type { BodyEntry, PhysicsScope } from './physics-scope.js';
import { decomposed, type Placement } from '../three/scene-space.js';
import { matrixOf, NO_TRANSFORM, transformKeys, type TransformKeys } from './placement.js';
import { isSameProps } from './props.js';
import type { ColliderProps, RigidBodyOptions } from './types.js';
import {
  AnyCollider,
  describeShape,
  nameOfShape,
  shapeKey,
  shapeOfComponent,
} from './collider-components.js';

/** The list of instances passes this to each. */
export interface InstanceParent {
  /** The mesh that draws them. */
  readonly mesh: InstancedMesh | undefined;
  /** The object of the component, in which instances are. Its world matrix is up to date. */
  readonly object: Object3D | undefined;
  /** Says where the application has placed that object. */
  readonly transformKey: string;
  /** Colliders of each. */
  readonly nodes: ReadonlyMap<number, NodeData>;
  /** The body of an instance has another number. */
  show(instance: InstanceBody): void;
  /** Makes the bodies as the props say, after a commit. */
  resync(): void;
  /** The owner of a prop: `instances[index]`, or the component. */
  componentOf(prop: string, instance: InstanceBody): string;
}

export class InstanceBody extends BodyOwner {
  /** Index in `instances`. Negative: it was removed. */
  index = -1;
  /** Whether its props were changed. */
  isDirty = true;
  /** Number of its body. Undefined: it stays where it is drawn. */
  id: BodyId | undefined;
  readonly #parent: InstanceParent;
  readonly #nodes = new Map<
    number,
    { readonly source: NodeSource; readonly owner: ColliderOwner }
  >();
  #auto: { readonly mesh: InstancedMesh; readonly owner: ColliderOwner } | undefined;
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
    return this.#parent.componentOf(prop, this);
  }

  override setProps(props: RigidBodyOptions): void {
    super.setProps(props);
    this.isDirty = true;
    const { position, rotation, scale } = transformKeys(props);
    const { transformKey } = this.#parent;
    const keys = { position: position + transformKey, rotation: rotation + transformKey, scale };
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
    this.#auto?.owner.release();
    for (const { owner } of this.#nodes.values()) owner.release();
    super.release();
  }

  protected override resync(): void {
    this.isDirty = true;
    this.#parent.resync();
  }

  protected override get object(): Object3D | undefined {
    return this.#parent.mesh;
  }

  protected override describe(): Pick<BodyEntry, 'object' | 'onShown'> {
    return {
      object: this.object,
      onShown: (id) => {
        this.id = id;
        this.#parent.show(this);
      },
    };
  }

  /** Another body continues where this one was. */
  protected override beforeRemoval(body: RigidBody): void {
    const { scale } = this;
    this.#last = {
      position: new Vector3().copy(body.translation()),
      rotation: new Quaternion().copy(body.rotation()),
      scale: new Vector3().copy(scale),
    };
    this.id = undefined;
    this.#parent.show(this);
  }

  protected override transformKeys(): TransformKeys {
    return this.#keys;
  }

  protected override get instanceKey(): unknown {
    return (this.props as { readonly key?: unknown }).key;
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

  /** The collider of the mesh. */
  #syncAuto(): void {
    const { mesh } = this.#parent;
    const isWanted = mesh !== undefined && this.autoColliders !== false;
    if (this.#auto !== undefined && (!isWanted || this.#auto.mesh !== mesh)) {
      this.#auto.owner.remove();
      this.#auto = undefined;
    }
    if (!isWanted) return;
    if (this.#auto === undefined) {
      const kind = (): ShapeKind => this.autoColliders as ShapeKind;
      const source = new MeshSource(mesh, kind, {
        root: mesh.parent as Object3D,
        body: () => this,
      });
      this.#auto = { mesh, owner: new ColliderOwner(this.scope, this, source) };
    }
    this.#auto.owner.sync();
  }

  #syncNodes(): void {
    const { nodes } = this.#parent;
    for (const [index, { owner }] of this.#nodes) {
      if (nodes.has(index)) continue;
      owner.remove();
      this.#nodes.delete(index);
    }
    for (const [index, data] of nodes) {
      let node = this.#nodes.get(index);
      if (node === undefined) {
        const source = new NodeSource(data, this);
        node = { source, owner: new ColliderOwner(this.scope, this, source) };
        this.#nodes.set(index, node);
      }
      node.source.data = data;
      node.owner.sync();
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
 * @param before The result of the last call: returned again if it is equal.
 */
export function readNodes(
  nodes: readonly ReactNode[],
  before: ReadonlyMap<number, NodeData>,
): ReadonlyMap<number, NodeData> {
  const read = new Map<number, NodeData>();
  let isSame = true;
  for (const [index, node] of nodes.entries()) {
    const props = colliderOf(node);
    if (props === undefined) continue;
    const old = before.get(index);
    const data = old !== undefined && isSameProps(old.props, props) ? old : dataOf(props, old);
    isSame &&= data === old;
    read.set(index, data);
  }
  return isSame && read.size === before.size ? before : read;
}

function dataOf(props: ColliderProps, old: NodeData | undefined): NodeData {
  const object = old?.object ?? new Object3D();
  object.name = props.name ?? '';
  return { props, object };
}

/** A collider of one instance. */
class NodeSource implements ColliderSource {
  data: NodeData;
  readonly #instance: { readonly scale: Readonly<Vector> };
  #placement: Placement | undefined;
  #placed = NO_TRANSFORM;

  constructor(data: NodeData, instance: { readonly scale: Readonly<Vector> }) {
    this.data = data;
    this.#instance = instance;
  }

  get props(): ColliderProps {
    return this.data.props;
  }

  get name(): string {
    return `${nameOfShape(this.props.shape)} in colliderNodes of <InstancedRigidBodies>`;
  }

  get shapeProp(): string {
    return `args of ${this.name}`;
  }

  get object(): Object3D {
    return this.data.object;
  }

  key(): readonly unknown[] {
    return shapeKey(this.props, this.#scale());
  }

  prepare(): boolean {
    return !isFlat(this.#scale());
  }

  describe(): ColliderDesc {
    return describeShape(this.props, this.#scale());
  }

  placement(isNew: boolean): Placement | undefined {
    const keys = transformKeys(this.props);
    const { position, rotation } = this.#placed;
    const isSame = keys.position === position && keys.rotation === rotation;
    this.#placed = keys;
    return isSame && !isNew ? undefined : this.#placement;
  }

  #scale(): Vector {
    const { x, y, z } = this.#instance.scale;
    const local = matrixOf(this.props);
    this.#placement = decomposed(local.premultiply(new Matrix4().makeScale(x, y, z)));
    const { scale } = this.#placement;
    return { x: Math.fround(scale.x), y: Math.fround(scale.y), z: Math.fround(scale.z) };
  }
}
