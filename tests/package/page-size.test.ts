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

const INSPECTOR = `import { showInspector } from 'betwixt/inspector'; globalThis.main = showInspector;`;

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

interface Bundle {
  readonly code: string;
  /** Whether it is a worker's script. */
  readonly isWorker?: true;
  /** The most that it has with all that it imports, in bytes. */
  readonly limit: number;
  /** Whether what is loaded later counts as well. */
  readonly isWhole?: true;
  /** One of its modules. */
  readonly own: string;
  /** Parts of paths that are in none of its modules. */
  readonly unused: readonly string[];
  /** A module that is loaded when it is asked for. */
  readonly later?: string;
}

/** Files for rooms alone. */
const ROOMS = 'rooms/';
const OF_WORKERS = ['sim-worker', 'rapier/', ROOMS];
/** With the transport `local`, pages of worlds load what a worker would: when it is asked for. */
const OF_WORLDS = {
  unused: [...OF_WORKERS, 'world/worker', 'three/gltf/'],
  later: 'world/worker/local-world.js',
};

/** An engine is in none, and neither is memory that is not shared. */
const BUNDLES: Readonly<Record<string, Bundle>> = {
  'a plain application': {
    code: PLAIN,
    limit: 42_000,
    own: 'render-main/frame/timeline.js',
    unused: [
      ...OF_WORKERS,
      'world/',
      'three',
      'recording-file',
      'inputs/',
      'frame-limiter',
      'inspector/',
      'vite',
    ],
  },
  'the whole entry point': {
    code: WHOLE,
    limit: 42_600,
    own: 'render-main/frame/timeline.js',
    unused: [],
  },
  'a world': { code: WORLD, limit: 77_500, own: 'world/page/', ...OF_WORLDS },
  // Worlds are in it.
  'a page of fiber': { code: FIBER_PAGE, limit: 104_300, own: 'react/', ...OF_WORLDS },
  'the inspector': {
    code: INSPECTOR,
    limit: 25_000,
    isWhole: true,
    own: 'inspector/plots.js',
    unused: ['sim-worker', 'session/', 'three', ROOMS],
  },
  'a plain worker': {
    code: PLAIN_WORKER,
    isWorker: true,
    limit: 31_500,
    own: 'sim-worker/loop/loop.js',
    unused: [
      ROOMS,
      'render-main',
      'worker-mirror',
      'protocol/transfer',
      'message-shape',
      'create-buffer',
      'rapier/',
      'recording/recording-',
      'testing',
    ],
  },
};

/** The packages that a page of fiber has anyway. */
const OF_FIBER_PAGES = /^(?:react|@react-three\/fiber|three)(?:\/|$)/;

const filesOfPackage = readdirSync(join(packageFolder, 'dist'), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((path) => path.endsWith('.js'))
  .map((path) => path.replaceAll('\\', '/'));

/** @returns The library's modules whose paths contain one of these parts. */
function usedIn(modules: readonly string[], parts: readonly string[]): string[] {
  // A part that is in no path of the package would check nothing: its file may have been renamed.
  expect(parts.filter((part) => !filesOfPackage.some((path) => path.includes(part)))).toEqual([]);
  return modules.filter((path) => parts.some((part) => path.includes(part)));
}

const ownOf = (modules: readonly string[]): string[] =>
  modules.flatMap((path) => /betwixt\/dist\/(.*)/.exec(path)?.[1] ?? []);

test.each(Object.entries(BUNDLES))(
  '%s stays within the limit, without the parts that it does not use',
  async (name, { code, isWorker = false, limit, isWhole = false, own, unused, later }) => {
    const size = isWorker
      ? await workerSize(consumer.folder, code)
      : await bundleSize(consumer.folder, code, OF_FIBER_PAGES);
    console.log(`${name}: ${size.entry} bytes, ${size.later} when needed`);
    expect(size.entry).toBeGreaterThan(5000);
    expect(size.entry + (isWhole ? size.later : 0)).toBeLessThanOrEqual(limit);
    const modules = ownOf(size.modules);
    expect(modules.join()).toContain(own);
    expect(usedIn(modules, unused)).toEqual([]);
    expect(size.modules.filter((path) => /rapier3d|\.wasm/.test(path))).toEqual([]);
    const laterModules = ownOf(size.laterModules);
    expect(laterModules.join()).toContain(later ?? '');
    expect(usedIn(laterModules, [ROOMS])).toEqual([]);
  },
);
