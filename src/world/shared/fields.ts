/** Records with optional fields. What can be set is data, so a world sends only what differs, and both sides share one list. */
import type { Json } from '../../shared/util/json.js';
import type { ShapeData } from './shape-data.js';

export type { ShapeData } from './shape-data.js';

/** A vector. */
export interface Vector {
  /** In m, in m/s, or in the unit of what it is a vector of. */
  x: number;
  /** As x. */
  y: number;
  /** As x. */
  z: number;
}

/** A rotation, as a unit quaternion. */
export interface Rotation {
  /** The i component, −1 to 1. */
  x: number;
  /** As x: the j component. */
  y: number;
  /** As x: the k component. */
  z: number;
  /** As x: the real part. */
  w: number;
}

/** A mass with its distribution. */
export interface MassProperties {
  /** In kg. */
  readonly mass: number;
  readonly centerOfMass: Readonly<Vector>;
  /** In kg m², about the axes of the frame. */
  readonly principalAngularInertia: Readonly<Vector>;
  readonly angularInertiaLocalFrame: Readonly<Rotation>;
}

/** What a field of each kind has. */
export interface FieldValues {
  float: number;
  unsigned: number;
  signed: number;
  flag: boolean;
  flags: readonly [boolean, boolean, boolean];
  vector: Readonly<Vector>;
  rotation: Readonly<Rotation>;
  floats: ArrayLike<number>;
  mass: MassProperties;
  shape: ShapeData;
  text: string;
  json: Json;
}

/** How a field is written. */
export type FieldKind = keyof FieldValues;
/** At most 32, because the mask has that many bits. */
export type FieldTable = Readonly<Record<string, FieldKind>>;

/** The fields of a table that have a value. */
export type FieldsOf<T extends FieldTable> = { -readonly [Name in keyof T]?: FieldValues[T[Name]] };
