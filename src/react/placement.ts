/** Where props and parents put objects of three.js. */
import type { Rotation, Vector } from '../shared/util/vectors.js';
import { Matrix4, Object3D, Vector3, type Euler, type EulerTuple } from 'three';
import {
  decomposed,
  matrixOfStretch,
  type Placement,
  type Stretch,
  updateWorldMatrices,
} from '../three/scene-space.js';
import { finite } from '../world/page/checked-values.js';
import type { Quaternion as QuaternionProp, Vector3 as Vector3Prop } from '@react-three/fiber';
import type { TransformProps } from './types.js';

export const isAtOrigin = ({ x, y, z }: Readonly<Vector>): boolean => x === 0 && y === 0 && z === 0;

export const isUnturned = ({ x, y, z, w }: Readonly<Rotation>): boolean =>
  w === 1 && x === 0 && y === 0 && z === 0;

/** Where an object is in the scene. */
export function placementOf(object: Object3D): Placement {
  updateWorldMatrices(object);
  return decomposed(object.matrixWorld);
}

/** How an object is stretched in the scene. It has no errors of rounding if no turned parent can stretch the object. */
export function stretchOf(object: Object3D): Stretch {
  const scale = new Vector3(1, 1, 1);
  for (let at: Object3D | null = object; at !== null; at = at.parent) {
    const { x, y, z } = at.scale;
    const isEven = at === object || (x === y && y === z);
    if (!isEven || Math.min(x, y, z) <= 0 || !at.matrixAutoUpdate) return placementOf(object);
    scale.multiply(at.scale);
  }
  return { scale };
}

/**
 * Where an object is relative to a body that moves one of its ancestors. By the local matrices in between: the body may have
 * moved since.
 *
 * @param stretch How the ancestor is stretched in the scene.
 * @param matrix Matrix of an instance of the object.
 */
export function placementBelow(
  object: Object3D,
  ancestor: Object3D,
  stretch: Stretch = stretchOf(ancestor),
  matrix?: Matrix4,
): Placement {
  const chain = matrix?.clone() ?? new Matrix4();
  for (let at: Object3D | null = object; at !== null && at !== ancestor; at = at.parent) {
    if (at.matrixAutoUpdate) at.updateMatrix();
    chain.premultiply(at.matrix);
  }
  return decomposed(chain.premultiply(matrixOfStretch(stretch)));
}

const scratch = new Object3D();

/** The matrix that an object with these props would have. It is overwritten by the next call. */
export function matrixOf({ position, rotation, quaternion, scale }: TransformProps): Matrix4 {
  scratch.position.copy(vectorOf(position ?? 0));
  scratch.scale.copy(vectorOf(scale ?? 1));
  // An array may lack the order.
  scratch.rotation.set(0, 0, 0, 'XYZ');
  if (Array.isArray(rotation)) scratch.rotation.fromArray(rotation as EulerTuple);
  else if (rotation !== undefined) scratch.rotation.copy(rotation as Euler);
  if (quaternion !== undefined) scratch.quaternion.copy(rotationOf(quaternion));
  scratch.updateMatrix();
  return scratch.matrix;
}

/** The props that place something, as texts that can be compared. */
export interface TransformKeys {
  readonly position: string;
  readonly rotation: string;
  readonly scale: string;
}

export const NO_TRANSFORM: TransformKeys = { position: '', rotation: '', scale: '' };

export function transformKeys(props: TransformProps): TransformKeys {
  const { position, rotation, quaternion, scale } = props;
  return {
    position: [...partsOf(position), ...axesOf(props, POSITIONS)].join(),
    rotation: [
      ...partsOf(rotation),
      ';',
      ...partsOf(quaternion),
      ...axesOf(props, ROTATIONS),
    ].join(),
    scale: [...partsOf(scale), ...axesOf(props, SCALES)].join(),
  };
}

/** The props that place something, for messages. */
export const placeProps = (props: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(props).filter(([name]) => PLACING.some((prop) => name.startsWith(prop))),
  );

const PLACING = ['position', 'rotation', 'quaternion', 'scale'];

/** The numbers of a prop. As in fiber, changing a vector in place has no effect. */
function partsOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object') return [value];
  let parts = firstParts.get(value);
  if (parts === undefined) {
    parts = Symbol.iterator in value ? [...(value as Iterable<unknown>)] : [value];
    firstParts.set(value, parts);
  }
  return parts;
}

/** The numbers of vectors when they were first seen. */
const firstParts = new WeakMap<object, readonly unknown[]>();

/** Values of props with names such as `position-x`. */
function axesOf(props: object, names: readonly string[]): readonly unknown[] {
  const values: unknown[] = [];
  for (const name of names) {
    if (name in props) values.push(name, (props as Readonly<Record<string, unknown>>)[name]);
  }
  return values;
}

const POSITIONS = ['position-x', 'position-y', 'position-z'];
const ROTATIONS = ['rotation-x', 'rotation-y', 'rotation-z'];
const SCALES = ['scale-x', 'scale-y', 'scale-z'];

/**
 * Reads a prop of fiber: three numbers, one for all axes, or an object.
 *
 * @param name For the error of a list with something else than numbers. Undefined: it is not checked.
 */
export function vectorOf(value: Vector3Prop, name?: string): Vector {
  if (typeof value === 'number') return { x: value, y: value, z: value };
  if (!Array.isArray(value)) return value as Vector;
  checkNumbers(value, name, 3);
  const [x, y, z] = value as [number, number, number];
  return { x, y, z };
}

/** Like {@link vectorOf}, for four numbers. */
export function rotationOf(value: QuaternionProp, name?: string): Rotation {
  if (!Array.isArray(value)) return value as Rotation;
  checkNumbers(value, name, 4);
  const [x, y, z, w] = value as [number, number, number, number];
  return { x, y, z, w };
}

function checkNumbers(list: readonly unknown[], name: string | undefined, length: number): void {
  if (name === undefined) return;
  for (let at = 0; at < length; at++) finite(`${name}[${at}]`, list[at] as number);
}
