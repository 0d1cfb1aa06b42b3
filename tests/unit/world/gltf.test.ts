/** Physics of glTF files: names of nodes and the extension, as bodies of a world. Values are those of the specification. */
import { AnimationMixer, Group, IcosahedronGeometry, type Object3D, Scene, Vector3 } from 'three';
import * as SkeletonUtils from 'three/addons/utils/SkeletonUtils.js';
import { expect, test } from 'vitest';
import { type AddGltfOptions, addGltf } from '../../../src/three/index.js';
import {
  CoefficientCombineRule,
  type Collider,
  Ray,
  type RigidBody,
  RigidBodyDesc,
  ShapeType,
  type Vector,
  type WorldOptions,
} from '../../../src/world/page/index.js';
import { eventually } from '../../fixtures/eventually.js';
import {
  box,
  type GltfModel,
  loadModel,
  type NodeJson,
  physicsNode,
  skinned,
  withShapes,
} from '../../fixtures/gltf-models.js';
import { piecesWorkers } from '../../fixtures/pieces-workers.js';
import { present } from '../../fixtures/present.js';
import {
  RECORDED,
  addBody,
  advance,
  countBatches,
  createWorldForTest,
  draw,
  expectReplay,
} from '../../fixtures/worlds.js';

const { Average, Min, Max, Multiply } = CoefficientCombineRule;

type Json = Readonly<Record<string, unknown>>;

/** Adds a file to a new world, and runs a tick. */
async function start(model: GltfModel, options: WorldOptions = {}, more: AddGltfOptions = {}) {
  const gltf = await loadModel(model);
  const scene = new Scene().add(gltf.scene);
  const world = createWorldForTest(options);
  const level = await addGltf(world, gltf, more);
  await advance(world, 1);
  const bodyOf = (name: string) => present(level.bodies.get(name));
  return { gltf, scene, world, level, bodyOf };
}

const QUERIES: WorldOptions = { queries: true };
const sphere = (radius = 0.5): Json => ({ type: 'sphere', sphere: { radius } });
const round = (type: string, radiusBottom: number, radiusTop: number, height = 0.5): Json => ({
  type,
  [type]: { height, radiusBottom, radiusTop },
});
/** Of the shapes of a file, by index. */
const SHAPES: readonly Json[] = [
  sphere(),
  { type: 'box', box: { size: [1, 1, 1] } },
  round('capsule', 0.25, 0.25),
  round('cylinder', 0.25, 0.25),
  round('capsule', 0.5, 0.25),
  round('cylinder', 0.5, 0.25),
  { type: 'plane' },
];
const shape = (index: number): Json => ({ geometry: { shape: index } });

test('every kind of shape rests on every other one', async () => {
  const hull = { geometry: { mesh: 0, convexHull: true } };
  const solids = [...[0, 1, 2, 3, 4, 5].map(shape), hull];
  const lower = [...solids, { geometry: { mesh: 1 } }];
  const nodes = lower.flatMap((below, row) =>
    solids.flatMap((above, column) => {
      const at = (y: number) => ({ translation: [row * 8, y, column * 8] });
      const motion = row < solids.length ? { motion: { mass: 1 } } : {};
      return [
        physicsNode({ ...motion, collider: below }, { name: `Lower_${row}_${column}`, ...at(0.6) }),
        physicsNode(
          { motion: { mass: 1 }, collider: above },
          { name: `Upper_${row}_${column}`, ...at(1.8) },
        ),
      ];
    }),
  );
  const ground = physicsNode({ collider: shape(6) }, { name: 'Ground' });
  const { world, level } = await start({
    json: { nodes: [ground, ...nodes], ...withShapes(SHAPES) },
    meshes: [[new IcosahedronGeometry(0.5)], [box(1, 0.4, 1)]],
  });
  await advance(world, 600);
  const isLow = ([name]: readonly [string, { translation(): { y: number } }]) =>
    name !== 'Ground' && present(level.bodies.get(name)).translation().y < 0.2;
  expect([...level.bodies].filter(isLow).map(([name]) => name)).toEqual([]);
  expect(level.bodies.size).toBe(2 * 56 + 1);
});

/** How far a collider reaches from a point along both directions of each axis. */
function reach(collider: Collider, from: { x: number; y: number; z: number }): number[] {
  return (['x', 'y', 'z'] as const).flatMap((axis) =>
    [1, -1].map((sign) => {
      const origin = { ...from, [axis]: from[axis] + 5 * sign };
      const ray = new Ray(origin, { x: 0, y: 0, z: 0, [axis]: -sign });
      const toi = collider.castRay(ray, 100, true);
      return toi < 0 ? Number.NaN : Math.round((5 - toi) * 1000) / 1000;
    }),
  );
}

const collides = (geometry: Json, rest: NodeJson = {}): NodeJson =>
  physicsNode({ collider: { geometry } }, rest);
/** Nodes, of which the first has a collider, and how far that reaches: a number for each axis, or for each direction. */
type Sizes = readonly [nodesAt: (own: number) => readonly NodeJson[], reach: readonly number[]];
const one =
  (node: NodeJson): Sizes[0] =>
  () => [node];
const MISSED = Number.NaN;
const FLAT = [MISSED, MISSED, 0, 0, MISSED, MISSED];
const NOTHING = [MISSED, MISSED, MISSED];
/** A plane in a body that is elsewhere. */
const planeAt =
  (x: number, z: number): Sizes[0] =>
  (own) => [
    physicsNode({ motion: { isKinematic: true } }, { children: [own + 1] }),
    collides({ shape: 9 }, { translation: [x, 0, z] }),
  ];

/** Meshes: a box of 1 m; two boxes at x = -1 and 1; a box whose points are those of a joint. */
const MESHES = [
  [box(1)],
  [box(1).translate(-1, 0, 0), box(1).translate(1, 0, 0)],
  [skinned(box(1))],
];

const SIZES: Readonly<Record<string, Sizes>> = {
  'a sphere': [one(collides({ shape: 0 })), [0.5, 0.5, 0.5]],
  'a sphere that is stretched': [one(collides({ shape: 0 }, { scale: [1, 2, 3] })), [0.5, 1, 1.5]],
  'a sphere in a mirror': [one(collides({ shape: 0 }, { scale: [2, -2, 2] })), [1, 1, 1]],
  'a box by its whole size, of which the sign of a scale does not count': [
    one(collides({ shape: 1 }, { scale: [1, -2, 3] })),
    [0.5, 1, 1.5],
  ],
  'a capsule by the height between its balls': [one(collides({ shape: 2 })), [0.25, 0.5, 0.25]],
  'a cylinder by its whole height': [one(collides({ shape: 3 })), [0.25, 0.25, 0.25]],
  'a capsule with two radii: the hull of two balls': [
    one(collides({ shape: 4 })),
    [0.433, 0.433, 0.5, 0.75, 0.433, 0.433],
  ],
  'a capsule with one ball in the other': [
    one(collides({ shape: 7 })),
    [0.487, 0.487, 0.4, 0.6, 0.487, 0.487],
  ],
  'a cylinder with two radii': [one(collides({ shape: 5 })), [0.375, 0.25, 0.375]],
  'a cone upside down': [one(collides({ shape: 8 })), [0.25, 0.25, 0.25]],
  'a plane without an end, whatever its scale': [
    one(collides({ shape: 6 }, { scale: [2, 2, 2] })),
    // Rays along it and from below begin in it.
    [5, 5, 0, 5, 5, 5],
  ],
  'a plane of 2 m along x and 4 m along z': [planeAt(-0.99, 1.99), FLAT],
  'beyond its end along x': [planeAt(1.01, 0), NOTHING],
  'beyond its end along z': [planeAt(0, 2.01), NOTHING],
  'a mesh of a shape of glTF 2.1': [one(collides({ shape: 10 })), [0.5, 0.5, 0.5]],
  'the hull of a mesh of a shape of glTF 2.1': [one(collides({ shape: 11 })), [1.5, 0.5, 0.5]],
  'a mesh, without the nodes below one that has it': [
    (own) => [
      collides({ mesh: 3 }, { mesh: 3, children: [own + 1] }),
      { mesh: 3, translation: [0, 3, 0] },
    ],
    [1, 1, 1],
  ],
  'a node with those below it': [
    (own) => [
      collides({ node: own, convexHull: true }, { mesh: 0, children: [own + 1] }),
      { mesh: 0, translation: [0, 3, 0] },
    ],
    [0.5, 0.5, 3.5, 0.5, 0.5, 0.5],
  ],
  'one hull over all primitives of a node': [
    (own) => [collides({ node: own, convexHull: true }, { mesh: 1, scale: [2, 1, 1] })],
    [3, 0.5, 0.5],
  ],
  'triangles of all primitives of a node': [
    (own) => [collides({ node: own }, { mesh: 1 })],
    [1.5, 1.5, MISSED, MISSED, MISSED, MISSED],
  ],
  'a node elsewhere, in the space of the collider': [
    (own) => [collides({ node: own + 1 }), { mesh: 0, translation: [3, 3, 3], scale: [9, 9, 9] }],
    [0.5, 0.5, 0.5],
  ],
  'a mesh as its skin deforms it': [
    (own) => [
      collides({ node: own }, { mesh: 2, skin: 0, children: [own + 1] }),
      { name: 'Joint', translation: [0, 1, 0] },
    ],
    [MISSED, MISSED, 1.5, -0.5, MISSED, MISSED],
  ],
  'nothing, with a scale of 0': [one(collides({ shape: 0 }, { scale: [0, 0, 0] })), []],
  'triangles by a name': [one({ name: 'A-col', mesh: 0 }), [0.5, 0.5, 0.5]],
};

test('colliders have the sizes of the file', async () => {
  const nodes: NodeJson[] = [];
  const owns = Object.values(SIZES).map(([nodesAt], at) => {
    const own = nodes.length;
    const [node, ...rest] = nodesAt(own) as [NodeJson, ...NodeJson[]];
    nodes.push({ name: `N${own}`, ...node, translation: [20 * at, 0, 0] }, ...rest);
    return own;
  });
  const { level } = await start(
    {
      json: {
        nodes,
        skins: [{ joints: [nodes.findIndex(({ name }) => name === 'Joint')] }],
        ...withShapes([
          ...SHAPES,
          round('capsule', 0.5, 0.1, 0.2),
          round('cylinder', 0, 0.5),
          { type: 'plane', plane: { sizeX: 2, sizeZ: 4 } },
          { type: 'mesh', mesh: { mesh: 0 } },
          { type: 'convexMesh', convexMesh: { mesh: 1 } },
        ]),
      },
      meshes: [...MESHES, [box(2)]],
    },
    QUERIES,
  );
  const found = owns.map((own) => {
    const body = present(level.bodies.get(`N${own}`) ?? level.bodies.get('A'));
    return body.numColliders() === 0 ? [] : reach(body.collider(0), body.translation());
  });
  const expected = Object.values(SIZES).map(([, sizes]) =>
    sizes.length === 3 ? sizes.flatMap((size) => [size, size]) : sizes,
  );
  const byName = (all: readonly (readonly number[])[]) =>
    Object.fromEntries(Object.keys(SIZES).map((name, at) => [name, all[at]]));
  expect(byName(found)).toEqual(byName(expected));
});

const list = ({ x, y, z }: Vector): number[] =>
  [x, y, z].map((value) => Number(value.toFixed(2)) + 0);
const massOf = (body: RigidBody) => [
  Number(body.mass().toFixed(3)),
  list(body.localCom()),
  list(body.principalInertia()),
];
const placeOf = (body: RigidBody) => list(body.translation()).slice(0, 2);
/** From where a body falls in a second. */
const FALLEN = -4.93;
/** A quarter of a turn that turns x into y. */
const TURNED = [0, 0, Math.SQRT1_2, Math.SQRT1_2];

/** A motion, what a second of it shows, and that. Its node has a box of 1 m, unless nodes are given. */
type Motion = readonly [
  motion: Json,
  shown: (body: RigidBody) => unknown,
  value: unknown,
  nodesAt?: (own: number) => readonly [own: NodeJson, ...below: NodeJson[]],
];
const physicsOf = ({ extensions }: NodeJson): Json =>
  (extensions as { KHR_physics_rigid_bodies?: Json } | undefined)?.KHR_physics_rigid_bodies ?? {};
const below =
  (...nodes: readonly NodeJson[]): NonNullable<Motion[3]> =>
  (own) => [{ children: nodes.map((_, at) => own + 1 + at) }, ...nodes];
const balls = below(
  collides({ shape: 0 }, { translation: [1, 0, 0] }),
  collides({ shape: 0 }, { translation: [-1, 0, 0] }),
);

const MOTIONS: Readonly<Record<string, Motion>> = {
  'without a mass, it has that of its volume': [{}, massOf, [1, [0, 0, 0], [0.17, 0.17, 0.17]]],
  'with a mass, it has the inertia of its shape': [{ mass: 6 }, massOf, [6, [0, 0, 0], [1, 1, 1]]],
  'the mass is that of all colliders': [
    { mass: 3 },
    massOf,
    [3, [0, 0, 0], [0.3, 3.3, 3.3]],
    balls,
  ],
  'triangles have the mass of what they enclose': [
    { mass: 6 },
    massOf,
    [6, [0, 0, 0], [1, 1, 1]],
    (own) => [{ mesh: 0, ...collides({ node: own }) }],
  ],
  'a mass of 0 is infinite: nothing moves it, and it does not fall': [
    { mass: 0, linearVelocity: [2, 0, 0] },
    (body) => [placeOf(body), body.invMass(), list(body.invPrincipalInertia())],
    [[2, 0], 0, [0, 0, 0]],
  ],
  'an inertia of 0 is infinite': [
    { mass: 2, inertiaDiagonal: [4, 0, 4] },
    (body) => [body.mass(), list(body.invPrincipalInertia())],
    [2, [0.25, 0, 0.25]],
  ],
  'axes of the inertia may be turned': [
    { mass: 2, inertiaDiagonal: [1, 2, 3], inertiaOrientation: TURNED },
    (body) => Array.from(body.effectiveAngularInertia().elements, (each) => Math.round(each) + 0),
    [2, 0, 0, 1, 0, 3],
  ],
  'an inertia without a center of mass is about that of the colliders': [
    { mass: 2, inertiaDiagonal: [1, 2, 3] },
    massOf,
    [2, [1, 0, 0], [1, 2, 3]],
    below(collides({ shape: 0 }, { translation: [1, 0, 0] })),
  ],
  'a center of mass is scaled, and has the inertia of a box': [
    { mass: 3, centerOfMass: [0, 1, 0] },
    massOf,
    [3, [0, 2, 0], [14, 2, 14]],
    () => [collides({ shape: 1 }, { scale: [2, 2, 2] })],
  ],
  'velocities are in the space of the node': [
    { gravityFactor: 0, linearVelocity: [1, 0, 0], angularVelocity: [0, 2, 0] },
    (body) => [placeOf(body), list(body.angvel())],
    [
      [0, 1],
      [-2, 0, 0],
    ],
    () => [collides({ shape: 0 }, { rotation: TURNED })],
  ],
  'what is kinematic has a constant velocity': [
    { isKinematic: true, linearVelocity: [0, 3, 0] },
    placeOf,
    [0, 3],
  ],
  'what is kinematic turns about its center of mass': [
    { isKinematic: true, centerOfMass: [1, 0, 0], angularVelocity: [0, 0, Math.PI] },
    placeOf,
    [2, 0],
  ],
  'a factor of gravity': [{ gravityFactor: 0.5 }, placeOf, [0, -2.46]],
  'what is below it with a motion of its own moves by itself': [
    { mass: 0 },
    (body) => [placeOf(body), body.numColliders()],
    [[0, 0], 1],
    below(
      collides({ shape: 1 }),
      physicsNode(
        { motion: { mass: 1 }, collider: shape(0) },
        { name: 'Own', translation: [0, -5, 0] },
      ),
    ),
  ],
  'colliders belong to the nearest node with a motion': [
    {},
    (body) => [placeOf(body), body.numColliders()],
    [[0, FALLEN], 2],
    balls,
  ],
};

test('bodies move as the file says', async () => {
  const nodes: NodeJson[] = [];
  for (const [at, [motion, , , nodesAt]] of Object.values(MOTIONS).entries()) {
    const [node, ...rest] = nodesAt?.(nodes.length) ?? [collides({ shape: 1 })];
    const own = physicsNode({ ...physicsOf(node), motion }, { ...node, name: `N${at}` });
    nodes.push({ ...own, translation: [0, 0, 40 * at] }, ...rest);
  }
  const model = { json: { nodes, ...withShapes(SHAPES) }, meshes: MESHES };
  const { level, world, bodyOf } = await start(model, QUERIES);
  await advance(world, 59);
  const shown = () =>
    Object.entries(MOTIONS).map(([name, [, show]], at) => [name, show(bodyOf(`N${at}`))]);
  const expected = Object.entries(MOTIONS).map(([name, [, , value]]) => [name, value]);
  expect(Object.fromEntries(shown())).toEqual(Object.fromEntries(expected));
  expect(level.bodies.get('Own')?.translation().y).toBeCloseTo(FALLEN - 5, 1);
});

test('bodies follow the animations of their nodes, which are drawn where their bodies are', async () => {
  const moves = { times: [0, 1], values: [0, 0, 0, 1, 0, 0] };
  const { level, world, gltf, scene, bodyOf } = await start(
    {
      json: {
        nodes: [
          { name: 'Parent', scale: [2, 2, 2], rotation: TURNED, children: [1, 3] },
          collides({ shape: 1 }, { name: 'Platform', children: [2] }),
          collides({ shape: 1 }, { name: 'Rotor', translation: [0, 1, 0] }),
          physicsNode({ motion: { mass: 1 }, collider: shape(0) }, { name: 'Lift' }),
        ],
        ...withShapes(SHAPES),
      },
      animations: [
        { node: 1, path: 'translation', ...moves },
        { node: 3, path: 'translation', ...moves },
        { node: 2, path: 'rotation', times: [0, 1], values: [0, 0, 0, 1, ...TURNED] },
      ],
    },
    RECORDED,
  );
  const mixer = new AnimationMixer(gltf.scene);
  for (const clip of gltf.animations) mixer.clipAction(clip).play();
  const drawn = (name: string) => {
    scene.updateMatrixWorld();
    return list(present(scene.getObjectByName(name)).getWorldPosition(new Vector3()));
  };
  const bodies = () => ['Platform', 'Rotor', 'Lift'].map((name) => placeOf(bodyOf(name)));
  const at = async (time: number, ticks: number) => {
    mixer.setTime(time);
    level.update(draw(world));
    if (ticks > 0) await advance(world, ticks);
    level.update(draw(world));
    return bodies();
  };
  // Back, before a tick has shown anything of it.
  await at(0.9, 0);
  expect(drawn('Platform')).toEqual([0, 0, 0]);
  expect(await at(0, 1)).toEqual([
    [0, 0],
    [-2, 0],
    [0, 0],
  ]);
  for (let step = 1; step <= 5; step++) await at(step / 10, 1);
  const half = [
    [0, 1],
    [-2, 1],
    [0, 1],
  ];
  expect(bodies()).toEqual(half);
  expect(['Platform', 'Rotor', 'Lift'].map((name) => drawn(name).slice(0, 2))).toEqual(half);
  expect(bodyOf('Rotor').rotation().w).toBeCloseTo(Math.cos((3 / 4 / 2) * Math.PI), 3);
  // It stands still: nothing is sent.
  const batches = await countBatches(world);
  await at(0.5, 2);
  expect(bodies()).toEqual(half);
  expect(await countBatches(world)).toBe(batches);
  await expectReplay(world, 9);
  // A jump of the run puts them where they were.
  await (await world.ready).seek(3);
  await eventually(async () => expect(await at(0.5, 1)).toEqual(half));
  world.removeRigidBody(bodyOf('Lift'));
  await at(0.8, 1);
  expect(placeOf(bodyOf('Platform'))).toEqual([0, 1.6]);
  level.remove();
  expect(drawn('Platform')).toEqual([0, 1.6, 0]);
});

const systems = (...collisionSystems: string[]) => ({ collisionSystems });
const only = (...collideWithSystems: string[]) => ({ collideWithSystems });
const not = (...notCollideWithSystems: string[]) => ({ notCollideWithSystems });
/** Filters of a ball and of what it falls onto, and whether they collide. */
const FILTERS: Readonly<Record<string, readonly [Json | undefined, Json | undefined, boolean]>> = {
  'without filters': [undefined, undefined, true],
  'one that the other collides with': [systems('a'), only('a'), true],
  'one that is not among those that the other collides with': [systems('a'), only('x'), false],
  'one that the other does not collide with': [systems('a'), not('a'), false],
  'one that is not among those that the other does not collide with': [
    systems('a'),
    not('x'),
    true,
  ],
  'tested from the other side, too': [not('b'), systems('b'), false],
  'some of its systems are not enough': [systems('a', 'b'), only('a'), false],
  'all of its systems are': [systems('a', 'b'), only('a', 'b', 'c'), true],
  'some of its systems do not matter': [systems('a', 'b'), not('a'), true],
  'all of its systems do': [systems('a', 'b'), not('a', 'b', 'c'), false],
  'without systems, with one that collides with some only': [undefined, only('x'), true],
};

test('filters tell what collides', async () => {
  const all = Object.values(FILTERS).flatMap(([above, under]) => [above, under]);
  const filters = [...new Set(all.flatMap((each) => (each ? [JSON.stringify(each)] : [])))];
  const collider = (index: number, filter: Json | undefined): Json => ({
    ...shape(index),
    ...(filter && { collisionFilter: filters.indexOf(JSON.stringify(filter)) }),
  });
  const nodes = Object.entries(FILTERS).flatMap(([, [above, under]], at) => [
    physicsNode({ collider: collider(1, under) }, { translation: [5 * at, 0, 0] }),
    physicsNode(
      { motion: {}, collider: collider(0, above) },
      { name: `N${at}`, translation: [5 * at, 1, 0] },
    ),
  ]);
  const lists = { collisionFilters: filters.map((text) => JSON.parse(text) as Json) };
  const { world, bodyOf } = await start({ json: { nodes, ...withShapes(SHAPES, lists) } });
  await advance(world, 59);
  const found = Object.keys(FILTERS).map((name, at) => [
    name,
    bodyOf(`N${at}`).translation().y > 0,
  ]);
  expect(found).toEqual(Object.entries(FILTERS).map(([name, [, , collide]]) => [name, collide]));
});

test('colliders have the materials of the file', async () => {
  const materials = [
    {},
    {
      staticFriction: 0.9,
      dynamicFriction: 0.3,
      restitution: 0.8,
      frictionCombine: 'minimum',
      restitutionCombine: 'multiply',
    },
    { frictionCombine: 'maximum', restitutionCombine: 'average' },
  ];
  const nodes = materials.map((_, at) =>
    physicsNode({ collider: { ...shape(0), physicsMaterial: at } }, { name: `N${at}` }),
  );
  const { bodyOf } = await start({
    json: { nodes, ...withShapes(SHAPES, { physicsMaterials: materials }) },
  });
  const found = materials.map((_, at) => {
    const collider = bodyOf(`N${at}`).collider(0);
    return [
      collider.friction(),
      collider.restitution(),
      collider.frictionCombineRule(),
      collider.restitutionCombineRule(),
    ];
  });
  expect(found).toEqual([
    [0.6, 0, Average, Average],
    [0.3, 0.8, Min, Multiply],
    [0.6, 0, Max, Average],
  ]);
});

test('sensors notice what comes, and hold up nothing', async () => {
  const trigger = (y: number, name: string) =>
    physicsNode({ trigger: shape(1) }, { name, translation: [0, y, 0] });
  const { world, level } = await start({
    json: {
      nodes: [
        trigger(0, 'Goal'),
        physicsNode({ trigger: { nodes: [2, 3] } }, { name: 'Both', children: [2, 3] }),
        trigger(5, 'Upper'),
        trigger(-5, 'Lower'),
        physicsNode({ motion: {}, collider: shape(0) }, { name: 'Ball', translation: [0, 2, 0] }),
      ],
      ...withShapes(SHAPES),
    },
  });
  expect(level.sensors.get('Both')).toEqual(
    [level.sensors.get('Upper'), level.sensors.get('Lower')].flat(),
  );
  expect([...level.bodies.keys()]).toEqual(['Goal', 'Upper', 'Lower', 'Ball']);
  const events: unknown[] = [];
  const nameOf = (collider: Collider | undefined) =>
    [...level.sensors].find(([, all]) => collider && all.includes(collider))?.[0];
  world.on('collision', ({ collider1, collider2, started }) => {
    events.push([nameOf(collider1) ?? nameOf(collider2), started]);
  });
  // As a character is.
  const walker = addBody(world, [3, 5, 0], undefined, RigidBodyDesc.kinematicPositionBased());
  await advance(world, 1);
  walker.setNextKinematicTranslation({ x: 0, y: 5, z: 0 });
  await advance(world, 90);
  expect(events).toEqual([
    ['Upper', true],
    ['Goal', true],
    ['Goal', false],
    ['Lower', true],
    ['Lower', false],
  ]);
});

const { TriMesh, ConvexPolyhedron, Ball, Compound } = ShapeType;

test('names of nodes say what they are', async () => {
  /** Nodes with a box, and the name, the shape and the type of the body; whether it is drawn. */
  const named: readonly (readonly [
    name: string,
    body: string,
    ShapeType,
    isMoving: boolean,
    isDrawn: boolean,
  ])[] = [
    ['A-col', 'A', TriMesh, false, true],
    ['B-convcol', 'B', ConvexPolyhedron, false, true],
    ['C-colonly', 'C', TriMesh, false, false],
    ['D-convcolonly', 'D', ConvexPolyhedron, false, false],
    ['E-rigid', 'E', ConvexPolyhedron, true, true],
    ['F_col', 'F', TriMesh, false, true],
    ['G$COL', 'G', TriMesh, false, true],
    ['H-col.001', 'H001', TriMesh, false, true],
    ['I-pieces-rigid', 'I', Compound, true, true],
    ['J-rigid-convcolonly', 'J', ConvexPolyhedron, true, false],
    ['K-col', 'K', TriMesh, false, true],
    ['K-col', 'K_1', TriMesh, false, true],
    ['Protocol', '', Ball, false, true],
  ];
  const nodes: NodeJson[] = named.map(([name], at) => ({
    name,
    mesh: 0,
    translation: [0, 0, 20 * at],
  }));
  const first = nodes.length;
  const boxAt = (x: number, y: number, z: number, rest: NodeJson): NodeJson => ({
    mesh: 0,
    translation: [x, y, z],
    ...rest,
  });
  nodes.push(
    boxAt(40, 0, 0, { name: 'Car-rigid', children: [first + 1, first + 2] }),
    boxAt(0, 3, 0, { name: 'Wheel-rigid' }),
    boxAt(0, -3, 0, { name: 'Seat' }),
    {
      name: 'Parent',
      scale: [2, 2, 2],
      rotation: TURNED,
      children: [first + 4],
      translation: [80, 0, 0],
    },
    boxAt(0, 3, 0, { name: 'Turned-rigid', children: [first + 5] }),
    boxAt(0, 1, 0, { name: 'Turned-convcol' }),
    physicsNode({ collider: shape(0) }, { name: 'Ball-colonly', children: [first + 7] }),
    boxAt(0, 0, 0, { name: 'Hidden-colonly', children: [first + 8] }),
    boxAt(0, 0, 0, { name: 'Shown' }),
  );
  const workers = piecesWorkers();
  const starting = start({ json: { nodes, ...withShapes(SHAPES) }, meshes: MESHES }, QUERIES);
  await (await workers.next()).answer();
  const { level, world, gltf, scene, bodyOf } = await starting;
  const found = named.slice(0, -1).map(([, name]) => {
    const body = bodyOf(name);
    return [body.numColliders(), body.collider(0).shapeType(), body.isDynamic()];
  });
  expect(found).toEqual(named.slice(0, -1).map(([, , type, isMoving]) => [1, type, isMoving]));
  expect([...level.bodies.keys()].slice(named.length - 1)).toEqual([
    'Car',
    'Wheel',
    'Turned',
    'Ball',
    'Hidden',
  ]);
  expect(bodyOf('Ball').collider(0).shapeType()).toBe(Ball);
  const isDrawn = (object: Object3D | undefined) => present(object).layers.mask !== 0;
  const drawn = () => gltf.scene.children.slice(0, named.length).map(isDrawn);
  expect(drawn()).toEqual(named.map(([, , , , shown]) => shown));
  expect(
    ['Ball-colonly', 'Hidden-colonly', 'Shown'].map((name) => isDrawn(scene.getObjectByName(name))),
  ).toEqual([true, false, true]);
  // The hull has what is below it and does not move by itself.
  expect(reach(bodyOf('Car').collider(0), bodyOf('Car').translation()).slice(2, 4)).toEqual([
    0.5, 3.5,
  ]);
  // Its collider is the one below it, 2 m to the side of it, with the size that its parent gives it.
  const turned = bodyOf('Turned');
  expect([turned.numColliders(), reach(turned.collider(0), turned.translation())]).toEqual([
    1,
    [-1, 3, ...Array<number>(4).fill(MISSED)],
  ]);
  await advance(world, 59);
  level.update(draw(world));
  scene.updateMatrixWorld();
  const place = list(
    present(scene.getObjectByName('Turned-rigid')).getWorldPosition(new Vector3()),
  );
  expect(place).toEqual([74, FALLEN, 0]);
  level.remove();
  expect([world.bodies.len(), world.colliders.len(), drawn().includes(false)]).toEqual([
    0,
    0,
    false,
  ]);
  expect(
    list(present(scene.getObjectByName('Turned-rigid')).getWorldPosition(new Vector3())),
  ).toEqual(place);
  const again = await addGltf(world, gltf);
  expect(again.bodies.get('Turned')?.translation().y).toBeCloseTo(FALLEN, 1);
});

test('a scene may be there twice, and goes on in another worker and in a replay', async () => {
  const held = [
    { linearAxes: [0, 1, 2], max: 0 },
    { angularAxes: [0, 1, 2], max: 0 },
  ];
  const model: GltfModel = {
    json: {
      nodes: [
        { name: 'Floor-col', mesh: 0, scale: [4, 1, 4] },
        { name: 'Crate-rigid', mesh: 0, translation: [0, 1.2, 0] },
        physicsNode(
          { motion: { mass: 1 }, collider: shape(0), joint: { joint: 0, connectedNode: 3 } },
          { name: 'Lamp', translation: [2, 4, 0] },
        ),
        { name: 'Hook', translation: [2, 4, 0] },
      ],
      ...withShapes(SHAPES, { physicsJoints: [{ limits: held }] }),
    },
    meshes: MESHES,
  };
  const { level, world, gltf, scene, bodyOf } = await start(model, RECORDED);
  const clone = SkeletonUtils.clone(gltf.scene);
  const parent = new Group().add(clone);
  parent.scale.setScalar(2);
  parent.rotation.y = Math.PI / 2;
  parent.position.x = 50;
  scene.add(parent);
  const other = await addGltf(world, gltf, { object: clone });
  const simulation = await world.ready;
  await advance(world, 20);
  await simulation.replaceWorker();
  await advance(world, 60);
  for (const each of [level, other]) each.update(draw(world));
  scene.updateMatrixWorld();
  const places = [gltf.scene, clone].flatMap((root) =>
    ['Crate-rigid', 'Lamp'].map((name) =>
      list(present(root.getObjectByName(name)).getWorldPosition(new Vector3())),
    ),
  );
  expect(places).toEqual([
    [0, 1, 0],
    [2, 4, 0],
    [50, 2, 0],
    [50, 8, -4],
  ]);
  expect([...other.bodies.keys()]).toEqual(['Floor', 'Crate', 'Lamp']);
  expect(other.joints.get('Lamp')?.body1()).toBe(other.bodies.get('Lamp'));
  await expectReplay(world, 81, 60);
  other.remove();
  expect(bodyOf('Crate').isValid()).toBe(true);
  level.remove();
  expect([world.bodies.len(), world.impulseJoints.len()]).toEqual([0, 0]);
});
