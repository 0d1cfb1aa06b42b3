/** Creates a scene in an engine; only that engine is loaded. */
import { requireChoice, requireInteger } from '../../src/shared/util/validate.js';
import type { Bodies } from '../../src/sim-worker/index.js';
import type { BenchScene } from '../scenes/index.js';
import {
  ENGINE_NAMES,
  type BenchOptions,
  type BenchWorld,
  type EngineName,
} from './bench-world.js';

/**
 * @param bodies Where the poses are published; its capacity must suffice for the scene's bodies and
 * its probe.
 * @throws RangeError if there is no such engine, or an option is out of range.
 * @throws CapacityExceededError if there is no room for the bodies.
 */
export async function createBenchWorld(
  engine: EngineName,
  scene: BenchScene,
  bodies: Bodies,
  options: BenchOptions = {},
): Promise<BenchWorld> {
  requireChoice('engine', engine, ENGINE_NAMES);
  const { solverIterations } = options;
  if (solverIterations !== undefined) requireInteger('solverIterations', solverIterations, 1, 255);
  if (engine === 'cannon') {
    const { createCannonBench } = await import('./cannon-bench.js');
    return createCannonBench(scene, bodies, options);
  }
  if (engine === 'jolt') {
    const { createJoltBench } = await import('./jolt-bench.js');
    return createJoltBench(scene, bodies, options);
  }
  const { createRapierBench } = await import('./rapier-bench.js');
  const build = engine === 'rapier-simd' ? 'simd' : engine === 'rapier' ? 'plain' : 'deterministic';
  return createRapierBench(build, scene, bodies, options);
}
