/** Entry point for code that runs on either side: `betwixt/shared`. */
export { slotOf, type BodyId } from './body-meta.js';
export {
  CapacityExceededError,
  NotIsolatedError,
  SimulationDisposedError,
  SnapshotFormatError,
  WorkerFailedError,
  type WorkerFailureStage,
} from './errors.js';
export { HeldInputs, type WheelTurn } from './held-inputs.js';
export type { HeldPointer } from './held-pointers.js';
export { KEY_NAMES, keyCode, keyName, type KeyName } from './key-codes.js';
export { Random } from './random.js';
export { StateHash } from './state-hash.js';
export type { TickInput } from './input-event.js';
export type {
  InvalidPosePolicy,
  Json,
  Recording,
  RecordingEntry,
  RunDescription,
  SavedState,
} from './recording.js';
export {
  decodeRecording,
  decodeSavedState,
  encodeRecording,
  encodeSavedState,
  type SavedStateFile,
} from './recording-file.js';
