/** Entry point for simulations without a worker: `betwixt/local`. */
export { runLocally } from './run-locally.js';
