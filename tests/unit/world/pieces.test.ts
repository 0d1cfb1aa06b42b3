/** Pieces of concave meshes: those of Rapier, computed once, sent as one asset, and waited for. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { decodeRecording, encodeRecording } from '../../../src/shared/index.js';
import { loadRapier } from '../../../src/rapier/load-simd.js';
import { replay } from '../../../src/sim-worker/index.js';
import { runLocally } from '../../../src/sim-worker/run-locally.js';
import {
  ColliderDesc,
  JointData,
  Ray,
  RigidBodyDesc,
  ShapeType,
  type Collider,
} from '../../../src/world/page/index.js';
import { settingsOf } from '../../../src/world/page/collider-handle.js';
import { driverOf } from '../../../src/world/page/page-world.js';
import type { VHACDParameters } from '../../../src/world/page/pieces.js';
import { partsOf } from '../../../src/world/shared/packed-pieces.js';
import { createWorldSimulation } from '../../../src/world/worker/index.js';
import { piecesWorkers } from '../../fixtures/pieces-workers.js';
import { present } from '../../fixtures/present.js';
import { coarseRing, ring } from '../../fixtures/rings.js';
import {
  addBody,
  addBox,
  advance,
  createEngineForTest,
  createWorldForTest,
  expectReplay,
  NO_GRAVITY,
  RECORDED,
  warningsOfTest,
} from '../../fixtures/worlds.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** A worker of an application that has none. */
const createWorker = () => runLocally(createWorldSimulation());
const moving = () => RigidBodyDesc.dynamic().setLinvel(0, 1, 0);
const ORIGIN = { x: 0, y: 0, z: 0 };

interface Hull {
  readonly vertices: Float32Array;
  readonly indices: Uint32Array;
}
const pointsOf = ({ vertices, indices }: Hull) => [[...vertices], [...indices]];

const piecesOf = (collider: Collider) =>
  partsOf(present(settingsOf(collider)?.shape)).map(({ shape }) => shape);

const PARAMETERS: readonly VHACDParameters[] = [
  {},
  { alpha: 1 },
  { beta: 1 },
  { concavity: 0.3 },
  { planeDownsampling: 1 },
  { convexHullDownsampling: 1 },
  { maxConvexHulls: 2 },
  { resolution: 20 },
  { convexHullApproximation: false },
];

test('with each parameter, pieces are those of the engine, to the bit', async () => {
  const { rapier } = await createEngineForTest();
  const world = createWorldForTest();
  const { vertices, indices } = ring(6);
  const found = new Set<string>();
  const coarse = PARAMETERS.map((each) => ({ resolution: 16, ...each }));
  for (const parameters of [undefined, ...coarse]) {
    const own = ColliderDesc.convexDecomposition(vertices, indices, parameters);
    const collider = world.createCollider(own);
    await own.shape.ready;
    const desc = present(
      rapier.ColliderDesc.convexDecomposition(vertices, indices, parameters as object),
    );
    const theirs = (desc.shape as InstanceType<typeof rapier.Compound>).shapes as unknown as Hull[];
    const pieces = JSON.stringify(theirs.map(pointsOf));
    expect(JSON.stringify(piecesOf(collider).map(pointsOf))).toBe(pieces);
    found.add(pieces);
  }
  // Each makes a difference.
  expect(found.size).toBe(1 + PARAMETERS.length);
});

test('equal meshes are computed once, sent as one asset, and replayed without computing', async () => {
  const spy = vi.spyOn((await loadRapier()).ColliderDesc, 'convexDecomposition');
  const world = createWorldForTest(RECORDED);
  addBox(world, [80, 0.5, 9], [0, -0.5, 0]);
  const rings = Array.from({ length: 20 }, (_, index) => {
    const scale = 1 + index / 20;
    return addBody(
      world,
      [6 * index - 60, 1, 0],
      coarseRing({ alpha: 0.06 }).setShapeScale({ x: scale, y: 1, z: -1 }),
    );
  });
  expect(rings.map((body) => body.collider(0).shape.isReady)).toEqual(rings.map(() => false));
  await rings[0]?.collider(0).shape.ready;
  await advance(world, 60);
  expect(rings.map((body) => body.collider(0).shape.isReady)).toEqual(rings.map(() => true));
  for (const body of rings) expect(body.translation().y).toBeCloseTo(0.3, 1);
  expect(spy).toHaveBeenCalledTimes(1);
  const recording = (await world.ready).recording();
  expect(recording.assets).toHaveLength(1);
  const batches = recording.entries.flatMap((entry) =>
    entry.kind === 'batch' ? entry.bytes.length : [],
  );
  expect(Math.max(...batches)).toBeLessThan(20 * 100);
  await (await world.ready).seek(30);
  await expectReplay(world, 30);
  const report = await replay(createWorldSimulation(), decodeRecording(encodeRecording(recording)));
  expect(report).toMatchObject({ differsAt: undefined });
  expect(spy).toHaveBeenCalledTimes(1);
});

test('a body waits in its place with what is joined to it, and keeps what it was given', async () => {
  const workers = piecesWorkers();
  const world = createWorldForTest({ ...NO_GRAVITY, queries: true });
  const torus = addBody(world, [0, 0, 0], coarseRing({ alpha: 0.07 }), moving());
  const joined = addBody(world, [3, 0, 0], undefined, moving());
  const other = addBody(world, [6, 0, 0], undefined, moving());
  const ground = addBody(world, [9, 0, 0], undefined, RigidBodyDesc.fixed());
  const below = addBody(world, [9, -1.1, 0], undefined, moving());
  const data = JointData.rope(20, ORIGIN, ORIGIN);
  for (const body of [joined, ground]) world.createImpulseJoint(data, torus, body, true);
  await advance(world, 6);
  for (const body of [torus, joined]) body.applyTorqueImpulse({ x: 0, y: 1, z: 0 }, true);
  world.createCollider(ColliderDesc.ball(0.1), torus);
  const late = addBody(world, [12, 0, 0], undefined, moving());
  world.createImpulseJoint(data, late, torus, true);
  await advance(world, 6);
  const heights = () => [torus, joined, other, late].map((body) => body.translation().y.toFixed(2));
  expect(heights()).toEqual(['0.00', '0.00', '0.20', '0.00']);
  // Fixed bodies do not wait.
  expect(below.translation().y).toBeLessThan(-0.95);
  // A page that draws on demand rests while it waits.
  expect(driverOf(world).isChangePending).toBe(false);
  const down = new Ray({ x: 9, y: 5, z: 0 }, { x: 0, y: -1, z: 0 });
  expect(world.castRay(down, 9, true)?.collider.parent()).toBe(ground);
  const { shape } = torus.collider(0);
  expect(() => shape.containsPoint(ORIGIN, { ...ORIGIN, w: 1 }, ORIGIN)).toThrow(
    'await shape.ready',
  );
  await (await workers.next()).answer();
  await shape.ready;
  await advance(world, 6);
  expect(heights()).toEqual(['0.10', '0.10', '0.30', '0.10']);
  for (const body of [torus, joined]) expect(body.angvel().y).toBeGreaterThan(0.1);
  expect(torus.numColliders()).toBe(2);
  expect(world.impulseJoints.len()).toBe(3);
});

test('a body waits no longer when the collider is removed, or gets another shape', async () => {
  piecesWorkers();
  // The end of the test ends its worker.
  warningsOfTest();
  const world = createWorldForTest();
  const desc = coarseRing({ alpha: 0.08 });
  const bodies = [0, 5, 10].map((x) => addBody(world, [x, 0, 0], desc));
  await advance(world, 1);
  const [removed, shaped] = bodies.map((body) => body.collider(0));
  const [first] = bodies;
  world.createCollider(ColliderDesc.ball(0.5), first);
  world.removeCollider(present(removed), true);
  shaped?.setShape(ColliderDesc.ball(0.5));
  await advance(world, 6);
  expect(bodies.map((body) => body.translation().y < 0)).toEqual([true, true, false]);
});

test('a collider that is there keeps its shape until pieces take its place', async () => {
  const workers = piecesWorkers();
  const world = createWorldForTest({ ...NO_GRAVITY, queries: true });
  const body = addBody(world);
  await advance(world, 1);
  const desc = coarseRing({ alpha: 0.09 });
  const middle = () => body.collider(0).containsPoint(ORIGIN);
  expect(middle()).toBe(true);
  body.collider(0).setShape(desc);
  await advance(world, 1);
  expect([body.collider(0).shape.isReady, middle()]).toEqual([false, true]);
  await (await workers.next()).answer();
  await desc.shape.ready;
  expect([body.collider(0).shapeType(), middle()]).toEqual([ShapeType.Compound, false]);
});

test('a worker of its own computes each mesh, one after another, and ends', async () => {
  const workers = piecesWorkers();
  createWorldForTest();
  const shapes = [0.1, 0.2].map((alpha) => coarseRing({ alpha }).shape);
  const ready = shapes.map((shape) => shape.ready);
  for (const one of ready) {
    const asked = await workers.next();
    // Before the answer, what nothing holds goes.
    collect();
    await new Promise(setImmediate);
    await asked.answer();
    await one;
  }
  expect(shapes.map((shape) => shape.isReady)).toEqual([true, true]);
  expect(workers.started.map(({ isTerminated }) => isTerminated)).toEqual([true, true]);
});

test.each([
  ['fails', new Event('error'), 'No such file', 0.3],
  ['ends', new Event('exit'), undefined, 0.31],
])(
  'a worker that %s is an error and a warning, and the next one is asked again',
  async (_, event, message, alpha) => {
    const workers = piecesWorkers();
    const warnings = warningsOfTest();
    const world = createWorldForTest();
    const desc = coarseRing({ alpha });
    const body = addBody(world, [0, 0, 0], desc);
    const failing = desc.shape.ready;
    const { worker } = await workers.next();
    worker.dispatchEvent(Object.assign(event, message && { message }));
    const why = ['the worker did not load, or has ended.', message].filter(Boolean).join(' ');
    const error = `the pieces of a mesh of 256 triangles cannot be computed: ${why}`;
    await expect(failing).rejects.toThrow(new Error(error));
    expect(worker.isTerminated).toBe(true);
    expect(warnings()).toEqual([
      expect.stringContaining(
        `the collider with the handle 2 waits, and so does its body: ${error}`,
      ),
    ]);
    const again = coarseRing({ alpha });
    const next = addBody(world, [5, 0, 0], again);
    await (await workers.next()).answer();
    await again.shape.ready;
    await advance(world, 6);
    expect([body, next].map((each) => each.translation().y < 0)).toEqual([false, true]);
  },
);

const FLAT = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1);
const TETRAHEDRON = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0);

test.each<[string, Float32Array, number[], string]>([
  ['without a volume', FLAT, [0, 1, 2], 'vertices must span a volume'],
  ['with an index too high', TETRAHEDRON, [0, 1, 4], 'indices[2] must be a whole number from'],
  ['without triangles', TETRAHEDRON, [], 'indices must have at least one triangle'],
])('a mesh %s is an error', (_what, vertices, indices, message) => {
  expect(() => ColliderDesc.convexDecomposition(vertices, indices)).toThrow(message);
});

test('a mesh of which the triangles enclose nothing is an error that names it, without a worker too', async () => {
  createWorldForTest({ transport: 'auto', createWorker });
  const { shape } = ColliderDesc.convexDecomposition(TETRAHEDRON, [0, 0, 0]);
  await expect(shape.ready).rejects.toThrow(
    'the pieces of a mesh of 1 triangles cannot be computed: its triangles enclose no volume. Repair it, or take its hull',
  );
});
