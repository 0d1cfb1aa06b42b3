/** Entry point for pages: `betwixt`. */
export { connect } from './connect.js';
export type { ConnectOptions, HiddenPolicy, RecoveryPolicy } from './options.js';
export { SimulationHandle, type EventOf } from './simulation-handle.js';
export type { PauseReason } from './session.js';
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
export { fromNodeWorker } from './node-worker.js';
export type { InputKind, InputSink, InputValues } from '../shared/input-event.js';
export type { ReplayReport } from '../shared/control-protocol.js';
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
  OwnEvent,
  SensorEvent,
  SleepEvent,
} from '../shared/simulation-event.js';
export {
  decodeRecording,
  decodeSavedState,
  encodeRecording,
  encodeSavedState,
} from '../shared/recording-file.js';
export type { WatchdogOptions, WatchdogState } from '../shared/watchdog.js';
export type { BodyId } from '../shared/body-meta.js';
export type { CommandMap, RemoteCommands } from '../shared/control-protocol.js';
export {
  CapacityExceededError,
  NotIsolatedError,
  QueueFullError,
  RecordingFormatError,
  ReplayShownError,
  SimulationDisposedError,
  SnapshotFormatError,
  WorkerFailedError,
} from '../shared/errors.js';
export { FrameLimiter } from '../shared/frame-limiter.js';
export type { Percentiles } from '../shared/histogram.js';
export type { StepperOptions } from '../shared/steppers/registry.js';
export { WORKER_STEPPERS, type WorkerStepperKind } from '../shared/steppers/worker-steppers.js';
export { INTERPOLATION_MODES, type InterpolationMode } from '../shared/timeline.js';
export type { GamepadSource, GamepadSourceOptions } from './inputs/gamepad-source.js';
export { gamepadSource } from './inputs/gamepad-source.js';
export type { InputSource } from './inputs/input-source.js';
export { isTyping, keyboardSource, type KeyboardSourceOptions } from './inputs/keyboard-source.js';
export { toDeviceCoordinates, type ToCoordinates } from './inputs/pointer-geometry.js';
export {
  POINTER_MOVES,
  pointerSource,
  type PointerMoves,
  type PointerSourceOptions,
} from './inputs/pointer-source.js';
export { KEY_NAMES, keyCode, keyName, type KeyName } from '../shared/key-codes.js';
