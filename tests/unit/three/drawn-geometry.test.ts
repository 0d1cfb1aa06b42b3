/** Which points of a mesh are drawn: its shape has these and no others. */
import * as THREE from 'three';
import { expect, test } from 'vitest';
import { drawnBy } from '../../../src/three/drawn-geometry.js';
import { shapeOfDrawn, type ShapeKind } from '../../../src/three/shape-of.js';
import { fieldsOfCollider } from '../../../src/world/page/collider-desc.js';
import { ORIGIN } from '../../../src/world/shared/setting-tables.js';
import { scaled, type ShapeData } from '../../../src/world/shared/shape-data.js';
import { present } from '../../fixtures/present.js';

const { BoxGeometry, BufferAttribute, BufferGeometry, Mesh } = THREE;

const material = new THREE.MeshBasicMaterial();

/** A cube of 2 m at the origin, and one 10 m away along x, without an index if that is asked for. */
function twoCubes(): THREE.BufferGeometry {
  const near = new BoxGeometry(2, 2, 2);
  const points = [...(near.attributes['position']?.array ?? [])];
  const positions = [...points, ...points.map((value, at) => (at % 3 === 0 ? value + 10 : value))];
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
  const corners = [...(near.index?.array ?? [])];
  return geometry.setIndex([...corners, ...corners.map((corner) => corner + 24)]);
}

/** Draws the first cube, unless the range is another one. */
function ranged(geometry: THREE.BufferGeometry, count = 36): THREE.Mesh {
  geometry.setDrawRange(0, count);
  return new Mesh(geometry);
}
const numbers = (): Float32Array => twoCubes().attributes['position']?.array as Float32Array;

/**
 * Meshes of which the cube at the origin is drawn and nothing else. The trees of `drawn-trees.test.ts` have other draw ranges,
 * groups and indices.
 */
const NEAR: Readonly<Record<string, () => THREE.Mesh>> = {
  'a draw range of points without an index': () => ranged(twoCubes().toNonIndexed()),
  'a draw range that ends within a triangle': () => ranged(twoCubes(), 38),
  'groups, of which others have no material or an invisible one': () => {
    const invisible = Object.assign(material.clone(), { visible: false });
    const geometry = twoCubes();
    for (const [group, index] of [1, 1, 0, 5].entries()) geometry.addGroup(18 * group, 18, index);
    return new Mesh(geometry, [invisible, material]);
  },
  'points that are not finite where no index has them': () => {
    const position = new BufferAttribute(numbers().fill(Number.NaN, 72), 3);
    const geometry = twoCubes().setAttribute('position', position);
    return ranged(geometry.setIndex([...(geometry.index?.array ?? [])].slice(0, 36)));
  },
  'interleaved numbers': () => {
    const mixed = new Float32Array(5 * 48).fill(99);
    for (let at = 0; at < 48; at++) mixed.set(numbers().subarray(3 * at, 3 * at + 3), 5 * at);
    const buffer = new THREE.InterleavedBuffer(mixed, 5);
    const position = new THREE.InterleavedBufferAttribute(buffer, 3, 0);
    return ranged(twoCubes().setAttribute('position', position));
  },
};

const SCALES = [
  [1, 1, 1],
  [2, 2, 2],
  [-1, 2, 3],
] as const;

const rounded = (values: readonly number[]): number[] =>
  values.map((value) => Number(value.toFixed(3)) + 0);

/** Lowest and highest coordinates, or the sizes of a shape without points. */
function extentsOf({ sizes, vertices, scale }: ShapeData): number[] {
  if (vertices.length === 0) return rounded(sizes);
  const points = scaled(vertices, scale);
  const axes = [0, 1, 2].map((axis) => points.filter((_, at) => at % 3 === axis));
  return rounded([...axes.map((all) => Math.min(...all)), ...axes.map((all) => Math.max(...all))]);
}

test.each<[ShapeKind, (half: readonly number[]) => readonly number[]]>([
  ['cuboid', (half) => half],
  ['ball', (half) => [Math.hypot(...half)]],
  ['hull', (half) => [...half.map((size) => -size), ...half]],
  ['trimesh', (half) => [...half.map((size) => -size), ...half]],
])('a %s has the points that are drawn and no others', (kind, expected) => {
  for (const [name, make] of Object.entries(NEAR)) {
    for (const [x, y, z] of SCALES) {
      const mesh = make();
      const desc = shapeOfDrawn(mesh, drawnBy(mesh), kind, { scale: new THREE.Vector3(x, y, z) });
      const { shape, translation = ORIGIN } = fieldsOfCollider(desc);
      const half = [Math.abs(x), y, z];
      expect([name, extentsOf(present(shape)), rounded(Object.values(translation))]).toEqual([
        name,
        rounded(expected(half)),
        [0, 0, 0],
      ]);
    }
  }
});

test('what is read of a geometry stays whole when the mesh that it was read for gets groups', async () => {
  const geometry = twoCubes();
  geometry.addGroup(0, 36, 0);
  const [first, second] = [new Mesh(geometry, material), new Mesh(geometry, material)];
  const { length } = drawnBy(first).triangles().points;
  Object.assign(first, { material: [material] });
  // The triangles are read again in another turn.
  await Promise.resolve();
  expect(drawnBy(second).triangles().points).toHaveLength(length);
});
