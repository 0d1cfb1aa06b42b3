/**
 * A level of a glTF file: 58,000 triangles in 29 meshes whose names end with `-col`, on which 100 balls roll. The file is loaded
 * already: that is the loader's part.
 */
import { Worker } from 'node:worker_threads';
import { Group, Mesh, PlaneGeometry } from 'three';
import { typescriptThread } from '../../scripts/typescript-thread.js';
import { fromNodeWorker } from '../../src/render-main/index.js';
import { addGltf } from '../../src/three/index.js';
import { alternately, tableOf, type FigureTable } from '../tables/figures.js';
import type { PartOptions } from './part.js';
import { ColliderDesc, RigidBodyDesc, createWorld } from '../../src/world/page/index.js';

const MESHES = 29;
/** How many each mesh has; a square is two triangles. */
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

async function runLevel() {
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

export async function measureLevel({ isQuick }: PartOptions): Promise<FigureTable[]> {
  const turns = await alternately([runLevel], isQuick ? 1 : REPEATS, (run) => run());
  const title = `${2 * SQUARES[0] * SQUARES[1] * MESHES} triangles in ${MESHES} meshes`;
  return [
    tableOf({ title }, turns, [
      { what: 'addGltf, on the page', unit: 'ms', of: ({ pageMs }) => pageMs },
      { what: 'until a tick has them', unit: 'ms', of: ({ solidMs }) => solidMs },
      { what: `a tick with ${BALLS} balls on them`, unit: 'ms', of: ({ tickMs }) => tickMs },
      {
        what: 'added to a saved state',
        unit: 'MiB',
        of: ({ stateBytes }) => stateBytes / 2 ** 20,
      },
    ]),
  ];
}
