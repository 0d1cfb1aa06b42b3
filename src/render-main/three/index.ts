/** Entry point for three.js: `betwixt/three`. */
export {
  BodyBinding,
  InstancedBodies,
  type BodyInstance,
  type PopulateOptions,
} from './body-binding.js';
export { planeCoordinates } from './plane-coordinates.js';
