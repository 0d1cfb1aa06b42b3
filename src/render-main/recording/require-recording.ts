/** Checks recordings and states that an application passes back: they can be any value. */
import type { Recording, SavedState } from '../../shared/recording/recording.js';

/** @throws TypeError if it lacks a part of a recording. */
export function requireRecording(value: unknown): asserts value is Recording {
  requireParts('recording', value, ['run', 'lastTick', 'entries', 'states'], 'recording');
}

/** @throws TypeError if it lacks a part of a saved state. */
export function requireSavedState(value: unknown): asserts value is SavedState {
  requireParts('state', value, ['tick', 'bytes'], 'save');
}

function requireParts(
  name: string,
  value: unknown,
  parts: readonly string[],
  source: string,
): void {
  const given = Object(value) as Readonly<Record<string, unknown>>;
  const missing = parts.find((part) => given[part] === undefined);
  if (missing === undefined) return;
  throw new TypeError(`${name} must be what ${source}() gave, and has no ${missing}`);
}
