/** One instance: its body and its colliders. */
import { Quaternion, Vector3, type InstancedMesh, type Object3D } from 'three';
import type { BodyId } from '../shared/memory/body-meta.js';
import type { ShapeKind } from '../three/index.js';
import type { RigidBody } from '../world/page/index.js';
import { MeshSource } from './mesh-source.js';
import { BodyOwner } from './body-owner.js';
import { ColliderOwner } from './collider-owner.js';
import { NodeSource, type NodeData } from './instance-colliders.js';
import type { BodyEntry } from './entries.js';
import type { PhysicsScope } from './physics-scope.js';
import {
  NO_TRANSFORM,
  decomposed,
  matrixOf,
  transformKeys,
  type Placement,
  type TransformKeys,
} from './placement.js';
import { isSameProps } from './same-props.js';
import type { RigidBodyOptions } from './types.js';

/** What instances have in common. */
export interface InstanceParent {
  /** The mesh that draws them. */
  readonly mesh: InstancedMesh | undefined;
  /** The object of the component: instances are placed within it. Its world matrix is up to date. */
  readonly object: Object3D | undefined;
  /** Says where the application has placed that object. */
  readonly placeKey: string;
  /** Colliders of each. */
  readonly nodes: ReadonlyMap<number, NodeData>;
  /** The body of an instance is drawn by another number. */
  show(instance: InstanceBody): void;
  /** Makes what has changed as the props say. */
  resync(): void;
  /** What has a prop of an instance: its row, or all. */
  ownerOf(prop: string, instance: InstanceBody): string;
}

export class InstanceBody extends BodyOwner {
  /** Of its row. Negative: it has none any more. */
  index = -1;
  /** Whether its props were changed. */
  isDirty = true;
  /** Of its body. Undefined: it stays where it is drawn. */
  id: BodyId | undefined;
  readonly #parent: InstanceParent;
  readonly #nodes = new Map<
    number,
    { readonly source: NodeSource; readonly owner: ColliderOwner }
  >();
  #auto: { readonly mesh: InstancedMesh; readonly owner: ColliderOwner } | undefined;
  #keys: TransformKeys = NO_TRANSFORM;
  /** Where it was placed. */
  #placement: Placement | undefined;
  /** Where the body was that it had before. */
  #last: Placement | undefined;

  constructor(scope: PhysicsScope, parent: InstanceParent) {
    super(scope);
    this.#parent = parent;
  }

  /** In the scene. */
  get scale(): Vector3 {
    return this.#place().scale;
  }

  override ownerOf(prop: string): string {
    return this.#parent.ownerOf(prop, this);
  }

  override setProps(props: RigidBodyOptions): void {
    super.setProps(props);
    this.isDirty = true;
    const { position, rotation, scale } = transformKeys(props);
    const { placeKey } = this.#parent;
    const keys = { position: position + placeKey, rotation: rotation + placeKey, scale };
    if (isSameProps(keys, this.#keys)) return;
    this.#keys = keys;
    this.#placement = undefined;
    this.#last = undefined;
  }

  /** @param isAll Whether what all instances have in common has changed, such as the scale of what they are in. */
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

  protected override describe(): Omit<BodyEntry, 'props' | 'owner'> {
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
    return this.#last ?? this.#place();
  }

  #place(): Placement {
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
      const source = new MeshSource(mesh, mesh.parent as Object3D, kind, this);
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
