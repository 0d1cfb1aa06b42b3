import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AssetName } from '../../../../src/shared/recording/asset.js';
import { batchOf, bytesOfBatch } from '../../../fixtures/recordings.js';
import { GeometryNames } from '../../../../src/world/shared/shape-data.js';
import { byKind, type Change, type WorldBatch } from '../../../../src/world/shared/world-batch.js';
import { readBatch } from '../../../../src/world/shared/batch-codec.js';
import {
  KINDS,
  KIND_NAMES,
  WORLD_FIELDS,
  type Kind,
} from '../../../../src/world/shared/setting-tables.js';

/** A batch has hundreds of values. */
const RUNS = { numRuns: 40 };

const word = fc.nat(0xffff_fffe).map((value) => value + 1);
const float = fc.float({ noNaN: true, noDefaultInfinity: true });
const vector = fc.record({ x: float, y: float, z: float });
const rotation = fc.record({ x: float, y: float, z: float, w: float });
const floats = fc.float32Array({ noNaN: true, noDefaultInfinity: true, maxLength: 12 });
const simpleShape = fc.record(
  {
    type: fc.nat(255),
    sizes: fc.array(float, { maxLength: 6 }),
    vertices: floats,
    indices: fc.uint32Array({ maxLength: 9 }),
    scale: vector,
  },
  { requiredKeys: ['type', 'sizes', 'vertices', 'indices'], noNullPrototype: true },
);
const compoundShape = fc.record(
  {
    type: fc.nat(255),
    sizes: fc.constant([]),
    vertices: fc.constant(new Float32Array()),
    indices: fc.constant(new Uint32Array()),
    parts: fc.array(fc.record({ translation: vector, rotation, shape: simpleShape }), {
      maxLength: 3,
    }),
  },
  { noNullPrototype: true },
);
const VALUES = {
  float,
  unsigned: word,
  signed: fc.integer(),
  flag: fc.boolean(),
  flags: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  vector,
  rotation,
  floats,
  handles: fc.uint32Array({ maxLength: 5 }),
  mass: fc.record({
    mass: float,
    centerOfMass: vector,
    principalAngularInertia: vector,
    angularInertiaLocalFrame: rotation,
  }),
  shape: fc.oneof(simpleShape, compoundShape),
  text: fc.string({ unit: 'binary', maxLength: 9 }),
  // JSON has no negative zero.
  json: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown),
} as const;

const fieldsOf = (table: Readonly<Record<string, keyof typeof VALUES>>) =>
  fc.record(Object.fromEntries(Object.entries(table).map(([name, kind]) => [name, VALUES[kind]])), {
    requiredKeys: [],
  });
const handles = fc.uniqueArray(word, { maxLength: 6 });
const changesOf = (kind: Kind) =>
  fc.uniqueArray(
    fc.record({
      handle: word,
      parts: fc.option(fc.array(word, { maxLength: 3 }), { nil: undefined }),
      fields: fieldsOf(KINDS[kind]),
    }),
    { selector: ({ handle }) => handle, maxLength: 5 },
  );
const batches = fc.record({
  removed: fc.record(byKind(KIND_NAMES, () => handles)),
  world: fieldsOf(WORLD_FIELDS),
  changed: fc.record(byKind(KIND_NAMES, changesOf)),
}) as unknown as fc.Arbitrary<WorldBatch>;

/** The lists of each kind in another order. */
const reordered = (
  { removed, world, changed }: WorldBatch,
  order: <T>(list: readonly T[], handleOf: (item: T) => number) => T[],
): WorldBatch => ({
  removed: byKind(KIND_NAMES, (kind) => order(removed[kind], (handle) => handle)),
  world,
  changed: byKind(KIND_NAMES, (kind) =>
    order<Change<Kind>>(changed[kind], ({ handle }) => handle),
  ) as WorldBatch['changed'],
});
const sorted = (batch: WorldBatch): WorldBatch =>
  reordered(batch, (list, handleOf) => list.toSorted((a, b) => handleOf(a) - handleOf(b)));

/** 0 if the bytes are refused as they should be. */
function itemsIn(bytes: Uint8Array): number {
  try {
    const { removed, changed } = readBatch(bytes);
    const lists = [...Object.values(removed), ...Object.values(changed)];
    return lists.reduce((sum, list) => sum + list.length, 0);
  } catch (error) {
    if (error instanceof RangeError) return 0;
    throw error;
  }
}

test('a batch of changes to a world is read as it was written, sorted, with names of geometry that is an asset', () => {
  const hash = fc.stringMatching(/^[0-9a-f]{16}$/);
  fc.assert(
    fc.property(batches, hash, (batch, digest) => {
      const named = new Map<AssetName, ArrayBuffer>();
      const nameOf = (numbers: Float32Array | Uint32Array): AssetName | undefined => {
        if (numbers.length % 2 === 0) return undefined;
        const name: AssetName = `asset:${digest.slice(4)}${(named.size + 0x1000).toString(16)}`;
        named.set(name, new Uint8Array(numbers.slice().buffer).buffer);
        return name;
      };
      const bytes = bytesOfBatch(batch, nameOf);
      const geometry = new GeometryNames((name) => named.get(name) as ArrayBuffer);
      expect(readBatch(bytes, geometry)).toEqual(sorted(batch));
    }),
    RUNS,
  );
});

test('a batch that names an asset is refused without it', () => {
  const corners = { vertices: new Float32Array(9), indices: new Uint32Array() };
  const shape = { type: 9, sizes: [], ...corners };
  const none = byKind(KIND_NAMES, () => []);
  const collider = [{ handle: 1, parts: [], fields: { shape } }];
  const batch = { removed: none, world: {}, changed: { ...none, collider } } as WorldBatch;
  const bytes = bytesOfBatch(batch, () => 'asset:0123456789abcdef');
  expect(() => readBatch(bytes)).toThrow(/names an asset, and there are none/);
  const { changed } = readBatch(bytes, undefined, true);
  expect(changed.collider).toEqual([{ handle: 1, parts: [], fields: {} }]);
});

test('a batch is the same in whatever order its changes were made', () => {
  fc.assert(
    fc.property(batches, (batch) => {
      const reversed = reordered(batch, (list) => list.toReversed());
      expect(bytesOfBatch(reversed)).toEqual(bytesOfBatch(batch));
    }),
    RUNS,
  );
});

test('a batch that is cut off, or has more, is refused', () => {
  fc.assert(
    fc.property(batches, fc.nat(), (batch, at) => {
      const bytes = bytesOfBatch(batch);
      const cut = bytes.subarray(0, at % bytes.length);
      expect(() => readBatch(cut)).toThrow(RangeError);
      const longer = Uint8Array.of(...bytes.subarray(0, -4), 0, ...bytes.subarray(-4));
      expect(() => readBatch(longer)).toThrow(/after its end/);
    }),
    RUNS,
  );
});

test('a batch of any bytes is read or refused, and takes no more memory than it has bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 240 }), (contents) => {
      const bytes = batchOf(contents, []);
      expect(itemsIn(bytes)).toBeLessThanOrEqual(bytes.length);
    }),
  );
  expect(() => readBatch(new Uint8Array(4).fill(0xff))).toThrow(/ends in the middle/);
});
