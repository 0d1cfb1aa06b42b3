/** betwixt, as an application uses it: `connect`, a binding to three.js, and a sample a frame. */
import { BoxGeometry, InstancedMesh, Mesh, MeshBasicMaterial } from 'three';
import { connect, type ConnectOptions } from '../../../src/render-main/index.js';
import { BodyBinding } from '../../../src/three/index.js';
import type { BodyId } from '../../../src/shared/index.js';
import type { BenchScene } from '../../scenes/index.js';
import type { PeerSetup } from './betwixt-simulation.js';
import type { simulation } from './betwixt.worker.js';
import type { Contestant, OpenContestant } from './contestant.js';
import { instancedXOf, instancedZOf } from './drawn-bodies.js';
import { tuned } from '../../../src/render-main/api/connect-options.js';

/** Interval of reading statistics, in frames: as an application would show them. */
const AGE_EVERY = 24;

/** Defaults, except that a failed worker is replaced, and an overloaded engine may take long for a step. */
const OPTIONS: ConnectOptions = tuned(
  { tickRateHz: 60, recovery: 'restart' },
  { hangLimitMs: 20_000, restartAfterMs: 20_000, startTimeoutMs: 120_000 },
);

export const openBetwixtRapier: OpenContestant = (scene) => open('rapier', scene, true);
export const openBetwixtRapierMeshes: OpenContestant = (scene) => open('rapier', scene, false);
export const openBetwixtCannon: OpenContestant = (scene) => open('cannon', scene, true);

/** @param isInstanced Whether boxes are instances of one mesh, or separate meshes. */
async function open(
  engine: PeerSetup['engine'],
  scene: BenchScene,
  isInstanced: boolean,
): Promise<Contestant> {
  const setup: PeerSetup = { engine, scene };
  const sim = await connect<typeof simulation>(
    () => new Worker(new URL('./betwixt.worker.ts', import.meta.url), { type: 'module' }),
    { ...OPTIONS, capacity: scene.bodies.length + 2, setup: JSON.parse(JSON.stringify(setup)) },
  );
  const { boxes, single, instanced } = await sim.queries.ids();
  const [geometry, material] = [new BoxGeometry(), new MeshBasicMaterial()];
  const binding = new BodyBinding();
  const mesh = new InstancedMesh(geometry, material, isInstanced ? boxes.length + 1 : 1);
  const instances = binding.instances(mesh);
  for (const id of boxes) {
    if (isInstanced) instances.add(id as BodyId);
    else binding.attach(new Mesh(geometry, material), id as BodyId);
  }
  instances.add(instanced);
  const singleMesh = new Mesh(geometry, material);
  binding.attach(singleMesh, single);
  let frames = 0;
  return {
    frame(stampMs) {
      binding.update(sim.sample(stampMs));
      frames += 1;
    },
    singleX: () => singleMesh.position.x,
    instancedX: () => instancedXOf(mesh),
    singleZ: () => singleMesh.position.z,
    instancedZ: () => instancedZOf(mesh),
    ageMs: () => (frames % AGE_EVERY === 0 ? sim.stats().delayMs : Number.NaN),
    takeOutsideMs: () => 0,
    begin: () => sim.resetStats(),
    tick() {
      const { stepMs, droppedTicks } = sim.stats();
      return { p50Ms: stepMs.p50, p99Ms: stepMs.p99, dropped: droppedTicks };
    },
    teleport: (x) => sim.commands.teleport(x),
    push: (z) => void sim.commands.push(z),
    failNextStep: () => sim.queries.failNextStep(),
    dispose: () => sim.dispose(),
  };
}
