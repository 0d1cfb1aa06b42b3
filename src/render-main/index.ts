/** Entry point for pages: `betwixt`. */
export { connect } from './connect.js';
export { fromNodeWorker, type CreateWorker, type WorkerLike } from './api/create-worker.js';
export { FrameLimiter } from './frame/frame-limiter.js';
export {
  NotIsolatedError,
  QueueFullError,
  ReplayShownError,
  SimulationDisposedError,
  SnapshotFormatError,
  WorkerFailedError,
} from '../shared/util/errors.js';
export type { AssetStore } from './session/page-assets.js';
export type { CallOptions, ReplaceOptions, WhenStateDiffers } from './api/call-options.js';
export type { ConnectOptions, InterpolationMode } from './api/connect-options.js';
export type { OpenReplayOptions, Replay } from './session/replay.js';
export type { SampledFrame } from './frame/frame.js';
export type { SimulationHandle } from './api/simulation-handle.js';
export type { SimulationStatistics } from './api/simulation-statistics.js';
export type { SimulationStatus } from './session/simulation-status.js';
export type {
  BodyEvent,
  CollisionEvent,
  CollisionPoint,
  ContactEvent,
  ContactForceEvent,
  EventStamp,
  SensorEvent,
  SleepEvent,
} from '../shared/events/simulation-event.js';
export type { Transport } from '../shared/protocol/transport.js';
