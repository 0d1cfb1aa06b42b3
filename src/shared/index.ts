/** Entry point for code that runs on either side: `betwixt/shared`. */
export { generationOf, slotOf, type BodyId } from './body-meta.js';
export {
  CapacityExceededError,
  NotIsolatedError,
  SimulationDisposedError,
  SnapshotFormatError,
  WorkerFailedError,
} from './errors.js';
