/**
 * `npm run bench:level`: what a level of a glTF file costs: 58,000 triangles in 29 meshes whose names end with `-col`, on which
 * 100 balls roll. The file is loaded already: that is the loader's part.
 */
import { Worker } from 'node:worker_threads';
import { Group, Mesh, PlaneGeometry } from 'three';
import { EXIT_CODES } from '../scripts/cli/exit-codes.js';
import { runCommand } from '../scripts/cli/run-command.js';
import { printTable } from '../scripts/cli/table.js';
import { typescriptThread } from '../scripts/typescript-thread.js';
import { fromNodeWorker } from '../src/render-main/index.js';
import { addGltf } from '../src/three/index.js';
import { ColliderDesc, RigidBodyDesc, createWorld } from '../src/world/page/index.js';
import { median } from './world-measurements.js';

const MESHES = 29;
/** Of each mesh; a square is two triangles. */
const SQUARES = [25, 40] as const;
const SIDE_M = 40;
const BALLS = 100;
const REPEATS = 9;
const TICKS = 300;

/** Hills, different in each mesh. */
function hills(index: number): Mesh {
  const geometry = new PlaneGeometry(SIDE_M, SIDE_M, ...SQUARES).rotateX(-Math.PI / 2);
  const points = geometry.getAttribute('position');
  for (let at = 0; at < points.count; at++) {
    points.setY(at, Math.sin(points.getX(at) + index) + Math.cos(0.7 * points.getZ(at)));
  }
  const mesh = new Mesh(geometry);
  mesh.name = `Hills${index}-col`;
  mesh.position.x = index * SIDE_M;
  return mesh;
}

/** As a loader returns it. */
function loadedLevel() {
  const meshes = Array.from({ length: MESHES }, (_, index) => hills(index));
  const scene = new Group().add(...meshes);
  const nodes = meshes.map(({ name }) => ({ name }));
  const getDependency = (_type: string, index: number) => Promise.resolve(meshes[index]);
  const parser = { json: { nodes }, extensions: {}, plugins: {}, getDependency };
  return { scene, scenes: [scene], parser };
}

const createWorker = () =>
  fromNodeWorker(
    new Worker(new URL('./world-node.worker.ts', import.meta.url), { ...typescriptThread }),
  );

async function measureLevel() {
  const world = createWorld({ startPaused: true, recovery: 'none', createWorker });
  const simulation = await world.ready;
  await simulation.step(60);
  const emptyBytes = (await simulation.save()).bytes.length;
  const gltf = loadedLevel();
  const beginMs = performance.now();
  const level = await addGltf(world, gltf);
  world.flush();
  const pageMs = performance.now() - beginMs;
  await simulation.step(1);
  const solidMs = performance.now() - beginMs;
  const stateBytes = (await simulation.save()).bytes.length - emptyBytes;
  for (let index = 0; index < BALLS; index++) {
    const body = RigidBodyDesc.dynamic().setTranslation((index % MESHES) * SIDE_M, 5, index / 10);
    world.createCollider(ColliderDesc.ball(0.5), world.createRigidBody(body));
  }
  await simulation.step(1);
  const ticksMs = performance.now();
  await simulation.step(TICKS);
  const tickMs = (performance.now() - ticksMs) / TICKS;
  level.remove();
  await world.dispose();
  return { pageMs, solidMs, tickMs, stateBytes };
}

async function main(): Promise<number> {
  const runs: Awaited<ReturnType<typeof measureLevel>>[] = [];
  for (let run = 0; run < REPEATS; run++) runs.push(await measureLevel());
  const of = (name: keyof (typeof runs)[number]) => median(runs.map((run) => run[name]));
  const ms = (name: 'pageMs' | 'solidMs' | 'tickMs') => `${of(name).toPrecision(3)} ms`;
  printTable([
    [`${2 * SQUARES[0] * SQUARES[1] * MESHES} triangles in ${MESHES} meshes`, 'median'],
    ['addGltf, on the page', ms('pageMs')],
    ['until a tick has them', ms('solidMs')],
    [`a tick with ${BALLS} balls on them`, ms('tickMs')],
    ['added to a saved state', `${(of('stateBytes') / 2 ** 20).toPrecision(3)} MiB`],
  ]);
  return EXIT_CODES.done;
}

process.exit(await runCommand('bench:level', main));
