/** Entry point for code that runs on either side: `betwixt/shared`. */
export { slotOf, type BodyId } from './memory/body-meta.js';
export {
  CapacityExceededError,
  NotIsolatedError,
  SimulationDisposedError,
  SnapshotFormatError,
  WorkerFailedError,
  type WorkerFailureStage,
} from './util/errors.js';
export { InputState, type WheelDelta } from './input/input-state.js';
export type { PointerState } from './input/pointer-states.js';
export { KEY_NAMES, keyCode, keyName, type KeyName } from './input/key-codes.js';
export { Random } from './recording/random.js';
export { StateHash } from './recording/state-hash.js';
export type { TickInput } from './input/input-event.js';
export type {
  InvalidPosePolicy,
  Recording,
  RecordingEntry,
  RunDescription,
  SavedState,
} from './recording/recording.js';
export type { Json } from './util/json.js';
export {
  decodeRecording,
  decodeSavedState,
  encodeRecording,
  encodeSavedState,
  type SavedStateFile,
} from './recording/recording-file.js';
