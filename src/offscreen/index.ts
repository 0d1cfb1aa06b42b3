/** Entry point for pages whose canvas is drawn by a worker: `betwixt/offscreen`. */
export {
  canRenderInWorker,
  renderInWorker,
  type WorkerCanvas,
  type WorkerCanvasOptions,
} from './render-in-worker.js';
