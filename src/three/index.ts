/** Entry point for three.js: `betwixt/three`. */
export {
  BodyBinding,
  type BodyInstance,
  type PopulateOptions,
  type RayHit,
} from './body-binding.js';
export type { AttachOptions } from './attached-objects.js';
export { InstancedBodies } from './instanced-bodies.js';
export { OrderedBodies, type OrderedIds, type OrderedOptions } from './instanced-bodies.js';
export { planeCoordinates } from './scene-pointer.js';
export { shapeOf, type ShapeKind } from './shape-of.js';
export { meshPhysics, type MeshPhysics } from './mesh-physics.js';
export type { MeshPhysicsSettings } from './placed-meshes.js';
export { measureRenderer, type MeasuredRenderer } from './measure-renderer.js';
export { dragBodies, type BodyPicker, type DragOptions } from './scene-pointer.js';
export type { Triangles } from './drawn-geometry.js';
export { trianglesOf } from './scene-triangles.js';
export { watchContext } from './watch-context.js';
export { WorldHelper } from './world-helper.js';
export { addGltf, type AddGltfOptions, type AddedGltf } from './gltf/add-gltf.js';
export type { LoadedGltf } from './gltf/gltf-file.js';
