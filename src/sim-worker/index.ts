/** Entry point for worker scripts: `betwixt/worker`. */
export { replay, type ReplayOptions } from './replay.js';
export { Random } from '../shared/random.js';
export { StateHash } from '../shared/state-hash.js';
export type { CommandMap, ReplayReport } from '../shared/control-protocol.js';
export type { EventMap } from '../shared/simulation-event.js';
export { runSimulation } from './run-simulation.js';
export type { RestartOptions, Simulation, SimulationContext } from './simulation.js';
export type { InputKind, InputValues, TickInput } from '../shared/input-event.js';
export type {
  InvalidPosePolicy,
  Json,
  Recording,
  RecordingEntry,
  RunDescription,
  SavedState,
} from '../shared/recording.js';
export { decodeRecording, encodeRecording } from '../shared/recording-file.js';
export type { Bodies, Pose } from './api/bodies.js';
export type { Events } from './api/events.js';
export { browserHost, type WorkerHost } from './host.js';
export { nodeHost } from './node-host.js';
export { slotOf, type BodyId } from '../shared/body-meta.js';
export { CapacityExceededError, RecordingFormatError } from '../shared/errors.js';
export { HeldInputs, type WheelTurn } from '../shared/held-inputs.js';
export type { HeldPointer } from '../shared/held-pointers.js';
export { KEY_NAMES, keyCode, keyName, type KeyName } from '../shared/key-codes.js';
