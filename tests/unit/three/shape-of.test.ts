/** Which collider a geometry becomes. */
import type { Vector } from '../../../src/shared/util/vectors.js';
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  DodecahedronGeometry,
  EdgesGeometry,
  Group,
  IcosahedronGeometry,
  Mesh,
  PlaneGeometry,
  SphereGeometry,
  TorusGeometry,
} from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { expect, test } from 'vitest';
import { shapeOf, type ShapeKind } from '../../../src/three/index.js';
import { fieldsOfCollider } from '../../../src/world/page/collider-desc.js';
import { ShapeType } from '../../../src/world/page/index.js';

const NAMES = Object.fromEntries(Object.entries(ShapeType).map(([name, type]) => [type, name]));

/** Name and sizes, to 6 digits. */
function shape(source: BufferGeometry | Mesh, kind?: ShapeKind, scale?: Vector): unknown[] {
  const data = fieldsOfCollider(shapeOf(source, kind, scale)).shape;
  return [NAMES[data?.type ?? -1], ...(data?.sizes ?? []).map((size) => Number(size.toFixed(6)))];
}

test.each<[name: string, geometry: BufferGeometry, expected: unknown[]]>([
  ['a box', new BoxGeometry(1, 2, 3), ['Cuboid', 0.5, 1, 1.5]],
  ['a rounded box', new RoundedBoxGeometry(1, 2, 3, 4, 0.2), ['RoundCuboid', 0.3, 0.8, 1.3, 0.2]],
  ['a sphere', new SphereGeometry(0.7), ['Ball', 0.7]],
  ['a coarse sphere', new SphereGeometry(0.7, 5, 3), ['Ball', 0.7]],
  ['an icosahedron', new IcosahedronGeometry(0.7, 2), ['Ball', 0.7]],
  ['a capsule', new CapsuleGeometry(0.3, 2), ['Capsule', 1, 0.3]],
  ['a capsule without a cylinder', new CapsuleGeometry(0.3, 0), ['Ball', 0.3]],
  ['a cylinder', new CylinderGeometry(0.4, 0.4, 3), ['Cylinder', 1.5, 0.4]],
  ['an open cylinder', new CylinderGeometry(1, 1, 1, 8, 1, true), ['Cylinder', 0.5, 1]],
  ['a cylinder that ends in a point', new CylinderGeometry(0, 0.4, 3), ['Cone', 1.5, 0.4]],
  ['a cone', new ConeGeometry(0.4, 3), ['Cone', 1.5, 0.4]],
  ['a cut cone', new CylinderGeometry(0.2, 0.4, 3), ['ConvexPolyhedron']],
  ['a cone upside down', new CylinderGeometry(0.4, 0, 3), ['ConvexPolyhedron']],
  ['half a sphere', new SphereGeometry(1, 16, 8, 0, Math.PI), ['ConvexPolyhedron']],
  ['a dodecahedron', new DodecahedronGeometry(1), ['ConvexPolyhedron']],
  ['a torus', new TorusGeometry(1, 0.3), ['TriMesh']],
  ['a plane', new PlaneGeometry(1, 1), ['TriMesh']],
  ['another geometry', new BufferGeometry().copy(new BoxGeometry()), ['TriMesh']],
])('the type and the parameters choose the shape of %s', (_name, geometry, expected) => {
  expect(shape(geometry)).toEqual(expected);
});

const EVEN = { x: 2, y: -2, z: 2 };
const TALL = { x: 2, y: 3, z: 2 };

test.each<[geometry: BufferGeometry, scale: Vector, expected: unknown[]]>([
  [new BoxGeometry(1, 1, 1), { x: 2, y: -3, z: 4 }, ['Cuboid', 1, 1.5, 2]],
  [new SphereGeometry(1), EVEN, ['Ball', 2]],
  [new SphereGeometry(1), TALL, ['ConvexPolyhedron']],
  [new CylinderGeometry(), TALL, ['Cylinder', 1.5, 2]],
  [new CylinderGeometry(), { x: 1, y: 1, z: 2 }, ['ConvexPolyhedron']],
  [new CapsuleGeometry(), EVEN, ['Capsule', 1, 2]],
  [new CapsuleGeometry(), TALL, ['ConvexPolyhedron']],
  [new ConeGeometry(), EVEN, ['ConvexPolyhedron']],
  [new RoundedBoxGeometry(), { x: 2, y: 2, z: 2 }, ['RoundCuboid', 0.8, 0.8, 0.8, 0.2]],
])('a shape has the scale that is given, as far as it can: $type', (geometry, scale, expected) => {
  expect(shape(geometry, undefined, scale)).toEqual(expected);
});

test('a mesh has the scale that it has in its scene', () => {
  const mesh = new Mesh(new BoxGeometry());
  new Group().add(mesh).scale.set(2, 4, 6);
  expect(shape(mesh)).toEqual(['Cuboid', 1, 2, 3]);
});

test.each([
  ['moved', new BoxGeometry().translate(0, 1, 0)],
  ['turned', new CylinderGeometry(0.5, 0.5, 3).rotateX(Math.PI / 2)],
  ['stretched', new SphereGeometry().scale(1, 2, 1)],
  ['moved, a sphere', new SphereGeometry().translate(0, 0.5, 0)],
  ['moved, a capsule', new CapsuleGeometry().translate(0, 0, 0.5)],
])('a solid that was %s after its creation becomes its hull', (_name, geometry) => {
  expect(shape(geometry)).toEqual(['ConvexPolyhedron']);
});

const moved = new BoxGeometry(2, 4, 4).translate(5, 0, 0);

test('a shape of a chosen kind is around the center of the geometry', () => {
  for (const [kind, expected] of [
    ['cuboid', ['Cuboid', 1, 2, 2]],
    ['ball', ['Ball', 3]],
  ] as const) {
    expect(shape(moved, kind)).toEqual(expected);
    expect(fieldsOfCollider(shapeOf(moved, kind)).translation).toEqual({ x: 5, y: 0, z: 0 });
  }
  expect(shape(moved, 'hull')).toEqual(['ConvexPolyhedron']);
  expect(shape(moved, 'trimesh')).toEqual(['TriMesh']);
  expect(shape(new PlaneGeometry(2, 2), 'cuboid')).toEqual(['Cuboid', 1, 1, 0.001414]);
});

const point = (): BufferGeometry =>
  new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(9), 3));
const lessThanTriangle = () =>
  Object.assign(new BoxGeometry(), { drawRange: { start: 0, count: 2 } });
const noPoint = () => new BoxGeometry().setIndex([0, 1, 24]);
const BOX = new BoxGeometry();

test.each<[string, BufferGeometry, ShapeKind | undefined, RegExp, Vector?]>([
  ['a geometry without points', new BufferGeometry(), undefined, /no position attribute/],
  ['lines', new EdgesGeometry(BOX), undefined, /EdgesGeometry is made of lines: choose .*'hull'/],
  ['the hull of a plane', new PlaneGeometry(), 'hull', /no such .*volume.*'cuboid' or 'trimesh'/],
  ['a ball of a point', point(), 'ball', /no size/],
  ['a cuboid of a point', point(), 'cuboid', /no size/],
  ['less than a triangle', lessThanTriangle(), undefined, /nothing of a BoxGeometry is drawn/],
  ['an index without a point', noPoint(), 'cuboid', /index 2 .* is 24, but it has 24 points/],
  [
    'a point that is not finite',
    new BoxGeometry().scale(1, Infinity, 1),
    'ball',
    /point 0 of a BoxGeometry is \(0\.5, Infinity, 0\.5\)/,
  ],
  ['an unknown kind', BOX, 'box' as ShapeKind, /one of ball, cuboid, .*pieces, but is "box"/],
  ['a scale of 0', BOX, undefined, /scale\.y of a BoxGeometry is 0/, { x: 1, y: 0, z: 1 }],
])('%s has no shape, and the error says what to do', (_name, geometry, kind, message, scale) => {
  expect(() => shapeOf(geometry, kind, scale)).toThrow(message);
});
