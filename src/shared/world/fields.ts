/**
 * Records with optional fields as words: a mask of the fields that are there, then their values, in the order of a table.
 * What can be set is data, so a world sends only what differs, and both sides share one list.
 */
import type { Json } from '../util/json.js';
import { readShape, writeShape, type ShapeData } from './shape-data.js';
import type { WordReader, WordWriter } from './words.js';

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

interface Values {
  float: number;
  unsigned: number;
  signed: number;
  flag: boolean;
  flags: readonly [boolean, boolean, boolean];
  vector: Readonly<Vector>;
  rotation: Readonly<Rotation>;
  floats: ArrayLike<number>;
  handles: ArrayLike<number>;
  mass: MassProperties;
  shape: ShapeData;
  text: string;
  json: Json;
}

/** How a field is written. */
type FieldKind = keyof Values;
/** At most 32, because the mask has that many bits. */
export type FieldTable = Readonly<Record<string, FieldKind>>;

/** The fields of a table that have a value. */
export type FieldsOf<T extends FieldTable> = { -readonly [Name in keyof T]?: Values[T[Name]] };

const CODECS: {
  readonly [Kind in FieldKind]: {
    write(words: WordWriter, value: Values[Kind]): void;
    read(words: WordReader): Values[Kind];
  };
} = {
  float: { write: (words, value) => words.float(value), read: (words) => words.float() },
  unsigned: { write: (words, value) => words.integer(value), read: (words) => words.integer() },
  signed: { write: (words, value) => words.integer(value), read: (words) => words.integer() | 0 },
  flag: {
    write: (words, value) => words.integer(Number(value)),
    read: (words) => words.integer() !== 0,
  },
  flags: {
    write: (words, [x, y, z]) => words.integer(Number(x) + 2 * Number(y) + 4 * Number(z)),
    read: (words) => {
      const bits = words.integer();
      return [(bits & 1) !== 0, (bits & 2) !== 0, (bits & 4) !== 0];
    },
  },
  vector: {
    write: (words, { x, y, z }) => {
      words.float(x);
      words.float(y);
      words.float(z);
    },
    read: readVector,
  },
  rotation: {
    write: (words, { x, y, z, w }) => {
      words.float(x);
      words.float(y);
      words.float(z);
      words.float(w);
    },
    read: (words) => ({ ...readVector(words), w: words.float() }),
  },
  floats: { write: (words, values) => words.floats(values), read: (words) => words.floats() },
  handles: { write: (words, values) => words.integers(values), read: (words) => words.integers() },
  mass: {
    write: (words, { mass, centerOfMass, principalAngularInertia, angularInertiaLocalFrame }) => {
      words.float(mass);
      CODECS.vector.write(words, centerOfMass);
      CODECS.vector.write(words, principalAngularInertia);
      CODECS.rotation.write(words, angularInertiaLocalFrame);
    },
    read: (words) => ({
      mass: words.float(),
      centerOfMass: readVector(words),
      principalAngularInertia: readVector(words),
      angularInertiaLocalFrame: CODECS.rotation.read(words),
    }),
  },
  shape: { write: writeShape, read: (words) => readShape(words) },
  text: { write: (words, value) => words.text(value), read: (words) => words.text() },
  json: {
    write: (words, value) => words.text(JSON.stringify(value)),
    read: (words) => jsonIn(words.text()),
  },
};

function jsonIn(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    throw new RangeError('a batch of changes to a world has JSON that is damaged', { cause });
  }
}

function readVector(words: WordReader): Vector {
  return { x: words.float(), y: words.float(), z: words.float() };
}

interface Codec {
  write(words: WordWriter, value: unknown): void;
  read(words: WordReader): unknown;
}

/** A table as it is needed for each of thousands of records. */
interface Layout {
  readonly bits: ReadonlyMap<string, number>;
  /** By their bits. */
  readonly names: readonly string[];
  readonly codecs: readonly Codec[];
}
const layouts = new WeakMap<FieldTable, Layout>();

function layoutOf(table: FieldTable): Layout {
  const known = layouts.get(table);
  if (known !== undefined) return known;
  const names = Object.keys(table);
  const layout = {
    bits: new Map(names.map((name, bit) => [name, bit])),
    names,
    codecs: Object.values(table).map((kind) => CODECS[kind] as Codec),
  };
  layouts.set(table, layout);
  return layout;
}

const lowestBit = (mask: number): number => 31 - Math.clz32(mask & -mask);

export function writeFields<T extends FieldTable>(
  words: WordWriter,
  table: T,
  fields: FieldsOf<T>,
): void {
  const values = fields as Readonly<Record<string, unknown>>;
  const { bits, names, codecs } = layoutOf(table);
  let mask = 0;
  // Most records have few of many fields.
  for (const name of Object.keys(values)) {
    const bit = bits.get(name);
    if (bit !== undefined && values[name] !== undefined) mask |= 1 << bit;
  }
  words.integer(mask);
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const bit = lowestBit(rest);
    codecs[bit]?.write(words, values[names[bit] as string]);
  }
}

/** @throws RangeError if a bit of the mask has no field, or the words end. */
export function readFields<T extends FieldTable>(words: WordReader, table: T): FieldsOf<T> {
  const { names, codecs } = layoutOf(table);
  const mask = words.integer();
  if (names.length < 32 && mask >>> names.length !== 0) {
    throw new RangeError('a batch of changes to a world has unknown fields');
  }
  const fields: Record<string, unknown> = {};
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const bit = lowestBit(rest);
    fields[names[bit] as string] = codecs[bit]?.read(words);
  }
  return fields as FieldsOf<T>;
}
