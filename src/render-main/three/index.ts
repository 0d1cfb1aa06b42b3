/** Entry point for three.js: `betwixt/three`. */
export { BodyBinding, type BodyInstance, type PopulateOptions } from './body-binding.js';
export type { AttachOptions } from './attached-objects.js';
export { InstancedBodies } from './instanced-bodies.js';
export { OrderedBodies, type OrderedIds } from './ordered-bodies.js';
export { planeCoordinates } from './plane-coordinates.js';
