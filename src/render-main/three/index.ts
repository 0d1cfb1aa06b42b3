/** Entry point for three.js: `betwixt/three`. */
export { BodyBinding, InstancedBodies } from './body-binding.js';
export { planeCoordinates } from './plane-coordinates.js';
