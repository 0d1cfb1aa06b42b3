/**
 * Batches as bytes. They are sorted: removals first, then the world itself, then each kind of things by handles. So the same
 * changes in another order are the same batch; where the order of calls on one item matters, it has several changes. Numbers are varints unless stated otherwise.
 *
 *     batch      timing (byte), removed, fields of the world, changed, assets
 *     removed    for each kind, the last one first: a list of handles
 *     changed    for each kind: count, then each: handle, 0 if it exists, else 1 + the number of handles that it is made of,
 *                these handles, fields
 *     fields     a mask of those that are there (word), then their values, in the order of a table
 *     vector     three floats; of a body's motion, NaN for a component that is not set
 *     shape      type (byte), flags (byte), sizes, scale if there is one, then vertices and indices; or its parts
 *     geometry   1 + count, numbers; or 0, and its index among the assets
 *     part       translation, rotation, shape
 *     assets     the hash of each, their number (word): see asset.ts
 */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import { ByteReader, ByteReadError, type ByteWriter } from '../../shared/util/bytes.js';
import {
  assetsOfBatch,
  BATCH_ASSET_BYTES,
  writeBatchAssets,
  type AssetName,
} from '../../shared/recording/asset.js';
import type { Json } from '../../shared/util/json.js';
import type { FieldKind, FieldTable, FieldValues, FieldsOf } from './setting-types.js';
import type { GeometryNames, NameGeometry, ShapeData } from './shape-data.js';
import {
  byKind,
  type BatchTiming,
  type Change,
  type StepTiming,
  type WITHIN_TICK,
  type WorldBatch,
} from './world-batch.js';
import { KINDS, KIND_NAMES, WORLD_FIELDS, type Kind, type WorldFields } from './setting-tables.js';

/** Flags of a shape. */
const HAS_SCALE = 1;
const HAS_PARTS = 2;
/** Only a file could nest them: the page refuses a compound shape in another one. */
const MAX_DEPTH = 2;

/** @param nameOf Names the geometry that becomes assets. Default: none does. */
export function writeBatch(
  out: ByteWriter,
  batch: WorldBatch,
  nameOf: NameGeometry = () => undefined,
  timing: BatchTiming | (typeof WITHIN_TICK)[StepTiming] = 0,
): void {
  const assets = new Map<AssetName, number>();
  const assetIndexOf: AssetIndexOf = (numbers) => {
    const name = nameOf(numbers);
    if (name !== undefined && !assets.has(name)) assets.set(name, assets.size);
    return name && assets.get(name);
  };
  out.byte(timing);
  for (const kind of KIND_NAMES.toReversed()) {
    out.varints(batch.removed[kind].toSorted((a, b) => a - b));
  }
  writeFields(out, WORLD_FIELDS, batch.world, assetIndexOf);
  for (const kind of KIND_NAMES) {
    const changes: readonly Change<Kind>[] = batch.changed[kind];
    out.varint(changes.length);
    for (const { handle, parts, fields } of inOrder(changes)) {
      out.varint(handle);
      out.varint(parts === undefined ? 0 : 1 + parts.length);
      for (const part of parts ?? []) out.varint(part);
      writeFields(out, KINDS[kind], fields, assetIndexOf);
    }
  }
  writeBatchAssets(out, [...assets.keys()]);
}

/** Sorts changes by handles. Items are mostly changed in the order in which they were made. */
function inOrder<T extends { readonly handle: number }>(changes: readonly T[]): readonly T[] {
  let last = 0;
  for (const { handle } of changes) {
    if (handle < last) return changes.toSorted((a, b) => a.handle - b.handle);
    last = handle;
  }
  return changes;
}

/** The timing of a batch: a number that may come from a file. */
export const timingOf = (bytes: Uint8Array): number => bytes[0] ?? 0;

/**
 * @param geometry Has the assets that the batch names. Default: there are none.
 * @param isLenient Shapes whose assets are not there are left out.
 * @throws RangeError if it is no batch, or names an asset that is not there: it may come from a file.
 */
export function readBatch(
  bytes: Uint8Array,
  geometry?: GeometryNames,
  isLenient = false,
): WorldBatch {
  try {
    const assets = { names: assetsOfBatch(bytes), geometry, isLenient };
    const reader = new ByteReader(bytes);
    reader.byte();
    const removed = byKind(KIND_NAMES.toReversed(), () => reader.varints());
    const world = readFields(reader, WORLD_FIELDS, assets);
    const changed = byKind(KIND_NAMES, (kind) =>
      Array.from({ length: reader.count(3, 'changes') }, () => ({
        handle: reader.varint(),
        parts: readParts(reader),
        fields: readFields(reader, KINDS[kind], assets),
      })),
    );
    if (reader.left !== 4 + assets.names.length * BATCH_ASSET_BYTES) {
      throw new ByteReadError('it has bytes after its end');
    }
    return { removed, world, changed } as WorldBatch;
  } catch (cause) {
    if (!(cause instanceof ByteReadError)) throw cause;
    throw new RangeError(`a batch of changes to a world cannot be: ${cause.message}`, { cause });
  }
}

/** The fields of the world alone, without looking at the rest. Undefined if it is no batch. */
export function worldFieldsOf(bytes: Uint8Array): WorldFields | undefined {
  try {
    const reader = new ByteReader(bytes);
    reader.byte();
    for (const _ of KIND_NAMES) reader.varints();
    return readFields(reader, WORLD_FIELDS, { names: [], geometry: undefined, isLenient: true });
  } catch (error) {
    if (error instanceof ByteReadError) return undefined;
    throw error;
  }
}

function readParts(reader: ByteReader): number[] | undefined {
  const count = reader.varint();
  if (count === 0) return undefined;
  const parts: number[] = [];
  while (parts.length < count - 1) parts.push(reader.varint());
  return parts;
}

/** The index among a batch's assets of an array that is one. */
type AssetIndexOf = (numbers: Float32Array | Uint32Array) => number | undefined;
interface NamedAssets {
  readonly names: readonly AssetName[];
  readonly geometry: GeometryNames | undefined;
  readonly isLenient: boolean;
}

interface FieldCodec<T> {
  write(out: ByteWriter, value: T, assetIndexOf: AssetIndexOf): void;
  read(reader: ByteReader, assets: NamedAssets): T;
}

const vector: FieldCodec<Readonly<Vector>> = {
  write(out, { x, y, z }) {
    out.float32(x);
    out.float32(y);
    out.float32(z);
  },
  read: (reader) => ({ x: reader.float32(), y: reader.float32(), z: reader.float32() }),
};

const rotation: FieldCodec<Readonly<Rotation>> = {
  write(out, value, assetIndexOf) {
    vector.write(out, value, assetIndexOf);
    out.float32(value.w);
  },
  read: (reader, assets) => ({ ...vector.read(reader, assets), w: reader.float32() }),
};

const shape: FieldCodec<ShapeData> = {
  write(out, { type, sizes, vertices, indices, scale, parts }, assetIndexOf) {
    out.byte(type);
    out.byte((scale === undefined ? 0 : HAS_SCALE) | (parts === undefined ? 0 : HAS_PARTS));
    out.floats(sizes);
    if (scale !== undefined) vector.write(out, scale, assetIndexOf);
    if (parts === undefined) {
      writeGeometry(out, assetIndexOf(vertices), vertices, (number) => out.float32(number));
      writeGeometry(out, assetIndexOf(indices), indices, (number) => out.word(number));
      return;
    }
    out.varint(parts.length);
    for (const part of parts) {
      vector.write(out, part.translation, assetIndexOf);
      rotation.write(out, part.rotation, assetIndexOf);
      shape.write(out, part.shape, assetIndexOf);
    }
  },
  read(reader, assets) {
    const read = readShape(reader, assets, 0);
    try {
      return read();
    } catch (error) {
      if (assets.isLenient) return undefined as never;
      throw error;
    }
  },
};

function writeGeometry(
  out: ByteWriter,
  assetIndex: number | undefined,
  numbers: Float32Array | Uint32Array,
  write: (number: number) => void,
): void {
  out.varint(assetIndex === undefined ? 1 + numbers.length : 0);
  if (assetIndex === undefined) numbers.forEach(write);
  else out.varint(assetIndex);
}

/** @returns Looks up its assets: some may not be there. */
function readShape(reader: ByteReader, assets: NamedAssets, depth: number): () => ShapeData {
  const [type, flags] = [reader.byte(), reader.byte()];
  const sizes = [...reader.floats()];
  const scale = (flags & HAS_SCALE) === 0 ? {} : { scale: vector.read(reader, assets) };
  const read = { type, sizes, ...scale };
  if ((flags & HAS_PARTS) === 0) {
    const vertices = readNumbers(reader, (count) =>
      new Float32Array(count).map(() => reader.float32()),
    );
    const indices = readNumbers(reader, (count) => new Uint32Array(count).map(() => reader.word()));
    return () => ({
      ...read,
      vertices: typeof vertices === 'number' ? assetAt(assets, vertices, 'floats') : vertices,
      indices: typeof indices === 'number' ? assetAt(assets, indices, 'integers') : indices,
    });
  }
  if (depth === MAX_DEPTH) throw new ByteReadError('it has a shape that is nested too deeply');
  const parts = Array.from({ length: reader.count(1, 'parts of a shape') }, () => ({
    translation: vector.read(reader, assets),
    rotation: rotation.read(reader, assets),
    shape: readShape(reader, assets, depth + 1),
  }));
  return () => ({
    ...read,
    vertices: new Float32Array(),
    indices: new Uint32Array(),
    parts: parts.map(({ translation, rotation: turn, shape: made }) => ({
      translation,
      rotation: turn,
      shape: made(),
    })),
  });
}

/** @returns A number: their index among the assets. */
function readNumbers<T>(reader: ByteReader, make: (count: number) => T): T | number {
  const count = reader.varint();
  if (count === 0) return reader.varint();
  if (4 * (count - 1) > reader.left) throw new ByteReadError('it ends in the middle of a shape');
  return make(count - 1);
}

function assetAt<Of extends 'floats' | 'integers'>(
  { names, geometry }: NamedAssets,
  index: number,
  of: Of,
): ReturnType<GeometryNames[Of]> {
  const name = names[index];
  if (name !== undefined && geometry !== undefined) return geometry[of](name) as never;
  throw new ByteReadError('it names an asset, and there are none');
}

const CODECS: { readonly [K in FieldKind]: FieldCodec<FieldValues[K]> } = {
  float: { write: (out, value) => out.float32(value), read: (reader) => reader.float32() },
  unsigned: { write: (out, value) => out.word(value), read: (reader) => reader.word() },
  signed: { write: (out, value) => out.word(value), read: (reader) => reader.word() | 0 },
  flag: { write: (out, value) => out.byte(Number(value)), read: (reader) => reader.byte() !== 0 },
  flags: {
    write: (out, [x, y, z]) => out.byte(Number(x) + 2 * Number(y) + 4 * Number(z)),
    read(reader) {
      const bits = reader.byte();
      return [(bits & 1) !== 0, (bits & 2) !== 0, (bits & 4) !== 0];
    },
  },
  vector,
  rotation,
  floats: { write: (out, values) => out.floats(values), read: (reader) => reader.floats() },
  mass: {
    write(out, value, assetIndexOf) {
      out.float32(value.mass);
      vector.write(out, value.centerOfMass, assetIndexOf);
      vector.write(out, value.principalAngularInertia, assetIndexOf);
      rotation.write(out, value.angularInertiaLocalFrame, assetIndexOf);
    },
    read: (reader, assets) => ({
      mass: reader.float32(),
      centerOfMass: vector.read(reader, assets),
      principalAngularInertia: vector.read(reader, assets),
      angularInertiaLocalFrame: rotation.read(reader, assets),
    }),
  },
  shape,
  text: { write: (out, value) => out.text(value), read: (reader) => reader.text() },
  json: {
    write: (out, value) => out.text(JSON.stringify(value)),
    read(reader) {
      try {
        return JSON.parse(reader.text()) as Json;
      } catch {
        throw new ByteReadError('a text in it is no JSON');
      }
    },
  },
};

/** A table as it is needed for each of thousands of records. */
interface TableCodecs {
  readonly bits: ReadonlyMap<string, number>;
  /** The names of the fields by their bits. */
  readonly names: readonly string[];
  readonly codecs: readonly FieldCodec<unknown>[];
}
const codecsOfTables = new WeakMap<FieldTable, TableCodecs>();

/** The bit of the mask and the codec of each field of a table. */
function codecsOf(table: FieldTable): TableCodecs {
  const known = codecsOfTables.get(table);
  if (known !== undefined) return known;
  const names = Object.keys(table);
  const tableCodecs = {
    bits: new Map(names.map((name, bit) => [name, bit])),
    names,
    codecs: Object.values(table).map((kind) => CODECS[kind] as FieldCodec<unknown>),
  };
  codecsOfTables.set(table, tableCodecs);
  return tableCodecs;
}

const lowestBit = (mask: number): number => 31 - Math.clz32(mask & -mask);

function writeFields<T extends FieldTable>(
  out: ByteWriter,
  table: T,
  fields: FieldsOf<T>,
  assetIndexOf: AssetIndexOf,
): void {
  const values = fields as Readonly<Record<string, unknown>>;
  const { bits, names, codecs } = codecsOf(table);
  let mask = 0;
  // Most records have few of many fields.
  for (const name of Object.keys(values)) {
    const bit = bits.get(name);
    if (bit !== undefined && values[name] !== undefined) mask |= 1 << bit;
  }
  out.word(mask);
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const bit = lowestBit(rest);
    codecs[bit]?.write(out, values[names[bit] as string], assetIndexOf);
  }
}

/** @throws ByteReadError if a bit of the mask has no field, or the bytes end. */
function readFields<T extends FieldTable>(
  reader: ByteReader,
  table: T,
  assets: NamedAssets,
): FieldsOf<T> {
  const { names, codecs } = codecsOf(table);
  const mask = reader.word();
  const fields: Record<string, unknown> = {};
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const bit = lowestBit(rest);
    const codec = codecs[bit];
    if (codec === undefined) throw new ByteReadError('it has unknown fields');
    fields[names[bit] as string] = codec.read(reader, assets);
  }
  return fields as FieldsOf<T>;
}
