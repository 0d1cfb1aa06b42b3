/** Entry point for three.js: `betwixt/three`. */
export {
  BodyBinding,
  type BodyInstance,
  type PopulateOptions,
  type RayHit,
} from './body-binding.js';
export type { AttachOptions } from './attached-objects.js';
export { InstancedBodies } from './instanced-bodies.js';
export { OrderedBodies, type OrderedIds, type OrderedOptions } from './ordered-bodies.js';
export { planeCoordinates } from './plane-coordinates.js';
export { shapeOf, type ShapeKind } from './shape-of.js';
export { meshPhysics, type MeshPhysics, type MeshPhysicsSettings } from './mesh-physics.js';
export { measureRenderer, type MeasuredRenderer } from './measure-renderer.js';
export { dragBodies, type BodyPicker, type DragOptions } from './drag-bodies.js';
export { WorldHelper } from './world-helper.js';
