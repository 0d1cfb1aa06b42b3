/**
 * `npm run bench:rapier-builds`: the builds of Rapier compared in Node: what a page downloads, how fast they step, and
 * whether restored worlds continue with the same bits. Further packages can be named:
 *
 *     npm install --no-save old@npm:@dimforge/rapier3d-simd-compat@0.19.3
 *     npm run bench:rapier-builds -- old
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { Rapier } from '../src/sim-worker/engines/rapier.js';
import { measureRestoredRuns } from './engines/restored-runs.js';

const PACKAGES = [
  '@dimforge/rapier3d-simd-compat',
  '@dimforge/rapier3d-compat',
  '@dimforge/rapier3d-deterministic-compat',
  'rapier3d-compat-0.19',
  ...process.argv.slice(2),
];
const STEP_TICKS = 600;
/** The best of several: everything else only adds to it. */
const STEP_ROUNDS = 4;

interface Loaded {
  readonly name: string;
  readonly rapier: Rapier;
  readonly gzipBytes: number;
}

async function load(name: string): Promise<Loaded> {
  const rapier = (await import(name)) as Rapier;
  // Version 0.19 warns of how it calls its own initializer.
  const { warn } = console;
  console.warn = () => {};
  await rapier.init();
  console.warn = warn;
  const script = createRequire(import.meta.url)
    .resolve(name)
    .replace(/\.cjs$/, '.mjs');
  return { name, rapier, gzipBytes: gzipSync(readFileSync(script), { level: 9 }).length };
}

/** 500 boxes that fall on a heap. @returns Milliseconds of processor time a step, which another process does not change. */
function stepMs({ rapier }: Loaded): number {
  const { ColliderDesc, RigidBodyDesc } = rapier;
  const world = new rapier.World({ x: 0, y: -9.81, z: 0 });
  world.createCollider(ColliderDesc.cuboid(30, 1, 30).setTranslation(0, -1, 0));
  for (let index = 0; index < 500; index++) {
    const [x, y, z] = [(index % 7) * 1.1 - 3.3, 1 + index * 0.15, (index % 6) * 1.1 - 2.8];
    const body = world.createRigidBody(
      RigidBodyDesc.dynamic().setTranslation(x, y, z).setCanSleep(false),
    );
    world.createCollider(ColliderDesc.cuboid(0.5, 0.5, 0.5), body);
  }
  const start = process.cpuUsage();
  for (let tick = 0; tick < STEP_TICKS; tick++) world.step();
  const ms = process.cpuUsage(start).user / 1000 / STEP_TICKS;
  world.free();
  return ms;
}

const loaded = await Promise.all(PACKAGES.map(load));
const best = loaded.map(() => Infinity);
for (let round = 0; round < STEP_ROUNDS; round++) {
  loaded.forEach((one, index) => {
    best[index] = Math.min(best[index] ?? Infinity, stepMs(one));
  });
}
console.table(
  Object.fromEntries(
    loaded.map(({ name, rapier, gzipBytes }, index) => {
      const { saved, differing, firstAfter, hash } = measureRestoredRuns(rapier);
      return [
        `${name} ${rapier.version()}`,
        {
          'gzip kB': Math.round(gzipBytes / 1000),
          'ms a step': Number((best[index] ?? Number.NaN).toFixed(2)),
          'restored runs that differ': `${differing} of ${saved}`,
          'first after ticks': firstAfter ?? '–',
          'last state': hash,
        },
      ];
    }),
  ),
);
