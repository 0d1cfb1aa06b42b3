/** Entry point for code that runs on either side: `betwixt/shared`. */
export { generationOf, slotOf, type BodyId } from './body-meta.js';
export {
  CapacityExceededError,
  NotIsolatedError,
  SimulationDisposedError,
  SnapshotFormatError,
  WorkerFailedError,
} from './errors.js';
export { HeldInputs, type WheelTurn } from './held-inputs.js';
export type { HeldPointer } from './held-pointers.js';
export { KEY_NAMES, keyCode, keyName, type KeyName } from './key-codes.js';
export { Random } from './random.js';
export { StateHash } from './state-hash.js';
export type { Json, Recording, RecordingEntry, RunDescription, SavedState } from './recording.js';
export {
  decodeRecording,
  decodeSavedState,
  encodeRecording,
  encodeSavedState,
} from './recording-file.js';
