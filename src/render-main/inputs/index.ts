/** Entry point for pages that take inputs: `betwixt/inputs`. */
export type { InputKind, InputSink, InputValues } from '../../shared/input/input-event.js';
export { gamepadSource, type GamepadSource, type GamepadSourceOptions } from './gamepad-source.js';
export type { InputSource } from './input-source.js';
export { isTyping, keyboardSource, type KeyboardSourceOptions } from './keyboard-source.js';
export { toDeviceCoordinates, type ToCoordinates } from './pointer-geometry.js';
export {
  POINTER_MOVES,
  pointerSource,
  type PointerMoves,
  type PointerSourceOptions,
} from './pointer-source.js';
export { KEY_NAMES, keyCode, keyName, type KeyName } from '../../shared/input/key-codes.js';
