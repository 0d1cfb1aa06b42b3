/** Lines of shapes, compared with the engine's own shapes. */
import { expect, test } from 'vitest';
import { outlineOf } from '../../../src/three/collider-outline.js';
import { fieldsOfCollider } from '../../../src/world/page/collider-desc.js';
import { ColliderDesc, ShapeType } from '../../../src/world/page/index.js';
import type { ShapeData } from '../../../src/world/shared/shape-data.js';
import { loadRapier } from '../../../src/rapier/rapier.js';
import { HeldAssets } from '../../../src/sim-worker/api/assets.js';
import { WorldShapes } from '../../../src/world/worker/world-shapes.js';

const rapier = await loadRapier();
const shapes = new WorldShapes(rapier, new HeldAssets());

const CORNERS = [-1, 1].flatMap((x) =>
  [-2, 2].flatMap((y) => [-0.5, 0.5].flatMap((z) => [x, y, z])),
);
const at = (x: number, y: number, z: number) => ({ x, y, z });
const UPRIGHT = { ...at(0, 0, 0), w: 1 };
const HILLS = Array.from({ length: 12 }, (_, index) => Math.sin(index * 1.7));
const TRIANGLES = ColliderDesc.trimesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1], [0, 1, 2, 2, 1, 3]);

test.each<[name: string, desc: ColliderDesc]>([
  ['a ball', ColliderDesc.ball(0.7)],
  ['a cuboid', ColliderDesc.cuboid(1, 2, 3)],
  ['a round cuboid', ColliderDesc.roundCuboid(1, 2, 3, 0.4)],
  ['a capsule', ColliderDesc.capsule(1, 0.5)],
  ['a cylinder', ColliderDesc.cylinder(1, 0.5)],
  ['a round cylinder', ColliderDesc.roundCylinder(1, 0.5, 0.2)],
  ['a cone', ColliderDesc.cone(1, 0.5)],
  ['a round cone', ColliderDesc.roundCone(1, 0.5, 0.2)],
  ['a hull', ColliderDesc.convexHull(CORNERS)],
  ['a round hull', ColliderDesc.roundConvexHull(CORNERS, 0.3)],
  ['triangles', TRIANGLES],
  ['segments', ColliderDesc.polyline([0, 0, 0, 1, 0, 0, 1, 2, 0])],
  ['chosen segments', ColliderDesc.polyline([0, 0, 0, 1, 0, 0, 1, 2, 0], [0, 2])],
  ['a segment', ColliderDesc.segment(at(0, 1, 0), at(2, 0, 1))],
  ['a triangle', ColliderDesc.triangle(at(0, 1, 0), at(2, 0, 1), at(1, 1, 4))],
  ['a scaled hull', ColliderDesc.convexHull(CORNERS).setShapeScale(at(2, 0.5, -1))],
  ['voxels', ColliderDesc.voxels(Int32Array.of(0, 0, 0, 1, 0, 0), at(1, 0.5, 2))],
  [
    'a compound',
    ColliderDesc.compound(
      [ColliderDesc.cuboid(1, 2, 3).shape, ColliderDesc.ball(0.5).shape],
      [at(1, 0, 0), at(-4, 1, 0)],
      [{ ...at(0, 0, Math.SQRT1_2), w: Math.SQRT1_2 }, UPRIGHT],
    ),
  ],
  ['a terrain', ColliderDesc.heightfield(3, 2, HILLS, at(4, 2, 6))],
])('the lines of %s are on its surface, and reach its ends', (_name, desc) => {
  const shape = fieldsOfCollider(desc).shape as ShapeData;
  const world = new rapier.World(at(0, 0, 0));
  const collider = world.createCollider(shapes.describe(shape));
  const lines = outlineOf(shape);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length % 6).toBe(0);
  const [low, high] = [Infinity, -Infinity].map((end) => [end, end, end]) as [number[], number[]];
  let farthest = 0;
  for (let index = 0; index < lines.length; index += 3) {
    const [x = 0, y = 0, z = 0] = lines.subarray(index, index + 3);
    const nearest = collider.projectPoint({ x, y, z }, false)?.point;
    const { x: toX, y: toY, z: toZ } = nearest ?? at(Infinity, 0, 0);
    // The engine's search stops near the surface of a round shape.
    farthest = Math.max(farthest, Math.hypot(x - toX, y - toY, z - toZ));
    for (const [axis, value] of [x, y, z].entries()) {
      low[axis] = Math.min(low[axis] ?? 0, value);
      high[axis] = Math.max(high[axis] ?? 0, value);
    }
  }
  expect(farthest).toBeLessThan(0.01);
  // A plate from outside meets the shape where the lines end. Of a terrain, the engine does not say so.
  for (const axis of shape.type === ShapeType.HeightField ? [] : [0, 1, 2]) {
    for (const [sign, ends] of [
      [-1, low],
      [1, high],
    ] as const) {
      const plate = new rapier.Cuboid(8, 8, 8);
      const overlaps = (gap: number): boolean => {
        const [x = 0, y = 0, z = 0] = [0, 0, 0].with(axis, (ends[axis] ?? 0) + sign * (8 + gap));
        return collider.intersectsShape(plate, at(x, y, z), UPRIGHT);
      };
      expect([axis, sign, overlaps(-0.05), overlaps(0.05)]).toEqual([axis, sign, true, false]);
    }
  }
  world.free();
});

test('a terrain is as large as it is scaled', () => {
  const desc = ColliderDesc.heightfield(3, 2, HILLS, at(4, 2, 6));
  const lines = outlineOf(fieldsOfCollider(desc).shape as ShapeData);
  const [x, , z] = [0, 1, 2].map((axis) =>
    Math.max(...lines.filter((_, index) => index % 3 === axis)),
  );
  expect([x, z]).toEqual([2, 3]);
});

const segments = (desc: ColliderDesc): number =>
  outlineOf(fieldsOfCollider(desc).shape as ShapeData).length / 6;

test('each edge of a solid is drawn once, and none within a flat side', () => {
  expect(segments(ColliderDesc.cuboid(1, 1, 1))).toBe(12);
  expect(segments(ColliderDesc.convexHull(CORNERS))).toBe(12);
  expect(segments(TRIANGLES)).toBe(5);
  expect(segments(ColliderDesc.heightfield(3, 2, HILLS, at(1, 1, 1)))).toBe(3 * 3 + 4 * 2);
});
