/**
 * Saves the state of a run as bytes (the library's part, then what the simulation saved), restores it, and resets a run
 * to its beginning.
 */
import { ByteReader, ByteReadError, ByteWriter } from '../../shared/util/bytes.js';
import { RecordingFormatError } from '../../shared/util/errors.js';
import {
  type RunDescription,
  type SavedState,
  requireRunDescription,
  requireStep,
} from '../../shared/recording/recording.js';
import { requireNumber } from '../../shared/util/validate.js';
import { readSavedBodies, writeSavedBodies } from '../bodies/saved-bodies.js';
import { requireDone } from './require-done.js';
import {
  beginningOf,
  checkpointOf,
  moveTo,
  type RunBeginning,
  type RunCheckpoint,
} from './checkpoint.js';
import type { Simulation } from '../api/simulation.js';
import type { SimulationRun } from './simulation-run.js';

/** Whether the state that is being restored may be of other code: only while a restore runs, which does not wait. */
export const newCode = { isRestoring: false };

const CANNOT_SAVE =
  'the simulation cannot be saved: give it save() and restore(), or use an engine adapter that has them';

/** @throws Error if the simulation cannot be saved. */
export function saveRun(run: SimulationRun): SavedState {
  const { simulation } = run;
  if (simulation.save === undefined) throw new Error(CANNOT_SAVE);
  const position = checkpointOf(run);
  const bytes = encodeRunState({
    ...position,
    run: run.description,
    bodies: writeSavedBodies(position.bodies),
    simulation: simulation.save(),
  });
  return { tick: position.tick, bytes };
}

/**
 * Goes to a saved state.
 *
 * @throws RecordingFormatError if the bytes are not a state, or are the state of another tick.
 * @throws Error if the simulation cannot be restored, or if the state is from another engine. Nothing changes then.
 */
export function restoreRun(run: SimulationRun, state: SavedState): void {
  const { simulation } = run;
  if (simulation.restore === undefined) throw new Error(CANNOT_SAVE);
  const saved = decodeRunState(state.bytes);
  if (saved.tick !== state.tick) {
    throw new RecordingFormatError(
      `this state is of tick ${saved.tick}, and is said to be of tick ${state.tick}`,
    );
  }
  requireSameEngine(simulation, saved.run.engine);
  const { seed, setup } = saved.run;
  try {
    const bodies = readSavedBodies(saved.bodies, run.bodies.capacity);
    moveTo(run, { ...saved, seed, setup, bodies }, () =>
      requireDone(simulation.restore?.(saved.simulation), 'restore'),
    );
  } catch (error) {
    // Bodies and engines reject invalid bytes with a RangeError.
    if (!(error instanceof RangeError)) throw error;
    throw new RecordingFormatError(error.message, { cause: error });
  }
}

/** @throws Error if the state or recording is from another engine. */
export function requireSameEngine(simulation: Simulation, engine: string): void {
  const own = simulation.engine?.() ?? '';
  if (engine === own) return;
  throw new Error(
    `it was made with the engine "${engine}", and this simulation runs on "${own}": choose that engine and ` +
      'its version',
  );
}

/** @throws Error if the simulation has no `reset`. */
export function resetRun(run: SimulationRun, beginning: RunBeginning): void {
  const { simulation, description } = run;
  const isOfIt =
    beginning.seed === description.seed &&
    beginning.generation === description.generation &&
    JSON.stringify(beginning.setup) === JSON.stringify(description.setup);
  // The run is new and already built from this beginning.
  if (run.isFresh && isOfIt) return;
  if (simulation.reset === undefined) {
    throw new Error(
      'the simulation cannot start a recorded run in a worker that has run already: give it a reset()',
    );
  }
  moveTo(run, beginningOf(run, beginning), () => requireDone(simulation.reset?.(), 'reset'));
}

/** First word, "btws" in ASCII, little endian, and the version of the rest. */
const MAGIC = 0x73777462;
const VERSION = 3;

export type RunState = Pick<RunCheckpoint, 'tick' | 'simulatedSeconds' | 'dt' | 'random'> & {
  readonly run: RunDescription;
  /** Saved by the body registry. */
  readonly bodies: Uint8Array;
  /** Saved by the simulation. */
  readonly simulation: Uint8Array;
};

export function encodeRunState(state: RunState): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  writer.word(MAGIC);
  writer.varint(VERSION);
  writer.varint(state.tick);
  writer.float64(state.simulatedSeconds);
  writer.float64(state.dt);
  writer.signedVarint(state.random);
  writer.text(JSON.stringify(state.run));
  writer.countedBytes(state.bodies);
  writer.countedBytes(state.simulation);
  return writer.toBytes();
}

/** @throws RecordingFormatError if the bytes are not a saved state of this version. */
export function decodeRunState(bytes: Uint8Array): RunState {
  try {
    const reader = new ByteReader(bytes);
    if (reader.word() !== MAGIC) throw new ByteReadError('its first word is not "btws"');
    const version = reader.varint();
    if (version !== VERSION) {
      throw new ByteReadError(
        `it is of version ${version}, and this code reads version ${VERSION}`,
      );
    }
    const state = {
      tick: reader.varint(),
      simulatedSeconds: requireNumber('its time', reader.float64(), 0, Number.MAX_VALUE),
      dt: requireStep(reader.float64()),
      random: reader.signedVarint(),
      run: requireRunDescription(JSON.parse(reader.text())),
      bodies: reader.countedBytes(),
      simulation: reader.countedBytes(),
    };
    if (reader.left > 0) throw new ByteReadError(`it has ${reader.left} bytes after its end`);
    return state;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new RecordingFormatError(`these bytes are not the saved state of a run: ${why}`, {
      cause,
    });
  }
}
