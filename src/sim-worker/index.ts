/** Entry point for worker scripts: `betwixt/worker`. */
export { replay, type ReplayOptions } from './run/replay.js';
export { Random } from '../shared/recording/random.js';
export { StateHash } from '../shared/recording/state-hash.js';
export type { CommandMap, ReplayReport } from '../shared/protocol/control-protocol.js';
export type { EventMap } from '../shared/events/simulation-event.js';
export { runSimulation } from './run-simulation.js';
export type { RestartOptions, Simulation, SimulationContext } from './api/simulation.js';
export type { InputKind, InputValues, TickInput } from '../shared/input/input-event.js';
export type {
  InvalidPosePolicy,
  Recording,
  RecordingEntry,
  RunDescription,
  SavedState,
} from '../shared/recording/recording.js';
export type { Json } from '../shared/util/json.js';
export { decodeRecording, encodeRecording } from '../shared/recording/recording-file.js';
export type { Bodies, Pose } from './api/bodies.js';
export type { Events } from './api/events.js';
export { browserHost, type WorkerHost } from './thread/host.js';
export { nodeHost } from './thread/node-host.js';
export { slotOf, type BodyId } from '../shared/memory/body-meta.js';
export { CapacityExceededError, RecordingFormatError } from '../shared/util/errors.js';
export { InputState, type WheelDelta } from '../shared/input/input-state.js';
export type { PointerState } from '../shared/input/pointer-states.js';
export { KEY_NAMES, keyCode, keyName, type KeyName } from '../shared/input/key-codes.js';
