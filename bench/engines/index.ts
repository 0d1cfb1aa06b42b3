/** Entry point of the engines that are measured. */
export { ENGINE_NAMES, respawnFallen, type BenchWorld, type EngineName } from './bench-world.js';
export { createBenchWorld } from './create-bench-world.js';
