/** Physics of glTF files: names of nodes and the extension, as bodies of a world. */
import { Scene } from 'three';
import { expect, test } from 'vitest';
import { addGltf } from '../../../src/three/index.js';
import { advance, createWorldForTest, draw, shows } from '../../fixtures/worlds.js';
import { box, loadModel, physicsNode, withShapes } from '../../fixtures/gltf-models.js';

test('a box with a name falls onto a floor with another', async () => {
  const gltf = await loadModel({
    json: {
      nodes: [
        { name: 'Floor-col', mesh: 0 },
        { name: 'Crate-rigid', mesh: 1, translation: [0, 2, 0] },
        physicsNode(
          { motion: { mass: 3 }, collider: { geometry: { shape: 0 } } },
          { name: 'Ball', translation: [3, 2, 0] },
        ),
      ],
      ...withShapes([{ type: 'sphere', sphere: { radius: 0.5 } }]),
    },
    meshes: [[box(10, 1, 10)], [box(1)]],
  });
  new Scene().add(gltf.scene);
  const world = createWorldForTest();
  const level = await addGltf(world, gltf);
  await advance(world, 120);
  await shows(world, () => expect(level.bodies.get('Crate')?.translation().y).toBeCloseTo(1, 2));
  level.update(draw(world));
  expect([...level.bodies.keys()]).toEqual(['Floor', 'Crate', 'Ball']);
  expect(gltf.scene.getObjectByName('Crate-rigid')?.position.y).toBeCloseTo(1, 2);
});
