/** Creates a scene in an engine; only that engine is loaded. */
import { requireChoice } from '../../src/shared/util/validate.js';
import type { Bodies } from '../../src/sim-worker/index.js';
import type { BenchScene } from '../scenes/index.js';
import { ENGINE_NAMES, type BenchWorld, type EngineName } from './bench-world.js';

/**
 * @param bodies Where the poses are published; its capacity must suffice for the scene's bodies.
 * @throws RangeError if there is no such engine.
 * @throws CapacityExceededError if there is no room for the bodies.
 */
export async function createBenchWorld(
  engine: EngineName,
  scene: BenchScene,
  bodies: Bodies,
): Promise<BenchWorld> {
  requireChoice('engine', engine, ENGINE_NAMES);
  if (engine === 'cannon') {
    const { createCannonBench } = await import('./cannon-world.js');
    return createCannonBench(scene, bodies);
  }
  if (engine === 'jolt') {
    const { createJoltBench } = await import('./jolt-bench.js');
    return createJoltBench(scene, bodies);
  }
  const { createRapierBench } = await import('./rapier-bench.js');
  const build = engine === 'rapier-simd' ? 'simd' : engine === 'rapier' ? 'plain' : 'deterministic';
  return createRapierBench(build, scene, bodies);
}
