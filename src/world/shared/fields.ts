/** Records with optional fields. What can be set is data, so a world sends only what differs, and both sides share one list. */
import type { Json } from '../../shared/util/json.js';
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import type { ShapeData } from './shape-data.js';

export type { ShapeData } from './shape-data.js';

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
