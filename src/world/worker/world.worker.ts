/** The worker script of worlds that are created without one. */
import { compiledEngine, setCompiledEngine } from '../shared/compiled-engine.js';
import { moduleOf } from '../../rapier/engine-memory.js';
import { loadRapier } from '../../rapier/load-simd.js';
import { runWorld } from './index.js';

// The page's first message, if it has the engine of a worker before. It is here before the engine's script.
addEventListener('message', ({ data }: MessageEvent<unknown>) => setCompiledEngine(data), {
  once: true,
});

async function load(): Promise<void> {
  const rapier = await loadRapier();
  if (compiledEngine() === undefined) postMessage(moduleOf(rapier));
}
// The engine is needed when the page asks, and takes longest. An error is reported then.
load().catch(() => {});

export const simulation = runWorld();
