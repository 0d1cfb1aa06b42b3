/** Errors in the physics of glTF files say where they are, and nothing is made. */
import { BufferGeometry, Float32BufferAttribute, Group, Object3D, Scene } from 'three';
import { expect, test } from 'vitest';
import { readPhysics } from '../../../src/three/gltf/gltf-file.js';
import { addGltf } from '../../../src/three/index.js';
import {
  box,
  loadModel,
  type NodeJson,
  physicsNode,
  withShapes,
} from '../../fixtures/gltf-models.js';
import { addBody, createWorldForTest } from '../../fixtures/worlds.js';

type Json = Record<string, unknown>;

const VALID = {
  door: {
    motion: {
      inertiaDiagonal: [1, 1, 1],
      inertiaOrientation: [0, 0, 0, 2],
      centerOfMass: [0, 0, 0],
    },
    collider: { geometry: { shape: 0 }, physicsMaterial: 0, collisionFilter: 0 },
    trigger: { geometry: { shape: 1 } },
    joint: { joint: 0, connectedNode: 1 },
  },
  ball: { trigger: { geometry: { shape: 2 } } },
  pair: { trigger: { nodes: [1] } },
  shapes: [{ type: 'sphere' }, { type: 'box', box: { size: [1, 2, 3] } }, { type: 'capsule' }],
  lists: {
    physicsMaterials: [{}],
    physicsJoints: [{}],
    collisionFilters: [{ collisionSystems: ['door'] }],
  },
  file: {},
};

/** Reads a file of which a value is replaced. */
function read(path = '', value?: unknown) {
  const file = structuredClone(VALID);
  const names = path.split('.');
  const last = names.pop() as string;
  const parent = names.reduce((at, name) => (at[name] ??= {}) as Json, file as Json);
  parent[last] = value;
  const nodes = [
    physicsNode(file.door, { name: 'Door' }),
    physicsNode(file.ball),
    physicsNode(file.pair),
  ];
  const json = { nodes, ...withShapes(file.shapes, file.lists), ...file.file };
  const parser = { json, extensions: { KHR_known: {} }, plugins: { EXT_plugin: {} } };
  return [...readPhysics(parser, { nodes: nodes.map(() => new Object3D()), meshes: [] }).values()];
}

const EXTENSION = 'KHR_physics_rigid_bodies';
const DOOR = `node 0 "Door": ${EXTENSION}`;

test('a file without an error is read', () => {
  expect(read()).toHaveLength(3);
});

test.each([
  ['door', null, 'must be an object, but is null'],
  ['door.motion.mass', -1, 'must be a number from 0 to'],
  ['door.motion.mass', null, 'must be a number, but is null'],
  ['door.motion.gravityFactor', 1e39, 'must be a number from -3.4'],
  ['door.motion.inertiaDiagonal.1', -1, 'must be a number from 0 to'],
  ['door.motion.linearVelocity', [1, 2], 'must have 3 numbers, but has 2'],
  ['door.motion.angularVelocity', 1, 'must be an array'],
  ['door.motion.centerOfMass.1', null, 'must be a number, but is null'],
  ['door.motion.isKinematic', 1, 'must be true or false'],
  ['door.collider.geometry', { shape: 0, node: 0 }, 'must have one of shape, node and mesh'],
  ['door.collider.geometry.shape', 3, "an index of the file's 3 shapes, must be a whole number"],
  ['door.collider.geometry.node', 0.5, "an index of the file's 3 nodes, must be a whole number"],
  ['door.collider.geometry.mesh', -1, "an index of the file's 0 meshes, must be a whole number"],
  ['door.collider.physicsMaterial', 1, "an index of the file's 1 physicsMaterials, must be"],
  ['door.trigger.collisionFilter', '0', "an index of the file's 1 collisionFilters, must be"],
  ['door.joint.joint', 1, "an index of the file's 1 physicsJoints, must be"],
  ['door.joint.connectedNode', 3, "an index of the file's 3 nodes, must be"],
  ['shapes.0.type', 'constructor', 'must be one of sphere, box, capsule'],
  ['shapes.0.sphere.radius', -1, 'must be a number from 0'],
  ['shapes.1.box', null, 'must be an object, but is null'],
  ['shapes.1.box.size.1', -1, 'must be a number from 0'],
  ['shapes.2.capsule.radiusTop', -1, 'must be a number from 0'],
  ['lists.physicsMaterials', {}, 'must be an array'],
  ['lists.physicsMaterials.0.dynamicFriction', -1, 'must be a number from 0'],
  ['lists.physicsMaterials.0.restitution', null, 'must be a number, but is null'],
  ['lists.physicsMaterials.0.frictionCombine', '__proto__', 'must be one of average, minimum, max'],
  ['lists.collisionFilters.0.collideWithSystems', 'wall', 'must be an array'],
  ['lists.collisionFilters.0.collisionSystems.0', 1, 'must be a string, but is'],
])('%s cannot be %j', (path, value, message) => {
  const place = path
    .replace('door', DOOR)
    .replace('lists.', '')
    .replaceAll(/\.(\d)/g, '[$1]');
  const separator = message.startsWith('an index') ? ', ' : ' ';
  expect(() => read(path, value)).toThrow(place + separator + message);
});

const systems = (name: string) => ({ collisionSystems: [name], collideWithSystems: [name] });
const LETTERS = [...'abcdefghijklmnop'];

const REQUIRED = ['KHR_known', 'EXT_plugin', EXTENSION, 'KHR_implicit_shapes', 'EXT_other'];

test.each([
  ['lists', null, `${EXTENSION} must be an object, but is null`],
  ['shapes', [], `${DOOR}.collider.geometry.shape, an index of the file's 0 shapes, must be`],
  ['shapes.0.type', 'mesh', "shapes[0].mesh.mesh, an index of the file's 0 meshes, must be"],
  ['door.trigger.nodes', [3], `${DOOR}.trigger.nodes[0], an index of the file's 3 nodes, must be`],
  ['lists.collisionFilters', LETTERS.map(systems), 'collisionFilters has 16 that collide with'],
  ['file.extensionsRequired', REQUIRED, 'this glTF requires the extension EXT_other, which'],
])('an error in another place: %s cannot be %j', (path, value, message) => {
  expect(() => read(path, value)).toThrow(message);
});

test('filters that collide with the same ones share a bit', () => {
  const filters = LETTERS.slice(1).map(systems);
  const nodes = read('lists.collisionFilters', [...filters, ...filters]);
  expect(nodes[0]?.collider?.collisionFilter).toBe(0x18001);
});

const ball = physicsNode({ motion: {}, collider: { geometry: { shape: 0 } } }, { name: 'Ball' });
const hinge = (connectedNode: number) => {
  const physics = { motion: {}, joint: { joint: 0, connectedNode } };
  return physicsNode(physics, { name: 'Hinge', children: [2] });
};
const twoScenes = { scenes: [{ nodes: [0] }, { nodes: [1] }] };
const wall = { name: 'Wall-col' };
const moved = { ...ball, translation: ['x', 0, 0] };

test.each<[message: string, nodes: readonly NodeJson[], rest?: Json]>([
  ['no physics, or its scene that is added has none. Give it some in one', [{}, ball], twoScenes],
  ['node 0 "Hinge": its joint must join two bodies of the scene', [hinge(1), ball, {}], twoScenes],
  ['node 0 "Hinge": its joint must join two bodies of the scene', [hinge(2), ball, {}]],
  ['node 1 "Wall-col": a BufferGeometry has no position', [ball, { ...wall, mesh: 1 }]],
  ['node 1 "Wall-col": a BufferGeometry has no position', [ball, wall]],
  ['node 1 "Ball": translation.x must be finite', [{}, moved]],
  ['3 bodies that may move, but the option capacity is 2: raise', [ball, ball]],
])('nothing is made or hidden: %s', async (message, nodes, rest) => {
  const all = [...nodes, { name: 'Hidden-colonly', mesh: 0 }];
  const empty = new BufferGeometry().setAttribute('position', new Float32BufferAttribute([], 3));
  const gltf = await loadModel({
    json: { nodes: all, ...withShapes([{ type: 'sphere' }], { physicsJoints: [{}] }), ...rest },
    meshes: [[box(1)], [empty]],
  });
  const world = createWorldForTest({ capacity: 2 });
  addBody(world);
  await expect(addGltf(world, gltf)).rejects.toThrow(message);
  expect(world.bodies.len()).toBe(1);
  gltf.scene.traverse(({ layers }) => expect(layers.mask).toBe(1));
});

test('an object that is no clone is an error', async () => {
  const gltf = await loadModel({ json: { nodes: [ball], ...withShapes([{ type: 'sphere' }]) } });
  const add = (object: Object3D) => addGltf(createWorldForTest(), gltf, { object });
  await expect(add(new Scene().add(gltf.scene))).rejects.toThrow(
    'object must be a scene of the glTF, or a clone of gltf.scene',
  );
  await expect(add(new Group())).rejects.toThrow('object must be a scene of the glTF');
});
