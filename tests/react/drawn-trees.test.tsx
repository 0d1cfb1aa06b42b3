/** Whatever code makes of the meshes in bodies, they collide as three.js draws them. */
import fc from 'fast-check';
import type * as THREE from 'three';
import { expect, inject, test } from 'vitest';
import { RigidBody } from '../../src/react/index.js';
import {
  CHANGE_VALUES,
  DrawnTree,
  drawings,
  hideFlat,
  KINDS,
  treeNodes,
  TREE_CHANGES,
} from '../fixtures/drawn-trees.js';
import { expectBelow, expectSame } from '../fixtures/quick-checks.js';
import { colliderError } from '../fixtures/shape-error.js';
import { stepsOf, walk } from '../fixtures/walk.js';
import { warningsOfTest } from '../fixtures/worlds.js';
import { runScene } from './run-scene.js';

const isThorough = inject('isThorough') ?? false;

/** Parents of bodies: none, or one that mirrors them. */
const AROUND = [
  {},
  { scale: [-1.5, -1.5, -1.5], rotation: [0.3, 0.2, 0.1], position: [1, 2, 3] },
] as const;

const BODIES = AROUND.flatMap((around, index) =>
  KINDS.map((kind) => ({ kind, around, name: `${kind} ${index}` })),
);

test('meshes collide as they are drawn, whatever code changes of their tree', async () => {
  // Warnings of drawn trees have tests.
  warningsOfTest();
  const scene = await runScene(
    BODIES.map(({ kind, around, name }) => (
      <group key={name} {...around}>
        <RigidBody type="fixed" colliders={kind} name={name} rotation={[0, 1, 0]} />
      </group>
    )),
  );
  const { bodies, colliders } = scene.world;
  const roots = BODIES.map(({ name }) => scene.object(name));
  const all = bodies.getAll();

  const check = (tree: DrawnTree): void => {
    let count = 0;
    const meshes = tree.meshes.filter((mesh) => tree.rootOf(mesh) !== undefined);
    for (const mesh of meshes) {
      const body = all[roots.indexOf(tree.rootOf(mesh) as THREE.Object3D)];
      const own = colliders.getAll().filter((collider) => collider.parent() === body);
      for (const drawing of drawings(mesh)) {
        count += 1;
        // Points far from the origin of a small mesh are rounded to floats.
        expectBelow(Math.min(...own.map((collider) => colliderError(collider, drawing))), 1e-3);
      }
    }
    expectSame(colliders.len(), count);
  };

  const operations = { ...TREE_CHANGES, 'draws a frame': [4, () => scene.frame()] as const };
  const steps = { minLength: 0, maxLength: 12, max: 4096, more: CHANGE_VALUES };
  const property = fc.asyncProperty(
    treeNodes,
    stepsOf(operations, steps),
    async (nodes, changes) => {
      const tree = new DrawnTree(nodes, roots);
      try {
        await scene.frame();
        check(tree);
        await walk(operations, tree, changes, async (_, outcome) => {
          hideFlat(tree.meshes.filter((mesh) => tree.rootOf(mesh)?.name.startsWith('hull')));
          await outcome;
        });
        // Colliders follow what has moved when it is at rest.
        for (let frames = 0; frames < 3; frames++) await scene.frame();
        check(tree);
      } finally {
        tree.remove();
        await scene.frame();
      }
    },
  );
  await fc.assert(property, { numRuns: isThorough ? 200 : 40 });
  expect(colliders.len()).toBe(0);
});
