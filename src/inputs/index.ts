/** Entry point for pages that take inputs: `betwixt/inputs`. */
export type { InputSink, InputValues } from '../shared/input/tick-inputs.js';
export type { InputSource } from './input-source.js';
export { gamepadSource, type GamepadSource, type GamepadSourceOptions } from './gamepad-source.js';
export { isTyping, keyboardSource, type KeyboardSourceOptions } from './keyboard-source.js';
export { pointerSource, type PointerSourceOptions, toDeviceCoordinates } from './pointer-source.js';
