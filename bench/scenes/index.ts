/** Entry point of the scenes. */
export * from './bench-scene.js';
export { createScene } from './create-scene.js';
