/** Checks what an application gives back: anything may stand in a variable, or come out of a store. */
import type { Recording, SavedState } from '../shared/recording.js';

/** @throws TypeError if it has not the parts of a recording. */
export function requireRecording(value: unknown): asserts value is Recording {
  const { run, lastTick, entries, states } = partsOf<Recording>(value);
  const isOne =
    typeof run === 'object' &&
    typeof lastTick === 'number' &&
    Array.isArray(entries) &&
    Array.isArray(states);
  if (!isOne) {
    throw new TypeError(
      'recording must be what recording() gave, or decodeRecording() made of its file, and is not',
    );
  }
}

/** @throws TypeError if it has not the parts of a saved state. */
export function requireSavedState(value: unknown): asserts value is SavedState {
  const { tick, bytes } = partsOf<SavedState>(value);
  if (typeof tick !== 'number' || !(bytes instanceof Uint8Array)) {
    throw new TypeError(
      'state must be what save() gave, or decodeSavedState() made of its file, and is not',
    );
  }
}

const partsOf = <Whole>(value: unknown): Partial<Whole> =>
  typeof value === 'object' && value !== null ? (value as Partial<Whole>) : {};
