/**
 * The state of a run: saved as bytes, what the library keeps and after it what the simulation saved; and its hash.
 */
import { BODY_ALIVE, BODY_ASLEEP } from '../../shared/memory/body-meta.js';
import { ByteReader, ByteReadError } from '../../shared/util/byte-reader.js';
import { ByteWriter } from '../../shared/util/byte-writer.js';
import { RecordingFormatError } from '../../shared/util/errors.js';
import { BODY_LANES, LANE } from '../../shared/memory/layout.js';
import type { Random } from '../../shared/recording/random.js';
import type { RunDescription } from '../../shared/recording/recording.js';
import { requireRunDescription, requireStep } from '../../shared/recording/run-description.js';
import type { StateHash } from '../../shared/recording/state-hash.js';
import { requireNumber } from '../../shared/util/validate.js';
import type { BodyRegistry } from '../bodies/body-registry.js';
import type { Simulation } from '../api/simulation.js';

/** First word, "btws" in ASCII, little endian, and the version of what follows. */
const MAGIC = 0x73777462;
const VERSION = 1;

export interface RunState {
  readonly tick: number;
  /** Simulated time after the tick, in s. */
  readonly simulatedSeconds: number;
  /** Simulated seconds of the last step. */
  readonly dt: number;
  /** State of the random source. */
  readonly random: number;
  readonly run: RunDescription;
  /** From the body registry. */
  readonly bodies: Uint8Array;
  /** From the simulation. */
  readonly simulation: Uint8Array;
}

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

/** @throws RecordingFormatError if the bytes are no saved state of this version. */
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

/**
 * The hash of a state: over all living bodies by slot: pose and sleep; over the source of chance; and over what the simulation adds.
 *
 * @param hash Is used and left as it ends.
 * @returns 16 hexadecimal digits.
 */
export function hashRun(
  hash: StateHash,
  { lanes, bodyLimit }: BodyRegistry,
  random: Random,
  simulation: Simulation,
): string {
  hash.reset();
  hash.addWord(random.state);
  for (let slot = 0; slot < bodyLimit; slot++) {
    const at = slot * BODY_LANES;
    const meta = lanes[at + LANE.meta] ?? 0;
    if ((meta & BODY_ALIVE) === 0) continue;
    // Generations and teleports count what happened; the state is what came of it.
    hash.addWord(slot);
    hash.addWord(meta & BODY_ASLEEP);
    hash.addWords(lanes, at, at + LANE.meta);
    hash.addWords(lanes, at + LANE.qx, at + BODY_LANES);
  }
  simulation.hash?.(hash);
  return hash.digest();
}
