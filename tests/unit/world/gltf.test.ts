/** Physics of glTF files: names of nodes and the extension, as bodies of a world. Values are those of the specification. */
import * as THREE from 'three';
import * as SkeletonUtils from 'three/addons/utils/SkeletonUtils.js';
import { expect, test } from 'vitest';
import { addGltf } from '../../../src/three/index.js';
import * as page from '../../../src/world/page/index.js';
import { eventually } from '../../fixtures/eventually.js';
import * as models from '../../fixtures/gltf-models.js';
import { piecesWorkers } from '../../fixtures/pieces-workers.js';
import { present } from '../../fixtures/present.js';
import * as worlds from '../../fixtures/worlds.js';

const { box, physicsNode, withShapes } = models;
const { RECORDED, advance, draw } = worlds;
const { Average, Min, Max, Multiply } = page.CoefficientCombineRule;
type Json = Readonly<Record<string, unknown>>;
type Node = models.NodeJson;
type Body = page.RigidBody;

/** Adds a file to a new world, and runs a tick. */
async function start(model: models.GltfModel, options: page.WorldOptions = { queries: true }) {
  const gltf = await models.loadModel({ meshes: MESHES, ...model });
  const scene = new THREE.Scene().add(gltf.scene);
  const world = worlds.createWorldForTest(options);
  const level = await addGltf(world, gltf);
  await advance(world, 1);
  return { gltf, scene, world, level, bodyOf: (name: string) => present(level.bodies.get(name)) };
}

const round = (type: string, height: number, radiusBottom: number, radiusTop: number): Json => ({
  type,
  [type]: { height, radiusBottom, radiusTop },
});
/** The shapes of a file, by index. */
const SHAPES: readonly Json[] = [
  { type: 'sphere', sphere: { radius: 0.5 } },
  { type: 'box', box: { size: [1, 1, 1] } },
  round('capsule', 0.5, 0.25, 0.25),
  round('cylinder', 0.5, 0.25, 0.25),
  round('capsule', 0.5, 0.5, 0.25),
  round('cylinder', 0.5, 0.5, 0.25),
  { type: 'plane' },
  round('capsule', 0.2, 0.5, 0.1),
  round('cylinder', 0.5, 0, 0.5),
  { type: 'plane', plane: { sizeX: 2, sizeZ: 4 } },
  { type: 'mesh', mesh: { mesh: 0 } },
  { type: 'convexMesh', convexMesh: { mesh: 1 } },
  { type: 'plane', plane: { sizeX: 2 } },
];
/** A box of 1 m; two boxes, at x = -1 and 1; a box whose points are those of a joint; a ball; a box of 2 m. */
const MESHES = [
  [box(1)],
  [box(1).translate(-1, 0, 0), box(1).translate(1, 0, 0)],
  [models.skinned(box(1))],
  [new THREE.IcosahedronGeometry(0.5)],
  [box(2)],
];
const collides = (geometry: Json, rest?: Node): Node =>
  physicsNode({ collider: { geometry } }, rest);
const solid = (shape: number, rest?: Node): Node => collides({ shape }, rest);
const moving = (motion: Json, shape: number, rest?: Node, more?: Json): Node =>
  physicsNode({ motion, collider: { geometry: { shape } }, ...more }, rest);
/** A quarter of a turn that turns x into y. */
const TURNED = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
/** From where a body falls in a second. */
const FALLEN = -4.93;

/** Numbers, to be compared: none is a line. */
const text = (...values: readonly (number | page.Vector)[]): string =>
  values
    .flatMap((value) => (typeof value === 'number' ? [value] : [value.x, value.y, value.z]))
    .map((value) => (Number.isNaN(value) ? '-' : `${Number(value.toFixed(2)) + 0}`))
    .join(' ');
const placeOf = (body: Body) => text(body.translation());
function drawnPlace(root: THREE.Object3D, name: string): string {
  root.updateWorldMatrix(true, true);
  return text(present(root.getObjectByName(name)).getWorldPosition(new THREE.Vector3()));
}

/**
 * A text of what is true of a body, and its nodes: the first has the body. Indices of nodes are counted from it.
 */
type Row = readonly [shown: string, nodes: readonly Node[], show?: (body: Body) => string];
type Rows = Readonly<Record<string, Row>>;

const shifted = (node: Node, by: number): Node =>
  JSON.parse(JSON.stringify(node), (key, value) => {
    if (key === 'children') return (value as number[]).map((index) => index + by);
    return key === 'node' ? value + by : value;
  });

/** Compares what bodies show with what the file says. Those of all rows are in one world, far apart. */
async function expectRows(rows: Rows, ticks: number, showAll: (body: Body) => string) {
  const nodes: Node[] = [];
  for (const [at, [, [own, ...rest]]] of Object.values(rows).entries()) {
    const first = { ...own, name: `N${at}`, translation: [0, 0, 40 * at] };
    nodes.push(...[first, ...rest].map((node) => shifted(node, nodes.length)));
  }
  const joint = nodes.findIndex(({ name }) => name === 'Joint');
  const skins = joint < 0 ? undefined : [{ joints: [joint] }];
  const { world, bodyOf } = await start({ json: { nodes, skins, ...withShapes(SHAPES) } });
  await advance(world, ticks);
  const found = Object.values(rows).map(([, , show = showAll], at) => show(bodyOf(`N${at}`)));
  const named = (all: readonly string[]) => Object.keys(rows).map((title, at) => [title, all[at]]);
  expect(named(found)).toEqual(named(Object.values(rows).map(([shown]) => shown)));
}

/** How far the first collider of a body reaches from it, along both directions of each axis. */
function reachOf(body: Body): string {
  const from = body.translation();
  const reaches = (['x', 'y', 'z'] as const).flatMap((axis) =>
    [1, -1].map((sign) => {
      const origin = { ...from, [axis]: from[axis] + 5 * sign };
      const ray = new page.Ray(origin, { x: 0, y: 0, z: 0, [axis]: -sign });
      const toi = body.numColliders() === 0 ? -1 : body.collider(0).castRay(ray, 100, true);
      return toi < 0 ? Number.NaN : 5 - toi;
    }),
  );
  return text(...reaches);
}

test('every kind of shape rests on every other one', async () => {
  const solids: Json[] = [0, 1, 2, 3, 4, 5].map((shape) => ({ shape }));
  solids.push({ mesh: 3, convexHull: true });
  const motion = { mass: 1 };
  const nodes = [...solids, { mesh: 4 }].flatMap((under, row) =>
    solids.flatMap((above, column) => {
      const at = (y: number) => ({ translation: [row * 8, y, column * 8] });
      return [
        row < solids.length
          ? physicsNode({ motion, collider: { geometry: under } }, at(0.6))
          : collides(under, at(-0.9)),
        physicsNode({ motion, collider: { geometry: above } }, at(1.8)),
      ];
    }),
  );
  const json = { nodes: [...nodes, solid(6)], ...withShapes(SHAPES) };
  const { world, level } = await start({ json }, {});
  await advance(world, 600);
  const falling = [...level.bodies].filter(
    ([, body]) => body.isDynamic() && body.translation().y < 0.2,
  );
  expect(falling.map(([name, body]) => [name, placeOf(body)])).toEqual([]);
  expect(level.bodies.size).toBe(2 * 8 * 7 + 1);
});

/** A body of the nodes below it. */
const below = (motion: Json, ...nodes: readonly Node[]): readonly Node[] => [
  physicsNode({ motion }, { children: nodes.map((_, at) => at + 1) }),
  ...nodes,
];
/** Colliders that are not in the middle of their body. */
const apart = (shape: number, rest: Node) => below({ isKinematic: true }, solid(shape, rest));
const boxAbove = { mesh: 0, translation: [0, 3, 0] };

/** As a box of 1 m does. */
const OF_BOX = '0.5 0.5 0.5 0.5 0.5 0.5';
const SIZES: Rows = {
  'a sphere': [OF_BOX, [solid(0)]],
  'a sphere, stretched': ['0.5 0.5 1 1 1.5 1.5', [solid(0, { scale: [1, 2, 3] })]],
  'without a geometry around it': [OF_BOX, [physicsNode({ collider: { shape: 1 } })]],
  'a box by its whole size': [OF_BOX, [solid(1)]],
  'a scale by its absolute value': ['0.5 0.5 1 1 1.5 1.5', [solid(1, { scale: [1, -2, 3] })]],
  'a scale of 0 in all directions': ['- - - - - -', [solid(1, { scale: [0, 0, 0] })]],
  'a capsule: height without balls': ['0.25 0.25 0.5 0.5 0.25 0.25', [solid(2)]],
  'a capsule, turned': ['0.5 0.5 0.25 0.25 0.25 0.25', apart(2, { rotation: TURNED })],
  'a cylinder': ['0.25 0.25 0.25 0.25 0.25 0.25', [solid(3)]],
  'a capsule with two radii': ['0.43 0.43 0.5 0.75 0.43 0.43', [solid(4)]],
  'two radii in a mirror': ['0.43 0.43 0.5 0.75 0.43 0.43', [solid(4, { scale: [-1, 1, 1] })]],
  'a capsule with one ball in the other': ['0.49 0.49 0.4 0.6 0.49 0.49', [solid(7)]],
  'below the middle of a cylinder': [
    '0.48 0.48 0.46 0.04 0.48 0.48',
    apart(5, { translation: [0, 0.21, 0] }),
  ],
  'a cone upside down': ['0.25 0.25 0.25 0.25 0.25 0.25', [solid(8)]],
  // Rays along it and from below begin in it.
  'a plane without an end': ['5 5 0 5 5 5', [solid(6, { scale: [2, 2, 2] })]],
  'a plane with sizes': ['- - 0 0 - -', apart(9, { translation: [-0.99, 0, 1.99] })],
  'beyond the end of it along x': ['- - - - - -', apart(9, { translation: [1.01, 0, 0] })],
  'beyond the end of it along z': ['- - - - - -', apart(9, { translation: [0, 0, 2.01] })],
  'a plane with ends along x alone': ['- - 0 0 - -', apart(12, { translation: [0.99, 0, 99] })],
  'beyond them': ['- - - - - -', apart(12, { translation: [1.01, 0, 0] })],
  'a mesh, as a shape': [OF_BOX, [solid(10)]],
  'a convexMesh, as a shape': ['1.5 1.5 0.5 0.5 0.5 0.5', [solid(11)]],
  'a mesh, without nodes below one with it': [
    '1 1 1 1 1 1',
    [collides({ mesh: 4 }, { mesh: 4, children: [1] }), boxAbove],
  ],
  'a node, with those below it': [
    '0.5 0.5 3.5 0.5 0.5 0.5',
    [collides({ node: 0, convexHull: true }, { mesh: 0, children: [1] }), boxAbove],
  ],
  'a hull of all primitives': [
    '3 3 0.5 0.5 0.5 0.5',
    [collides({ node: 0, convexHull: true }, { mesh: 1, scale: [2, 1, 1] })],
  ],
  'triangles of all primitives': ['1.5 1.5 - - - -', [collides({ node: 0 }, { mesh: 1 })]],
  'a node elsewhere, in the space of the collider': [
    OF_BOX,
    [collides({ node: 1 }), { ...boxAbove, scale: [9, 9, 9] }],
  ],
  'a mesh that is deformed by its skin': [
    '- - 1.5 -0.5 - -',
    [
      collides({ node: 0 }, { mesh: 2, skin: 0, children: [1] }),
      { name: 'Joint', translation: [0, 1, 0] },
    ],
  ],
};

test('colliders have the sizes of the file', () => expectRows(SIZES, 1, reachOf));

const balls = [1, -1].map((x) => solid(0, { translation: [x, 0, 0] }));
/** In the x-y plane: bodies of rows are apart along z. */
const flatOf = (body: Body) => text(body.translation().x, body.translation().y);
const massOf = (body: Body) => text(body.mass(), body.localCom(), body.principalInertia());
const infinityOf = (body: Body) => text(body.invMass(), body.invPrincipalInertia());
const countOf = (body: Body) => text(body.translation().y, body.numColliders());

const MOTIONS: Rows = {
  'no mass: by volume': ['1 0 0 0 0.17 0.17 0.17', [moving({}, 1)], massOf],
  'a mass': ['6 0 0 0 1 1 1', [moving({ mass: 6 }, 1)], massOf],
  'a mass of several colliders': ['3 0 0 0 0.3 3.3 3.3', below({ mass: 3 }, ...balls), massOf],
  'a mass, without that of sensors': [
    '6 0 0 0 1 1 1',
    below(
      { mass: 6 },
      solid(1),
      physicsNode({ trigger: { geometry: { shape: 0 } } }, { translation: [5, 0, 0] }),
    ),
    massOf,
  ],
  'a mass of triangles': ['6 0 0 0 1 1 1', [moving({ mass: 6 }, 10)], massOf],
  'a mass of 0: it does not fall': ['2 0', [moving({ mass: 0, linearVelocity: [2, 0, 0] }, 1)]],
  'a mass of 0: nothing moves it': ['0 0 0 0', [moving({ mass: 0 }, 1)], infinityOf],
  'an inertia of 0: it does not turn': [
    '0.5 0.25 0 0.25',
    [moving({ mass: 2, inertiaDiagonal: [4, 0, 4] }, 1)],
    infinityOf,
  ],
  'axes of the inertia': [
    '2 0 0 1 0 3',
    [moving({ mass: 2, inertiaDiagonal: [1, 2, 3], inertiaOrientation: TURNED }, 1)],
    (body) => text(...body.effectiveAngularInertia().elements),
  ],
  'an inertia, about the center of the colliders': [
    '2 1 0 0 1 2 3',
    below({ mass: 2, inertiaDiagonal: [1, 2, 3] }, ...balls.slice(0, 1)),
    massOf,
  ],
  'a center of mass, scaled, with the inertia of a box': [
    '3 0 2 0 14 2 14',
    [moving({ mass: 3, centerOfMass: [0, 1, 0] }, 1, { scale: [2, 2, 2] })],
    massOf,
  ],
  'a center of mass alone: the mass of its box, too': [
    '8 0 2 0 37.33 5.33 37.33',
    [moving({ centerOfMass: [0, 1, 0] }, 1, { scale: [2, 2, 2] })],
    massOf,
  ],
  'a linear velocity in the space of the node': [
    '0 1',
    [moving({ gravityFactor: 0, linearVelocity: [1, 0, 0] }, 0, { rotation: TURNED })],
  ],
  'an angular velocity in the space of the node': [
    '-2 0 0',
    [moving({ angularVelocity: [0, 2, 0] }, 0, { rotation: TURNED })],
    (body) => text(body.angvel()),
  ],
  'kinematic, with a velocity': [
    '0 3',
    [moving({ isKinematic: true, linearVelocity: [0, 3, 0] }, 0)],
  ],
  'kinematic, turning about its center of mass': [
    '2 0',
    [moving({ isKinematic: true, centerOfMass: [1, 0, 0], angularVelocity: [0, 0, Math.PI] }, 0)],
  ],
  'a factor of gravity': ['0 -2.46', [moving({ gravityFactor: 0.5 }, 0)]],
  'colliders below it': [`${FALLEN} 2`, below({}, ...balls), countOf],
  'another motion below it': [
    '0 1',
    below({ mass: 0 }, solid(1), moving({}, 0, { name: 'Other', translation: [0, -5, 0] })),
    countOf,
  ],
  'below another motion': [
    `${FALLEN} 2`,
    [
      moving({}, 0, { children: [1] }),
      solid(0, { children: [2] }),
      moving({ mass: 0 }, 0, { translation: [5, 0, 0] }),
    ],
    countOf,
  ],
};

test('bodies move as the file says', () => expectRows(MOTIONS, 59, flatOf));

/** Both the bodies and the nodes of a lift and what is on it. */
const both = (y: number) => Array<string>(2).fill(`0 ${y} 0, -2 ${y} 0, -4 ${y} 0, 0 ${y} 0`);

test('bodies follow the animations of their nodes, which are drawn where their bodies are', async () => {
  const moves = { path: 'translation', times: [0, 1], values: [0, 0, 0, 1, 0, 0] } as const;
  const turns = { path: 'rotation', times: [0, 1], values: [0, 0, 0, 1, ...TURNED] } as const;
  const nodes = [
    { name: 'Parent', scale: [2, 2, 2], rotation: TURNED, children: [1, 4] },
    solid(1, { name: 'Platform', children: [2, 3] }),
    solid(1, { name: 'Rotor', translation: [0, 1, 0] }),
    solid(1, { name: 'Rail', translation: [0, 2, 0] }),
    moving({ mass: 1 }, 0, { name: 'Lift' }),
  ];
  const { level, world, gltf, bodyOf } = await start(
    {
      json: { nodes, ...withShapes(SHAPES) },
      animations: [
        { node: 1, ...moves },
        { node: 4, ...moves },
        { node: 2, ...turns },
      ],
    },
    RECORDED,
  );
  const mixer = new THREE.AnimationMixer(gltf.scene);
  for (const clip of gltf.animations) mixer.clipAction(clip).play();
  const names = ['Platform', 'Rotor', 'Rail', 'Lift'];
  /** Where the bodies are, and where their nodes are drawn. */
  const at = async (time: number, ticks: number) => {
    mixer.setTime(time);
    level.update(draw(world));
    if (ticks > 0) await advance(world, ticks);
    level.update(draw(world));
    return [
      names.map((name) => placeOf(bodyOf(name))).join(', '),
      names.map((name) => drawnPlace(gltf.scene, name)).join(', '),
    ];
  };
  // Back, before a tick has shown anything of it.
  expect((await at(0.9, 0))[1]).toBe(both(0)[1]);
  expect(await at(0, 1)).toEqual(both(0));
  for (let step = 1; step < 5; step++) await at(step / 10, 1);
  expect(await at(0.5, 1)).toEqual(both(1));
  expect(bodyOf('Rotor').rotation().w).toBeCloseTo(Math.cos((3 / 8) * Math.PI), 3);
  // Nothing moves, so nothing is sent.
  const batches = await worlds.countBatches(world);
  expect(await at(0.5, 2)).toEqual(both(1));
  expect(await worlds.countBatches(world)).toBe(batches);
  await worlds.expectReplay(world, 9);
  // A replay shows what was recorded, whatever the animation does.
  const simulation = await world.ready;
  const replay = await simulation.openReplay(simulation.recording(), { tick: 5 });
  await at(0.9, 0);
  expect(await at(0.9, 1)).toEqual(both(0.8));
  await replay.close();
  // A jump of the run puts them where they were.
  await simulation.seek(3);
  await eventually(async () => expect(await at(0.5, 1)).toEqual(both(1)));
  const warnings = worlds.warningsOfTest();
  world.removeRigidBody(bodyOf('Lift'));
  await at(0.8, 1);
  expect([placeOf(bodyOf('Platform')), ...warnings()]).toEqual(['0 1.6 0']);
  level.remove();
  expect(drawnPlace(gltf.scene, 'Platform')).toBe('0 1.6 0');
  mixer.setTime(0.3);
  expect(drawnPlace(gltf.scene, 'Platform')).toBe('0 0.6 0');
});

type Filters = readonly [above: Json | undefined, under: Json | undefined, collide: boolean];
const systems = (...collisionSystems: string[]): Json => ({ collisionSystems });
const only = (...collideWithSystems: string[]): Json => ({ collideWithSystems });
const not = (...notCollideWithSystems: string[]): Json => ({ notCollideWithSystems });
const FILTERS: Readonly<Record<string, Filters>> = {
  'without filters': [undefined, undefined, true],
  'a system that the other collides with': [systems('a'), only('a'), true],
  'a system that the other has not': [systems('a'), only('x'), false],
  'a system that the other does not collide with': [systems('a'), not('a'), false],
  'a system that the other does not name': [systems('a'), not('x'), true],
  'the same the other way round': [not('b'), systems('b'), false],
  'some of the systems are not enough': [systems('a', 'b'), only('a'), false],
  'all of them are': [systems('a', 'b'), only('a', 'b', 'c'), true],
  'some of the systems do not matter': [systems('a', 'b'), not('a'), true],
  'all of them do': [systems('a', 'b'), not('a', 'b', 'c'), false],
  'without systems': [undefined, only('x'), true],
};

const filtered = (shape: number, filter: Json | undefined, index: number): Json => ({
  geometry: { shape },
  collisionFilter: filter && index,
});

test('filters tell what collides', async () => {
  const rows = Object.values(FILTERS);
  const nodes = rows.flatMap(([above, under], at) => [
    physicsNode({ collider: filtered(1, under, 2 * at + 1) }, { translation: [5 * at, 0, 0] }),
    physicsNode(
      { motion: {}, collider: filtered(0, above, 2 * at) },
      { name: `N${at}`, translation: [5 * at, 1, 0] },
    ),
  ]);
  const lists = { collisionFilters: rows.flatMap(([above = {}, under = {}]) => [above, under]) };
  const { world, bodyOf } = await start({ json: { nodes, ...withShapes(SHAPES, lists) } }, {});
  await advance(world, 59);
  const held = rows.map((_, at) => bodyOf(`N${at}`).translation().y > 0);
  expect(Object.keys(FILTERS).map((title, at) => [title, held[at]])).toEqual(
    Object.entries(FILTERS).map(([title, [, , collide]]) => [title, collide]),
  );
});

test('colliders have the materials of the file', async () => {
  const least = { frictionCombine: 'minimum', restitutionCombine: 'multiply' };
  const physicsMaterials = [
    {},
    { staticFriction: 0.9, dynamicFriction: 0.3, restitution: 0.8, ...least },
    { frictionCombine: 'maximum', restitutionCombine: 'average' },
  ];
  const nodes = [...physicsMaterials.keys(), undefined].map((at) =>
    physicsNode({ collider: { geometry: { shape: 0 }, physicsMaterial: at } }),
  );
  const { level } = await start(
    { json: { nodes, ...withShapes(SHAPES, { physicsMaterials }) } },
    {},
  );
  const colliders = [...level.bodies.values()].map((body) => body.collider(0));
  const found = colliders.map((each) => [
    text(each.friction(), each.restitution()),
    each.frictionCombineRule(),
    each.restitutionCombineRule(),
  ]);
  expect(found).toEqual([
    ['0.6 0', Average, Average],
    ['0.3 0.8', Min, Multiply],
    ['0.6 0', Max, Average],
    ['0.5 0', Average, Average],
  ]);
});

test('sensors notice what comes, and hold up nothing', async () => {
  const trigger = (name: string, y: number) =>
    physicsNode({ trigger: { geometry: { shape: 1 } } }, { name, translation: [0, y, 0] });
  const nodes = [
    trigger('Goal', 0),
    physicsNode({ trigger: { nodes: [2, 3] } }, { name: 'Both', children: [2, 3] }),
    trigger('Upper', 5),
    trigger('Lower', -5),
    moving({}, 0, { name: 'Ball', translation: [0, 2, 0] }),
  ];
  const { world, level } = await start({ json: { nodes, ...withShapes(SHAPES) } }, {});
  const { sensors } = level;
  expect(sensors.get('Both')).toEqual(['Upper', 'Lower'].flatMap((name) => sensors.get(name)));
  expect([...level.bodies.keys()]).toEqual(['Goal', 'Upper', 'Lower', 'Ball']);
  const events: string[] = [];
  world.on('collision', ({ collider1, collider2, started }) => {
    const [name] =
      [...sensors].find(([, all]) => all.includes(collider1) || all.includes(collider2)) ?? [];
    events.push(`${name} ${started}`);
  });
  // As a character is.
  const kinematic = page.RigidBodyDesc.kinematicPositionBased();
  const walker = worlds.addBody(world, [3, 5, 0], undefined, kinematic);
  await advance(world, 1);
  walker.setNextKinematicTranslation({ x: 0, y: 5, z: 0 });
  await advance(world, 90);
  expect(events.join(', ')).toBe('Upper true, Goal true, Goal false, Lower true, Lower false');
});

const SHAPE_TYPES = new Map(Object.entries(page.ShapeType).map(([name, type]) => [type, name]));
/** Nodes with a box: the name of the body, its shape, how it moves, and whether the node is drawn. */
const NAMES: readonly (readonly [node: string, body: string, shape: string, more: string])[] = [
  ['A-col', 'A', 'TriMesh', 'fixed drawn'],
  ['B-convcol', 'B', 'ConvexPolyhedron', 'fixed drawn'],
  ['C-colonly', 'C', 'TriMesh', 'fixed hidden'],
  ['D-convcolonly', 'D', 'ConvexPolyhedron', 'fixed hidden'],
  ['E-rigid', 'E', 'ConvexPolyhedron', 'dynamic drawn'],
  ['F_col', 'F', 'TriMesh', 'fixed drawn'],
  ['G$COL', 'G', 'TriMesh', 'fixed drawn'],
  ['H-col.001', 'H001', 'TriMesh', 'fixed drawn'],
  ['I-pieces-rigid', 'I', 'Compound', 'dynamic drawn'],
  ['J-rigid-convcolonly', 'J', 'ConvexPolyhedron', 'dynamic hidden'],
  ['K-col', 'K', 'TriMesh', 'fixed drawn'],
  ['K-convcol', 'K_1', 'ConvexPolyhedron', 'fixed drawn'],
  ['K-col', 'K_1_1', 'TriMesh', 'fixed drawn'],
];

const boxAt = (x: number, y: number, z: number, name: string, ...children: number[]): Node => ({
  name,
  mesh: 0,
  translation: [x, y, z],
  ...(children.length > 0 && { children }),
});
const isDrawn = (object: THREE.Object3D | undefined) => present(object).layers.mask !== 0;

test('names of nodes say what they are', async () => {
  const nodes: Node[] = NAMES.map(([name], at) => boxAt(0, 0, 20 * at, name));
  const next = nodes.length;
  const large = { name: 'Parent', scale: [2, 2, 2], rotation: TURNED };
  nodes.push(
    boxAt(40, 0, 0, 'Car-rigid', next + 1, next + 2),
    boxAt(0, 3, 0, 'Wheel-rigid'),
    boxAt(0, -3, 0, 'Seat'),
    { ...large, children: [next + 4], translation: [80, 0, 0] },
    boxAt(0, 3, 0, 'Turned-rigid', next + 5),
    boxAt(0, 1, 0, 'Part-convcol'),
    solid(0, { ...boxAt(60, 0, 0, 'Ball-colonly', next + 7) }),
    boxAt(0, 0, 0, 'Hidden-colonly', next + 8),
    boxAt(0, 0, 0, 'Protocol'),
  );
  const workers = piecesWorkers();
  const options = { queries: true, transport: 'local' } as const;
  const starting = start({ json: { nodes, ...withShapes(SHAPES) } }, options);
  await (await workers.next()).answer();
  const { level, world, gltf, scene, bodyOf } = await starting;
  const found = NAMES.map(([name, body], at) => {
    const kind = bodyOf(body).isDynamic() ? 'dynamic' : 'fixed';
    const drawn = isDrawn(gltf.scene.children[at]) ? 'drawn' : 'hidden';
    const shape = SHAPE_TYPES.get(bodyOf(body).collider(0).shapeType());
    return [name, body, shape, `${kind} ${drawn}`];
  });
  expect(found).toEqual(NAMES);
  const others = [...level.bodies.keys()].slice(next);
  expect(others).toEqual(['Car', 'Wheel', 'Turned', 'Ball', 'Hidden']);
  // The extension counts; what is below a hidden node is drawn.
  expect(bodyOf('Ball').collider(0).shapeType()).toBe(page.ShapeType.Ball);
  const shown = () =>
    ['Ball-colonly', 'Hidden-colonly', 'Protocol'].map((name) =>
      isDrawn(scene.getObjectByName(name)),
    );
  expect(shown()).toEqual([true, false, true]);
  // A hull has what is below it and does not move by itself.
  expect(reachOf(bodyOf('Car'))).toBe('0.5 0.5 0.5 3.5 0.5 0.5');
  // The node's collider is below it and, as its parent has it, 2 m to the side.
  expect([bodyOf('Turned').numColliders(), reachOf(bodyOf('Turned'))]).toEqual([1, '-1 3 - - - -']);
  await advance(world, 59);
  level.update(draw(world));
  expect(drawnPlace(scene, 'Turned-rigid')).toBe(`74 ${FALLEN} 0`);
  level.remove();
  expect([world.bodies.len(), world.colliders.len()]).toEqual([0, 0]);
  expect(shown()).toEqual([true, true, true]);
  const again = await addGltf(world, gltf);
  expect(placeOf(present(again.bodies.get('Turned')))).toBe(`74 ${FALLEN} 0`);
});

test('a joint is in the body around its node, or else in a fixed one at the node', async () => {
  const joint = { joint: 0, connectedNode: 2 };
  const nodes: Node[] = [
    { name: 'Wall-col', mesh: 0, children: [1] },
    physicsNode({ joint }, { name: 'Hinge', translation: [0, 3, 0] }),
    moving({}, 0, { name: 'Door', translation: [0, 3, 0] }),
    physicsNode({ joint }, { name: 'Hook', translation: [0, 3, 0] }),
  ];
  const { level } = await start({
    json: { nodes, ...withShapes(SHAPES, { physicsJoints: [{}] }) },
  });
  const names = new Map([...level.bodies].map(([name, body]) => [body, name]));
  const found = [...level.joints].map(([name, each]) => [
    name,
    names.get(each.body1()),
    names.get(each.body2()),
  ]);
  expect(found).toEqual([
    ['Hinge', 'Wall', 'Door'],
    ['Hook', 'Hook', 'Door'],
  ]);
  expect(placeOf(present(level.bodies.get('Hook')))).toBe('0 3 0');
});

/** Limits of a joint whose frames stay at one place. */
const TOGETHER = { linearAxes: [0, 1, 2], max: 0 };

test.each([
  ['at a velocity', { velocityTarget: 0.1, damping: 1000 }, 0.5],
  ['to a place', { positionTarget: 1, stiffness: 1, damping: 10 }, 0.384],
])('a drive that turns a body slowly %s keeps it awake', async (_, drive, angle) => {
  const limits = [TOGETHER, { angularAxes: [0, 1], min: 0, max: 0 }];
  const drives = [{ type: 'angular', mode: 'acceleration', axis: 2, ...drive }];
  const joined = { joint: { joint: 0, connectedNode: 0 } };
  const nodes: Node[] = [moving({}, 1, { name: 'Wheel' }), physicsNode(joined)];
  const json = { nodes, ...withShapes(SHAPES, { physicsJoints: [{ limits, drives }] }) };
  const { world, bodyOf } = await start({ json }, {});
  await advance(world, 300);
  expect(bodyOf('Wheel').rotation().z).toBeCloseTo(Math.sin(angle / 2), 2);
});

test('a scene may be there twice, and continues in another worker and in a replay', async () => {
  const limits = [TOGETHER, { angularAxes: [0, 1, 2], max: 0 }];
  const high = { translation: [2, 4, 0] };
  const nodes: Node[] = [
    { name: 'Floor-col', mesh: 0, scale: [4, 1, 4] },
    { name: 'Crate-rigid', mesh: 0, translation: [0, 1.2, 0] },
    moving({}, 0, { name: 'Lamp', ...high }, { joint: { joint: 0, connectedNode: 3 } }),
    { name: 'Hook', ...high },
  ];
  const json = { nodes, ...withShapes(SHAPES, { physicsJoints: [{ limits }] }) };
  const { level, world, gltf, scene, bodyOf } = await start({ json }, RECORDED);
  const clone = SkeletonUtils.clone(gltf.scene);
  const parent = new THREE.Group().add(clone);
  parent.scale.setScalar(2);
  parent.rotation.y = Math.PI / 2;
  parent.position.x = 50;
  scene.add(parent);
  const other = await addGltf(world, gltf, { object: clone });
  await advance(world, 20);
  await (await world.ready).replaceWorker();
  await advance(world, 60);
  for (const each of [level, other]) each.update(draw(world));
  const places = [gltf.scene, clone].flatMap((root) =>
    ['Crate-rigid', 'Lamp'].map((name) => drawnPlace(root, name)),
  );
  expect(places).toEqual(['0 1 0', '2 4 0', '50 2 0', '50 8 -4']);
  expect([...other.bodies.keys()]).toEqual(['Floor', 'Crate', 'Lamp', 'Hook']);
  expect(other.joints.get('Lamp')?.body1()).toBe(other.bodies.get('Lamp'));
  await worlds.expectReplay(world, 81, 60);
  other.remove();
  expect(bodyOf('Crate').isValid()).toBe(true);
  level.remove();
  expect([world.bodies.len(), world.impulseJoints.len()]).toEqual([0, 0]);
});
