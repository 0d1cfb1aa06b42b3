/**
 * Recordings as files, whose parts are in an envelope (`envelope.ts`):
 *
 *     run       counted UTF-8: JSON with the run's description
 *     start     a state
 *     entries   the last tick that they cover (varint), a chunk of entries (`recording-entries.ts`)
 *     state     a state: its tick (varint); counted bytes
 *     asset     the hash in its name as two words; counted bytes
 *
 * A recording begins with its run. A file reads back unchanged, including the
 * sign of a zero; a NaN reads back as NaN.
 */
import { ByteReadError, ByteReader, ByteWriter } from '../util/bytes.js';
import { requireRecording } from './recording-checks.js';
import { ChunkWriter, readChunk, readJson } from './recording-entries.js';
import { envelopeOf, partOf, readEnvelope } from './envelope.js';
import { type Asset, readAssetName, writeAssetName } from './asset.js';
import type { Recording, RecordingEntry, RunDescription, SavedState } from './recording.js';

const PART = { run: 0, start: 1, entries: 2, state: 3, asset: 4 } as const;

/**
 * Encodes a recording as the bytes of a file.
 *
 * @throws TypeError, RangeError if something in it does not match its type, such as ticks that decrease, and would
 *   not be read back unchanged.
 */
export function encodeRecording(recording: Recording): Uint8Array<ArrayBuffer> {
  const {
    run,
    start,
    lastTick,
    entries,
    states,
    assets = [],
    isComplete = true,
  } = requireRecording(recording);
  const chunk = new ChunkWriter();
  for (const entry of entries) chunk.add(entry);
  const parts = [
    writtenRun(run),
    ...(start === undefined ? [] : [writtenState(PART.start, start)]),
    writtenEntries(chunk, lastTick),
    ...states.map((state) => writtenState(PART.state, state)),
    ...assets.map(writtenAsset),
  ];
  return envelopeOf('recording', parts, isComplete);
}

/**
 * Decodes a recording from the bytes of a file.
 *
 * @throws RecordingFormatError if the file is not a recording, is truncated or damaged, or has impossible contents.
 */
export const decodeRecording = (bytes: Uint8Array): Recording =>
  readEnvelope('recording', bytes, ({ parts, isFinished, requireStates }) => {
    let run: unknown;
    let start: SavedState | undefined;
    let lastTick: number | undefined;
    const entries: RecordingEntry[] = [];
    const states: SavedState[] = [];
    const assets: Asset[] = [];
    for (const part of parts) {
      const reader = new ByteReader(part);
      const kind = reader.byte();
      if ((kind === PART.run) !== (run === undefined)) {
        throw new ByteReadError('it does not begin with its run, or has more than one');
      }
      switch (kind) {
        case PART.run:
          run = readRun(reader);
          break;
        case PART.start:
          if (start !== undefined)
            throw new ByteReadError('it has more than one state to start from');
          requireStates();
          start = readState(reader);
          break;
        case PART.entries:
          lastTick = reader.varint();
          for (const entry of readChunk(reader)) entries.push(entry);
          break;
        case PART.state:
          requireStates();
          states.push(readState(reader));
          break;
        case PART.asset:
          assets.push(readAsset(reader));
          break;
        default:
          throw new ByteReadError(`it has a part of unknown kind ${kind}`);
      }
      if (reader.left > 0) throw new ByteReadError(`${reader.left} bytes follow its last value`);
    }
    return requireRecording({
      run,
      start,
      lastTick: lastTick ?? start?.tick ?? 0,
      entries,
      states,
      ...(assets.length > 0 && { assets }),
      ...(!isFinished && { isComplete: false }),
    });
  });

/** A recording that is not finished, to which {@link entriesPart} is appended. */
export const beginRecording = (run: RunDescription): Uint8Array =>
  envelopeOf('recording', [writtenRun(run)], false);

function writtenRun(run: RunDescription): Uint8Array {
  const out = beginPart(PART.run);
  out.text(JSON.stringify(run));
  return out.toBytes();
}

/** A part with what a writer has. */
export const entriesPart = (entries: ChunkWriter, lastTick: number): Uint8Array =>
  partOf(writtenEntries(entries, lastTick));

function writtenEntries(entries: ChunkWriter, lastTick: number): Uint8Array {
  const out = beginPart(PART.entries, entries.length);
  out.varint(lastTick);
  out.bytes(entries.take());
  return out.toBytes();
}

function writtenState(kind: number, { tick, bytes }: SavedState): Uint8Array {
  const out = beginPart(kind, bytes.length);
  out.varint(tick);
  out.countedBytes(bytes);
  return out.toBytes();
}

function writtenAsset({ name, bytes }: Asset): Uint8Array {
  const out = beginPart(PART.asset, bytes.length);
  writeAssetName(out, name);
  out.countedBytes(bytes);
  return out.toBytes();
}

function beginPart(kind: number, length = 0): ByteWriter {
  const out = new ByteWriter(length + 256);
  out.byte(kind);
  return out;
}

function readRun(reader: ByteReader): unknown {
  const run = readJson(reader, 'run');
  if (typeof run === 'object' && run !== null) return run;
  throw new ByteReadError('its run is not a JSON object');
}

const readState = (reader: ByteReader): SavedState => ({
  tick: reader.varint(),
  bytes: reader.countedBytes(),
});

const readAsset = (reader: ByteReader): Asset => ({
  name: readAssetName(reader),
  bytes: reader.countedBytes(),
});
