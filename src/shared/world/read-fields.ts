/** Reads records with optional fields. */
import type { Json } from '../util/json.js';
import {
  lowestBit,
  placesIn,
  type FieldKind,
  type FieldTable,
  type FieldValues,
  type FieldsOf,
  type Vector,
} from './fields.js';
import { readShape } from './read-shape.js';
import type { WordReader } from './word-reader.js';

const READERS: { readonly [Kind in FieldKind]: (words: WordReader) => FieldValues[Kind] } = {
  float: (words) => words.float(),
  unsigned: (words) => words.integer(),
  signed: (words) => words.integer() | 0,
  flag: (words) => words.integer() !== 0,
  flags: (words) => {
    const bits = words.integer();
    return [(bits & 1) !== 0, (bits & 2) !== 0, (bits & 4) !== 0];
  },
  vector: readVector,
  rotation: (words) => ({ ...readVector(words), w: words.float() }),
  floats: (words) => words.floats(),
  mass: (words) => ({
    mass: words.float(),
    centerOfMass: readVector(words),
    principalAngularInertia: readVector(words),
    angularInertiaLocalFrame: READERS.rotation(words),
  }),
  shape: (words) => readShape(words),
  text: (words) => words.text(),
  json: (words) => jsonIn(words.text()),
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

/** @throws RangeError if a bit of the mask has no field, or the words end. */
export function readFields<T extends FieldTable>(words: WordReader, table: T): FieldsOf<T> {
  const { names, kinds } = placesIn(table);
  const mask = words.integer();
  if (names.length < 32 && mask >>> names.length !== 0) {
    throw new RangeError('a batch of changes to a world has unknown fields');
  }
  const fields: Record<string, unknown> = {};
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const bit = lowestBit(rest);
    fields[names[bit] as string] = READERS[kinds[bit] as FieldKind](words);
  }
  return fields as FieldsOf<T>;
}
