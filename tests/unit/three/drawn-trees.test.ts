/** Whatever parents, bones and instances make of meshes: their shapes collide as three.js draws them. */
import fc from 'fast-check';
import * as THREE from 'three';
import { expect, inject, onTestFinished, test } from 'vitest';
import { meshPhysics } from '../../../src/three/index.js';
import { decomposed, isInstanced, matrixInScene } from '../../../src/three/scene-space.js';
import { shapeOf, type ShapeKind } from '../../../src/three/shape-of.js';
import type { Collider } from '../../../src/world/page/index.js';
import {
  CHANGE_VALUES,
  DrawnTree,
  drawings,
  isFlat,
  KINDS,
  MESH_CHANGES,
  treeNodes,
} from '../../fixtures/drawn-trees.js';
import { expectBelow, expectSame } from '../../fixtures/quick-checks.js';
import { colliderError } from '../../fixtures/shape-error.js';
import { stepsOf, take } from '../../fixtures/walk.js';
import { nextFrameMs, warningsOfTest, worldOptions } from '../../fixtures/worlds.js';

/** Instances have their own bodies, which a scale of their mesh would have to move. */
const CHANGES: typeof MESH_CHANGES = {
  ...MESH_CHANGES,
  'scales a mesh': (tree, n, { to }) => {
    const mesh = tree.mesh(n);
    if (mesh !== undefined && !isInstanced(mesh)) mesh.scale.fromArray(to.scale);
  },
};

const isThorough = inject('isThorough') ?? false;

test('what is below a parent that is flat is flat itself', () => {
  const parent = new THREE.Group();
  parent.scale.set(0, 1, 1);
  const cube = new THREE.Mesh(new THREE.BoxGeometry());
  cube.rotation.z = Math.PI / 4;
  new THREE.Scene().add(parent.add(cube));
  expect(decomposed(matrixInScene(cube)).scale.toArray()).toEqual([0, 0, 0]);
  expect(() => shapeOf(cube, 'hull')).toThrow('a scale other than 0');
});

function check(meshes: readonly THREE.Mesh[], kind: ShapeKind | undefined): void {
  for (const mesh of meshes) {
    const { collider } = mesh.userData['physics'] as { collider: Collider | Collider[] };
    const enabled = [collider].flat().filter((each) => each.isEnabled());
    const drawn = drawings(mesh);
    // A collider stays as it was if there is no hull.
    if ((kind ?? 'hull') === 'hull' && isFlat(drawn[0] ?? [])) continue;
    expectSame(enabled.length, drawn.length);
    for (const [index, drawing] of drawn.entries()) {
      // Points far from the origin of a small mesh are rounded to floats.
      expectBelow(colliderError(enabled[index] as Collider, drawing), 1e-3);
    }
  }
}

test('meshes that are added collide as they are drawn, whatever their tree is and code changes of them', async () => {
  // Warnings of drawn trees have tests.
  warningsOfTest();
  const physics = await meshPhysics(worldOptions());
  onTestFinished(() => physics.dispose());
  const { world } = physics;
  const steps = { minLength: 0, maxLength: 8, max: 4096, more: CHANGE_VALUES };
  const property = fc.asyncProperty(
    treeNodes,
    fc.constantFrom(undefined, ...KINDS),
    stepsOf(CHANGES, steps),
    async (nodes, kind, changes) => {
      const tree = new DrawnTree(nodes, [new THREE.Scene()]);
      try {
        for (const mesh of tree.meshes) physics.addMesh(mesh, 0, 0, kind);
        check(tree.meshes, kind);
        for (const change of changes) take(CHANGES, tree, change);
        // A pose is read once in a turn of the page.
        await Promise.resolve();
        physics.update(nextFrameMs(1));
        check(tree.meshes, kind);
      } finally {
        for (const mesh of tree.meshes) physics.removeMesh(mesh);
      }
    },
  );
  await fc.assert(property, { numRuns: isThorough ? 200 : 40 });
  expect(world.bodies.len()).toBe(0);
});
