/** Entry point for simulations without a worker: `betwixt/local`. */
export { runLocally, type LocalWorker } from './run-locally.js';
