/** Entry point for three.js: `betwixt/three`. */
export { BodyBinding, InstancedBodies } from './body-binding.js';
export { HALF_RATE_PATTERNS, HalfRateDrawing, type HalfRatePattern } from './half-rate-drawing.js';
