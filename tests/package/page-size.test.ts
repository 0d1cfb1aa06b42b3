/**
 * The library's size in page and worker, comlink included, minified and gzipped: the entry with
 * its imports. What is loaded on demand is in no limit.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { packageFolder } from '../../scripts/package/package-layout.js';
import { bundleSize, workerSize } from '../../scripts/package/package-size.js';
import { createConsumer } from './consumer.js';

const consumer = createConsumer();
afterAll(() => consumer.remove());

/** A typical application: connect, sample, commands, statistics, dispose. */
const PLAIN = `
import { connect } from 'betwixt';
export async function main(worker) {
  const sim = await connect(() => worker);
  await sim.commands.start();
  requestAnimationFrame((stamp) => console.log(sim.sample(stamp), sim.stats()));
  await sim.dispose();
}
globalThis.main = main;
`;

/** Every name of the entry point. */
const WHOLE = `import * as everything from 'betwixt'; globalThis.everything = everything;`;

test.each([
  ['a plain application', PLAIN, 42_000],
  ['the whole entry point', WHOLE, 42_600],
])('%s stays within the limit', async (name, code, limit) => {
  const { entry, later } = await bundleSize(consumer.folder, code);
  console.log(`${name}: ${entry} bytes, ${later} when needed`);
  expect(entry).toBeGreaterThan(5000);
  expect(entry).toBeLessThanOrEqual(limit);
});

/**
 * The modules whose paths contain one of these parts. A part that is in no path of the package
 * would check nothing: its file may have been renamed.
 */
function unusedIn(modules: readonly string[], parts: readonly string[]): string[] {
  const all = readdirSync(join(packageFolder, 'dist'), { recursive: true, encoding: 'utf8' });
  const files = all
    .filter((path) => path.endsWith('.js'))
    .map((path) => path.replaceAll('\\', '/'));
  expect(parts.filter((part) => !files.some((path) => path.includes(part)))).toEqual([]);
  return modules.filter((path) => parts.some((part) => path.includes(part)));
}

const withinDist = (path: string): string => path.replace(/^.*betwixt\/dist\//, '');

/** Files for rooms alone. */
const ROOMS = ['rooms/'];

/** Names of files and folders that a plain application does not need. */
const UNUSED_BY_PAGES = [
  ...ROOMS,
  'sim-worker',
  'rapier/',
  'world/',
  'three',
  'recording-file',
  'inputs/',
  'frame-limiter',
  'inspector/',
  'vite',
];

test('parts that a plain application does not use are not in it', async () => {
  const { modules: all } = await bundleSize(consumer.folder, PLAIN);
  // Vite adds its own module if parts are loaded later.
  const modules = all.filter((path) => path.includes('betwixt/dist/'));
  expect(modules.join()).toContain('dist/render-main/frame/timeline.js');
  expect(unusedIn(modules.map(withinDist), UNUSED_BY_PAGES)).toEqual([]);
});

/** A typical world: bodies with colliders of several shapes, a joint, poses read each frame. */
const WORLD = `
import { ColliderDesc, JointData, RigidBodyDesc, createWorld } from 'betwixt/world';
export async function main() {
  const world = createWorld({ gravity: { x: 0, y: -9.81, z: 0 } });
  world.createCollider(ColliderDesc.cuboid(10, 0.5, 10));
  const [ball, box] = [5, 7].map((y) =>
    world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, y, 0)),
  );
  world.createCollider(ColliderDesc.ball(0.5).setRestitution(0.7), ball);
  world.createCollider(ColliderDesc.convexHull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]), box);
  const origin = { x: 0, y: 0, z: 0 };
  world.createImpulseJoint(JointData.rope(3, origin, origin), ball, box, true);
  ball.applyImpulse({ x: 1, y: 0, z: 0 }, true);
  const sim = await world.ready;
  requestAnimationFrame((stamp) => {
    console.log(world.sample(stamp), ball.translation(), sim.stats());
    if (ball.translation().y < -9) world.removeRigidBody(ball);
  });
  await world.dispose();
}
globalThis.main = main;
`;

/** Most of a world's entry with its imports, in bytes. The engine and the simulation are in the worker alone. */
const WORLD_LIMIT = 77_500;

/** A typical page of React Three Fiber: bodies, colliders, a joint, a callback, a handler. */
const FIBER_PAGE = `
import { createElement as h, useRef } from 'react';
import { Canvas } from '@react-three/fiber';
import { CuboidCollider, Physics, RigidBody, useBeforePhysicsStep, useSphericalJoint } from 'betwixt/react';
function Pendulum() {
  const [anchor, box] = [useRef(null), useRef(null)];
  useSphericalJoint(anchor, box, [[0, 0, 0], [0, 1, 0]]);
  useBeforePhysicsStep(() => box.current.addForce({ x: 0, y: 1, z: 0 }, true));
  return h('group', null,
    h(RigidBody, { ref: anchor, type: 'fixed' }),
    h(RigidBody, { ref: box, onCollisionEnter: console.log }, h('mesh', null, h('boxGeometry'))),
    h(CuboidCollider, { args: [1, 1, 1] }));
}
globalThis.main = () => h(Canvas, null, h(Physics, null, h(Pendulum)));
`;

/** The packages that such a page has anyway. */
const OF_FIBER_PAGES = /^(?:react|@react-three\/fiber|three)(?:\/|$)/;

/** Most of the library's part of such a page, in bytes, without what it has anyway. Worlds are in it. */
const FIBER_LIMIT = 104_300;

test.each([
  ['a world', WORLD, 'dist/world/page/', WORLD_LIMIT],
  ['a page of fiber', FIBER_PAGE, 'dist/react/', FIBER_LIMIT],
])('%s stays within the limit, without engine', async (name, code, own, limit) => {
  const size = await bundleSize(consumer.folder, code, OF_FIBER_PAGES);
  const { entry, later, modules, laterModules } = size;
  console.log(`${name}: ${entry} bytes, ${later} when needed`);
  expect(entry).toBeGreaterThan(5000);
  expect(entry).toBeLessThanOrEqual(limit);
  expect(modules.join()).toContain(own);
  expect(modules.filter((path) => /rapier3d|\.wasm/.test(path))).toEqual([]);
  // With the transport `local`, the page loads what a worker would: when it is asked for.
  expect(
    unusedIn(modules.map(withinDist), [
      'sim-worker',
      'rapier/',
      'world/worker',
      'three/gltf/',
      ...ROOMS,
    ]),
  ).toEqual([]);
  expect(laterModules.join()).toContain('world/worker/local-world.js');
  expect(unusedIn(laterModules.map(withinDist), ROOMS)).toEqual([]);
});

/** Most of the inspector with its plots, in bytes, whatever loads later with it. */
const INSPECTOR_LIMIT = 25_000;

test('the inspector stays within the limit, with its plots, and is in no other page', async () => {
  const code = `import { showInspector } from 'betwixt/inspector'; globalThis.main = showInspector;`;
  const { entry, later, modules } = await bundleSize(consumer.folder, code);
  console.log(`the inspector: ${entry} bytes of entry, ${later} when needed`);
  expect(entry).toBeGreaterThan(5000);
  expect(entry + later).toBeLessThanOrEqual(INSPECTOR_LIMIT);
  expect(modules.join()).toContain('dist/inspector/plots.js');
  expect(unusedIn(modules.map(withinDist), ['sim-worker', 'session/', 'three', ...ROOMS])).toEqual(
    [],
  );
});

/** A typical simulation: bodies, a command, a query, random numbers, and its state as bytes. */
const PLAIN_WORKER = `
import { runSimulation } from 'betwixt/worker';
let context, body;
let speed = 1;
export const simulation = runSimulation({
  init(given) {
    context = given;
    body = context.bodies.spawn({ x: 0, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
  },
  step(dt, tick) {
    context.bodies.setPose(body, speed * tick * dt, context.random.between(0, 1), 0, 0, 0, 0, 1);
  },
  commands: { setSpeed: (value) => { speed = value; } },
  queries: { id: () => body },
  save: () => new Uint8Array([speed]),
  restore(bytes) { speed = bytes[0]; },
});
`;

/** Most of the worker's script with its imports, in bytes. An engine is extra, and so is memory that is not shared. */
const WORKER_LIMIT = 31_500;

/** Names of files and folders that a plain worker does not need. */
const UNUSED_BY_WORKERS = [
  ...ROOMS,
  'render-main',
  'worker-mirror',
  'protocol/transfer',
  'message-shape',
  'create-buffer',
  'rapier/',
  'recording/recording-',
  'testing',
];

test('a plain worker stays within the limit, without the parts that it does not use', async () => {
  const { entry, later, modules } = await workerSize(consumer.folder, PLAIN_WORKER);
  console.log(`a plain worker: ${entry} bytes, ${later} when needed`);
  expect(entry).toBeGreaterThan(5000);
  expect(entry).toBeLessThanOrEqual(WORKER_LIMIT);
  const own = modules.map(withinDist);
  expect(own).toContain('sim-worker/loop/loop.js');
  expect(unusedIn(own, UNUSED_BY_WORKERS)).toEqual([]);
});
