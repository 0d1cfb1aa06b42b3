/** Entry point for what pages, worker scripts and tools share: `betwixt/shared`. */
export { slotOf, type BodyId } from './memory/body-meta.js';
export type { Json } from './util/json.js';
export type { TypedArray } from './util/command-arguments.js';
export { RecordingFormatError } from './util/errors.js';
export { keyCode, type KeyName } from './input/key-codes.js';
export { seatOf } from './input/seats.js';
export { InputState, type WheelDelta } from './input/input-state.js';
export type { PointerState } from './input/input-state.js';
export { assetName, type Asset } from './recording/asset.js';
export type { AssetName } from './recording/asset.js';
export { Random } from './recording/random.js';
export { StateHash } from './recording/state-hash.js';
export type { KeptMark, Recording, RecordingEntry, SavedState } from './recording/recording.js';
export { decodeRecording, encodeRecording } from './recording/recording-file.js';
export type { ReplayReport } from './protocol/control-protocol.js';
