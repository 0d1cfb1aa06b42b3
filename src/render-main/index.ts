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
} from './api/connect-options.js';
export type { CallOptions } from './queues/call-limits.js';
export type { EventOf, SimulationHandle } from './session/simulation-handle.js';
export type { Replay, ReplayState } from './session/replay.js';
export type { PauseReason } from './session/pauses.js';
export type { SimulationStatus, StatusHandler } from './api/simulation-status.js';
export type { EventHandlerOptions, EventMoment } from './queues/event-dispatcher.js';
export type { SampledFrame } from './frame/sampled-frame.js';
export type {
  SimulationState,
  SimulationStatistics,
  WorkerCounters,
  WorkerCounts,
} from './session/simulation-statistics.js';
export type { ClockAlignment } from './worker/clock-alignment.js';
export type { WorkerLike } from './worker/worker-like.js';
export type { ChosenTransport, CreateWorker } from './worker/transport.js';
export { TRANSPORTS, type Transport } from '../shared/protocol/transport.js';
export type { ClockOffset } from '../shared/time/clock-sync.js';
export type { FrameSummary } from './frame/frame-statistics.js';
export { fromNodeWorker, type NodeWorker } from './worker/node-worker.js';
export type { InputKind, InputSink, InputValues, TickInput } from '../shared/input/input-event.js';
export type { ReplayReport, WorkerNotice } from '../shared/protocol/control-protocol.js';
export type {
  InvalidPosePolicy,
  Recording,
  RecordingEntry,
  RunDescription,
  SavedState,
} from '../shared/recording/recording.js';
export type { Json } from '../shared/util/json.js';
export type {
  BuiltInEvents,
  ContactEvent,
  ContactForceEvent,
  EventMap,
  EventStamp,
  UserEvent,
  Point,
  SensorEvent,
  SleepEvent,
} from '../shared/events/simulation-event.js';
export type { WatchdogOptions, WatchdogState } from '../shared/statistics/watchdog.js';
export type { BodyId } from '../shared/memory/body-meta.js';
export type { CommandMap, RemoteCommands } from '../shared/protocol/control-protocol.js';
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
} from '../shared/util/errors.js';
export { FrameLimiter } from './frame/frame-limiter.js';
export type { Percentiles } from '../shared/statistics/histogram.js';
export type { BoundedVariableOptions } from '../shared/loops/bounded-variable.js';
export type { FixedPredictOptions } from '../shared/loops/fixed-predict.js';
export type { FrameLockedOptions } from '../shared/loops/frame-locked.js';
export type { FrameSkipOptions } from '../shared/loops/frame-skip.js';
export type { SemiFixedOptions } from '../shared/loops/semi-fixed.js';
export type { VariableOptions } from '../shared/loops/variable.js';
export {
  WORKER_STEPPERS,
  type WorkerFixedOptions,
  type WorkerRateGroupsOptions,
  type WorkerStepperKind,
  type WorkerStepperOptions,
} from '../shared/loops/worker-steppers.js';
export { INTERPOLATION_MODES, type InterpolationMode } from './frame/timeline.js';
