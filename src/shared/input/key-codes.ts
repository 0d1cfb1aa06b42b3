/**
 * Keys as small integers, for queues and files. The names are those of `KeyboardEvent.code`, which identify a position
 * on the keyboard, without `Unidentified`, which many keys share. Source: W3C, UI Events KeyboardEvent code Values; F13
 * to F24 as in all engines.
 */

/** In the order of their numbers, which recordings contain: append only, and never reorder. */
// oxfmt-ignore
export const KEY_NAMES = [
  // Writing system.
  'KeyA', 'KeyB', 'KeyC', 'KeyD', 'KeyE', 'KeyF', 'KeyG', 'KeyH', 'KeyI',
  'KeyJ', 'KeyK', 'KeyL', 'KeyM', 'KeyN', 'KeyO', 'KeyP', 'KeyQ', 'KeyR',
  'KeyS', 'KeyT', 'KeyU', 'KeyV', 'KeyW', 'KeyX', 'KeyY', 'KeyZ',
  'Digit0', 'Digit1', 'Digit2', 'Digit3', 'Digit4',
  'Digit5', 'Digit6', 'Digit7', 'Digit8', 'Digit9',
  'Backquote', 'Minus', 'Equal', 'BracketLeft', 'BracketRight', 'Backslash',
  'Semicolon', 'Quote', 'Comma', 'Period', 'Slash', 'IntlBackslash', 'IntlRo', 'IntlYen',
  // Functional.
  'Space', 'Enter', 'Tab', 'Backspace',
  'CapsLock', 'ContextMenu',
  'ShiftLeft', 'ShiftRight', 'ControlLeft', 'ControlRight',
  'AltLeft', 'AltRight', 'MetaLeft', 'MetaRight',
  'Convert', 'NonConvert', 'KanaMode',
  'Lang1', 'Lang2', 'Lang3', 'Lang4', 'Lang5',
  // Arrows and the block above them.
  'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight',
  'Insert', 'Delete', 'Home', 'End', 'PageUp', 'PageDown', 'Help',
  // Numeric pad.
  'Numpad0', 'Numpad1', 'Numpad2', 'Numpad3', 'Numpad4',
  'Numpad5', 'Numpad6', 'Numpad7', 'Numpad8', 'Numpad9',
  'NumLock', 'NumpadAdd', 'NumpadSubtract', 'NumpadMultiply', 'NumpadDivide',
  'NumpadDecimal', 'NumpadComma', 'NumpadEnter', 'NumpadEqual',
  'NumpadBackspace', 'NumpadClear', 'NumpadClearEntry', 'NumpadHash', 'NumpadStar',
  'NumpadParenLeft', 'NumpadParenRight',
  'NumpadMemoryAdd', 'NumpadMemoryClear', 'NumpadMemoryRecall',
  'NumpadMemoryStore', 'NumpadMemorySubtract',
  // Function row.
  'Escape',
  'F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8', 'F9', 'F10', 'F11', 'F12',
  'F13', 'F14', 'F15', 'F16', 'F17', 'F18', 'F19', 'F20', 'F21', 'F22', 'F23', 'F24',
  'Fn', 'FnLock', 'PrintScreen', 'ScrollLock', 'Pause',
  // Media.
  'BrowserBack', 'BrowserForward', 'BrowserRefresh', 'BrowserStop',
  'BrowserSearch', 'BrowserFavorites', 'BrowserHome',
  'Eject', 'LaunchApp1', 'LaunchApp2', 'LaunchMail',
  'Power', 'Sleep', 'WakeUp',
  'MediaPlayPause', 'MediaSelect', 'MediaStop', 'MediaTrackNext', 'MediaTrackPrevious',
  'AudioVolumeDown', 'AudioVolumeMute', 'AudioVolumeUp',
  // Legacy keyboards.
  'Hyper', 'Super', 'Turbo', 'Abort', 'Resume', 'Suspend',
  'Again', 'Copy', 'Cut', 'Find', 'Open', 'Paste', 'Props', 'Select',
  'Undo', 'Hiragana', 'Katakana',
] as const;

/** The name of a key that has a number. */
export type KeyName = (typeof KEY_NAMES)[number];

const CODES: ReadonlyMap<string, number> = new Map(KEY_NAMES.map((name, code) => [name, code]));

/**
 * A key's number.
 *
 * @param name `KeyboardEvent.code`.
 * @returns A whole number from 0, or −1 for a name that is not in the list.
 */
export function keyCode(name: string): number {
  return CODES.get(name) ?? -1;
}
