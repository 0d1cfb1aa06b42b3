/** Entry point for pages: `betwixt`. */
export { connect } from './connect.js';
export type { ConnectOptions, HiddenPolicy } from './options.js';
export { SimulationHandle, type PauseReason } from './simulation-handle.js';
export type { SampledFrame } from './sampled-frame.js';
export type {
  SimulationState,
  SimulationStatistics,
  WorkerCounters,
  WorkerCounts,
} from './simulation-statistics.js';
export type { ClockAlignment } from './clock-alignment.js';
export type { WorkerLike } from './worker-like.js';
export { fromNodeWorker } from './node-worker.js';
export type { BodyId } from '../shared/body-meta.js';
export type { CommandMap, RemoteCommands } from '../shared/control-protocol.js';
export {
  CapacityExceededError,
  NotIsolatedError,
  SimulationDisposedError,
  SnapshotFormatError,
  WorkerFailedError,
} from '../shared/errors.js';
export { FrameLimiter } from '../shared/frame-limiter.js';
export type { Percentiles } from '../shared/histogram.js';
export type { StepperOptions } from '../shared/steppers/registry.js';
export { WORKER_STEPPERS, type WorkerStepperKind } from '../shared/steppers/worker-steppers.js';
export { INTERPOLATION_MODES, type InterpolationMode } from '../shared/timeline.js';
