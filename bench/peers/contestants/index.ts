/** The contestants by name; each is loaded on demand. */
import type { ContestantName } from '../engine/contestants.js';
import type { Contestant, OpenContestant } from './contestant.js';
import type { BenchScene } from '../../scenes/index.js';

const LOADERS: Readonly<Record<ContestantName, () => Promise<OpenContestant>>> = {
  'betwixt-rapier': async () => (await import('./betwixt.js')).openBetwixtRapier,
  'betwixt-rapier-meshes': async () => (await import('./betwixt.js')).openBetwixtRapierMeshes,
  'betwixt-cannon': async () => (await import('./betwixt.js')).openBetwixtCannon,
  'react-three-rapier': async () => (await import('./react-rapier.js')).openReactRapier,
  'react-three-rapier-instanced': async () =>
    (await import('./react-rapier.js')).openReactRapierInstanced,
  'main-loop': async () => (await import('./main-loop.js')).openMainLoop,
  'interval-worker': async () => (await import('./interval-worker.js')).openIntervalWorker,
  'cannon-worker-api': async () => (await import('./cannon-worker-api.js')).openCannonWorkerApi,
};

export async function openContestant(name: ContestantName, scene: BenchScene): Promise<Contestant> {
  const open = await LOADERS[name]();
  return open(scene);
}

export type { Contestant } from './contestant.js';
