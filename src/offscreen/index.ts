/** Entry point for pages whose canvas is drawn by a worker: `betwixt/offscreen`. */
export { canRenderInWorker } from './can-render.js';
export { renderInWorker, type WorkerCanvas, type WorkerCanvasOptions } from './render-in-worker.js';
