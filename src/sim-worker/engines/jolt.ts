/** Entry point for simulations that use the Jolt engine: `betwixt/jolt`. */
export {
  JOLT_LAYER,
  JOLT_NAME,
  createJoltInterface,
  loadJolt,
  type Jolt,
  type JoltOptions,
} from './jolt-module.js';
export { JoltWorld } from './jolt-world.js';
