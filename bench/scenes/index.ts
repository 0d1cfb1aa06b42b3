/** Entry point of the scenes. */
export * from './bench-scene.js';
export { createScene, type SceneOptions } from './create-scene.js';
