/** Entry point for pages: `betwixt`. */
export { connect } from './connect.js';
export type {
  ConnectOptions,
  DisplayOptions,
  HiddenPolicy,
  OverloadPolicy,
  QueueOptions,
  RecordingOptions,
  RecoveryOptions,
  RecoveryPolicy,
} from './connect-options.js';
export type { CallOptions } from './call-limits.js';
export type { EventOf, SimulationHandle } from './simulation-handle.js';
export type { Replay, ReplayState } from './replay.js';
export type { PauseReason } from './pauses.js';
export type { SimulationStatus, StatusHandler } from './simulation-status.js';
export type { EventHandlerOptions, EventMoment } from './event-dispatcher.js';
export type { SampledFrame } from './sampled-frame.js';
export type {
  SimulationState,
  SimulationStatistics,
  WorkerCounters,
  WorkerCounts,
} from './simulation-statistics.js';
export type { ClockAlignment } from './clock-alignment.js';
export type { WorkerLike } from './worker-like.js';
export type { ChosenTransport, CreateWorker } from './transport.js';
export { TRANSPORTS, type Transport } from '../shared/transport.js';
export type { ClockOffset } from '../shared/clock-sync.js';
export type { FrameSummary } from '../shared/frame-statistics.js';
export { fromNodeWorker, type NodeWorker } from './node-worker.js';
export type { InputKind, InputSink, InputValues, TickInput } from '../shared/input-event.js';
export type { ReplayReport, WorkerNotice } from '../shared/control-protocol.js';
export type {
  InvalidPosePolicy,
  Json,
  Recording,
  RecordingEntry,
  RunDescription,
  SavedState,
} from '../shared/recording.js';
export type {
  BuiltInEvents,
  ContactEvent,
  ContactForceEvent,
  EventMap,
  EventStamp,
  OwnEvent,
  Place,
  SensorEvent,
  SleepEvent,
} from '../shared/simulation-event.js';
export type { WatchdogOptions, WatchdogState } from '../shared/watchdog.js';
export type { BodyId } from '../shared/body-meta.js';
export type { CommandMap, RemoteCommands } from '../shared/control-protocol.js';
export {
  CallTimeoutError,
  CapacityExceededError,
  NotIsolatedError,
  QueueFullError,
  RecordingFormatError,
  ReplayShownError,
  SimulationDisposedError,
  SnapshotFormatError,
  WorkerFailedError,
  type WorkerFailureStage,
} from '../shared/errors.js';
export { FrameLimiter } from '../shared/frame-limiter.js';
export type { Percentiles } from '../shared/histogram.js';
export type { BoundedVariableOptions } from '../shared/steppers/bounded-variable.js';
export type { FixedPredictOptions } from '../shared/steppers/fixed-predict.js';
export type { FrameLockedOptions } from '../shared/steppers/frame-locked.js';
export type { FrameSkipOptions } from '../shared/steppers/frame-skip.js';
export type { SemiFixedOptions } from '../shared/steppers/semi-fixed.js';
export type { VariableOptions } from '../shared/steppers/variable.js';
export {
  WORKER_STEPPERS,
  type WorkerFixedOptions,
  type WorkerRateGroupsOptions,
  type WorkerStepperKind,
  type WorkerStepperOptions,
} from '../shared/steppers/worker-steppers.js';
export { INTERPOLATION_MODES, type InterpolationMode } from '../shared/timeline.js';
