/** The format of a run's saved state. */
import { ByteReadError, ByteReader, ByteWriter } from '../../shared/util/bytes.js';
import { RecordingFormatError } from '../../shared/util/errors.js';
import {
  requireRunDescription,
  requireStep,
  type RunDescription,
} from '../../shared/recording/recording.js';
import { requireNumber } from '../../shared/util/validate.js';

/** First word, "btws" in ASCII, little endian, and the version of the rest. */
const MAGIC = 0x73777462;
const VERSION = 3;

export interface RunState {
  readonly tick: number;
  /** After the tick. */
  readonly simulatedSeconds: number;
  /** Simulated seconds of the last step. */
  readonly dt: number;
  /** State of the random source. */
  readonly random: number;
  readonly run: RunDescription;
  /** Saved by the body registry. */
  readonly bodies: Uint8Array;
  /** Saved by the simulation. */
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
