/** Physics of a glTF file that the engine cannot do: each has one warning, and without it there is none. */
import { Scene } from 'three';
import { expect, test } from 'vitest';
import { addGltf } from '../../src/three/index.js';
import {
  box,
  type GltfModel,
  loadModel,
  type NodeJson,
  physicsNode,
  withShapes,
} from '../fixtures/gltf-models.js';
import { createWorldForTest, warningsOfTest } from '../fixtures/worlds.js';

type Json = Readonly<Record<string, unknown>>;

/** Nodes with colliders: of shapes, or of physics that is given. */
const modelOf = (nodes: readonly Json[], materials: readonly Json[] = []): GltfModel => ({
  json: {
    nodes: nodes.map((physics, at) => physicsNode(physics, { name: `N${at}` })),
    ...withShapes(
      [
        { type: 'sphere', sphere: {} },
        { type: 'mesh', mesh: { mesh: 0 } },
        { type: 'convexMesh', convexMesh: { mesh: 0 } },
      ],
      { physicsMaterials: materials },
    ),
  },
  meshes: [[box(1)]],
});
const shape = (index: number, more?: Json): Json => ({
  collider: { geometry: { shape: index }, ...more },
});
const made = (...materials: readonly Json[]): GltfModel =>
  modelOf(
    materials.map((_, at) => shape(0, { physicsMaterial: at })),
    materials,
  );
const moving = (motion: Json, index = 0): GltfModel => modelOf([{ motion, ...shape(index) }]);
const inParent = (...scale: readonly number[]): GltfModel => {
  const { json, ...rest } = moving({});
  const nodes = [...(json.nodes as readonly NodeJson[]), { name: 'Parent', scale, children: [0] }];
  return { ...rest, json: { ...json, nodes } };
};

const WARNINGS: Readonly<Record<string, readonly [GltfModel, RegExp, GltfModel]>> = {
  'two frictions': [
    made({ staticFriction: 0.9, dynamicFriction: 0.3 }),
    /N0": the engine cannot tell static from dynamic friction: the dynamic one counts/,
    made({ staticFriction: 0.3, dynamicFriction: 0.3 }),
  ],
  'rules that rank otherwise': [
    made({ frictionCombine: 'maximum' }, { frictionCombine: 'minimum' }),
    /N1": the engine cannot rank frictionCombine and restitutionCombine as glTF does/,
    made({ frictionCombine: 'maximum' }, { frictionCombine: 'maximum' }),
  ],
  'hollow triangles that move': [
    moving({}, 1),
    /N0": the engine cannot fill triangles that move.*convexHull.*-convcol/,
    moving({ isKinematic: true }, 1),
  ],
  'a parent that stretches what moves': [
    inParent(1, 2, 1),
    /a parent of the Object3D "N0" is not the same along all axes/,
    inParent(2, 2, 2),
  ],
};

async function add(model: GltfModel): Promise<void> {
  const gltf = await loadModel(model);
  new Scene().add(gltf.scene);
  // Drawn by nothing, which would be warned of later, too.
  (await addGltf(createWorldForTest({ transport: 'local' }), gltf)).remove();
}

test.each(Object.entries(WARNINGS))('%s', async (_, [given, warning, cure]) => {
  const warnings = warningsOfTest();
  await add(cure);
  expect(warnings()).toEqual([]);
  await add(given);
  await add(given);
  expect(warnings()).toEqual([expect.stringMatching(warning)]);
});
