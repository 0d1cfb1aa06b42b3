import { expect, test } from 'vitest';
import { assetName } from '../../../../src/shared/index.js';
import type { ShapeData } from '../../../../src/world/shared/shape-data.js';
import { loadRapier } from '../../../../src/rapier/rapier.js';
import { HeldAssets } from '../../../../src/sim-worker/api/assets.js';
import { WorldShapes } from '../../../../src/world/worker/world-shapes.js';
import { cloud } from '../../../fixtures/world-shapes.js';

const points = cloud(40);
const name = assetName(points);
const assets = new HeldAssets([{ name, bytes: new Uint8Array(points.buffer) }]);
const NO_INDICES = new Uint32Array();

test('the hull of an asset is computed for its first collider, for each scale', async () => {
  const rapier = await loadRapier();
  const shapes = new WorldShapes(rapier, assets);
  const world = new rapier.World({ x: 0, y: 0, z: 0 });
  const type = rapier.ShapeType.ConvexPolyhedron;
  const vertices = shapes.geometry.floats(name);
  const hull: ShapeData = { type, sizes: [], vertices, indices: NO_INDICES };
  const scaled: ShapeData = { ...hull, scale: { x: 1, y: 2, z: -1 } };
  let computed = 0;
  const cornersOf = (shape: ShapeData): string => {
    const desc = shapes.describe(shape);
    // Without triangles, the engine computes them.
    if ((desc.shape as InstanceType<typeof rapier.ConvexPolyhedron>).indices === null) computed++;
    const collider = world.createCollider(desc);
    return `${collider.vertices().join()} ${collider.indices()?.join()} ${collider.mass()}`;
  };
  const [first, ...later] = [hull, hull, hull].map(cornersOf);
  expect(later).toEqual([first, first]);
  expect(computed).toBe(1);
  const [ofScaled, ...laterOfScaled] = [scaled, scaled, hull].map(cornersOf);
  expect(laterOfScaled).toEqual([ofScaled, first]);
  expect(ofScaled).not.toBe(first);
  expect(computed).toBe(2);
  // Points that are no asset may be those of one collider only.
  cornersOf({ ...hull, vertices: points });
  cornersOf({ ...hull, vertices: points });
  expect(computed).toBe(4);
  world.free();
});
