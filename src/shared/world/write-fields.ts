/** Writes records with optional fields. */
import {
  lowestBit,
  placesIn,
  type FieldKind,
  type FieldTable,
  type FieldValues,
  type FieldsOf,
} from './fields.js';
import type { WordWriter } from './word-writer.js';
import { writeShape } from './write-shape.js';

const WRITERS: {
  readonly [Kind in FieldKind]: (words: WordWriter, value: FieldValues[Kind]) => void;
} = {
  float: (words, value) => words.float(value),
  unsigned: (words, value) => words.integer(value),
  signed: (words, value) => words.integer(value),
  flag: (words, value) => words.integer(Number(value)),
  flags: (words, [x, y, z]) => words.integer(Number(x) + 2 * Number(y) + 4 * Number(z)),
  vector: (words, { x, y, z }) => {
    words.float(x);
    words.float(y);
    words.float(z);
  },
  rotation: (words, { x, y, z, w }) => {
    words.float(x);
    words.float(y);
    words.float(z);
    words.float(w);
  },
  floats: (words, values) => words.floats(values),
  mass: (words, { mass, centerOfMass, principalAngularInertia, angularInertiaLocalFrame }) => {
    words.float(mass);
    WRITERS.vector(words, centerOfMass);
    WRITERS.vector(words, principalAngularInertia);
    WRITERS.rotation(words, angularInertiaLocalFrame);
  },
  shape: writeShape,
  text: (words, value) => words.text(value),
  json: (words, value) => words.text(JSON.stringify(value)),
};

export function writeFields<T extends FieldTable>(
  words: WordWriter,
  table: T,
  fields: FieldsOf<T>,
): void {
  const values = fields as Readonly<Record<string, unknown>>;
  const { bits, names, kinds } = placesIn(table);
  let mask = 0;
  // Most records have few of many fields.
  for (const name of Object.keys(values)) {
    const bit = bits.get(name);
    if (bit !== undefined && values[name] !== undefined) mask |= 1 << bit;
  }
  words.integer(mask);
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const bit = lowestBit(rest);
    const write = WRITERS[kinds[bit] as FieldKind] as (words: WordWriter, value: unknown) => void;
    write(words, values[names[bit] as string]);
  }
}
