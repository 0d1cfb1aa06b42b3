/** Colliders of instances: components of colliders are read as data, so that none is rendered for each instance. */
import type { Vector } from '../shared/util/vectors.js';
import { isValidElement, type ReactNode } from 'react';
import { Matrix4, Object3D } from 'three';
import type { ColliderDesc } from '../world/page/index.js';
import { isFlat } from '../world/page/checked-shapes.js';
import { AnyCollider, nameOfShape, shapeOfComponent } from './collider-components.js';
import type { ColliderSource } from './collider-owner.js';
import { describeShape } from './collider-shapes.js';
import { NO_TRANSFORM, decomposed, matrixOf, transformKeys, type Placement } from './placement.js';
import { isSameProps } from './same-props.js';
import type { ColliderProps } from './types.js';

/** A collider that each instance has. */
export interface NodeData {
  readonly props: ColliderProps;
  /** What collisions name: the same for all instances, and in no scene. */
  readonly object: Object3D;
}

/** The props of a component of a collider. Undefined: it is another one, or it has to be rendered. */
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
 * The others, by their indices.
 *
 * @param before What was read last: returned again if it is equal.
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
export class NodeSource implements ColliderSource {
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
    const { x, y, z } = this.#scale();
    const { args, shape } = this.props;
    return [shape, ...(Array.isArray(args) ? args : [args]), x, y, z];
  }

  prepare(): boolean {
    return !isFlat(this.#scale());
  }

  describe(): ColliderDesc {
    return describeShape(this.props.shape, this.props.args as unknown[], this.#scale());
  }

  place(isNew: boolean): Placement | undefined {
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
