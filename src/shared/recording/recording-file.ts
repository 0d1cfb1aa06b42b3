/**
 * Recordings as files, whose parts are in an envelope (`recording-envelope.ts`):
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
import { ByteReadError, type ByteReader, ByteWriter } from '../util/bytes.js';
import { RecordingFormatError } from '../util/errors.js';
import { requireRecording } from './recording-checks.js';
import { ChunkWriter, readChunk, readJson } from './recording-entries.js';
import { fileOf, openFile, partOf, requireStateLayout } from './recording-envelope.js';
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
    runPart(run),
    ...(start === undefined ? [] : [statePart(PART.start, start)]),
    entriesPart(chunk, lastTick),
    ...states.map((state) => statePart(PART.state, state)),
    ...assets.map(assetPart),
  ];
  return fileOf(parts, isComplete);
}

/**
 * Decodes a recording from the bytes of a file.
 *
 * @throws RecordingFormatError if the file is not a recording, is truncated, or has impossible contents.
 */
export function decodeRecording(bytes: Uint8Array): Recording {
  let run: unknown;
  let start: SavedState | undefined;
  let lastTick: number | undefined;
  const entries: RecordingEntry[] = [];
  const states: SavedState[] = [];
  const assets: Asset[] = [];
  const isComplete = openFile(bytes, (part, reader, layout) => {
    if ((part === PART.run) !== (run === undefined)) {
      throw new ByteReadError('it does not begin with its run, or has more than one');
    }
    switch (part) {
      case PART.run:
        run = readRun(reader);
        break;
      case PART.start:
        if (start !== undefined)
          throw new ByteReadError('it has more than one state to start from');
        start = readState(reader, layout);
        break;
      case PART.entries:
        lastTick = reader.varint();
        for (const entry of readChunk(reader)) entries.push(entry);
        break;
      case PART.state:
        states.push(readState(reader, layout));
        break;
      case PART.asset:
        assets.push(readAsset(reader));
        break;
      default:
        throw new ByteReadError(`it has a part of unknown kind ${part}`);
    }
  });
  lastTick ??= start?.tick ?? 0;
  return possible(() =>
    requireRecording({
      run,
      start,
      lastTick,
      entries,
      states,
      ...(assets.length > 0 && { assets }),
      ...(!isComplete && { isComplete }),
    }),
  );
}

/** The part with which a recording begins. */
export function runPart(run: RunDescription): Uint8Array {
  const out = beginPart(PART.run);
  out.text(JSON.stringify(run));
  return partOf(out);
}

/** A part with what a writer has. */
export function entriesPart(entries: ChunkWriter, lastTick: number): Uint8Array {
  const out = beginPart(PART.entries, entries.length);
  out.varint(lastTick);
  out.bytes(entries.take());
  return partOf(out);
}

function statePart(kind: number, { tick, bytes }: SavedState): Uint8Array {
  const out = beginPart(kind, bytes.length);
  out.varint(tick);
  out.countedBytes(bytes);
  return partOf(out);
}

function assetPart({ name, bytes }: Asset): Uint8Array {
  const out = beginPart(PART.asset, bytes.length);
  writeAssetName(out, name);
  out.countedBytes(bytes);
  return partOf(out);
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

function readState(reader: ByteReader, layout: number): SavedState {
  requireStateLayout(layout);
  return { tick: reader.varint(), bytes: reader.countedBytes() };
}

const readAsset = (reader: ByteReader): Asset => ({
  name: readAssetName(reader),
  bytes: reader.countedBytes(),
});

/** @param check Of something that was read. */
function possible<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    const isWrong = error instanceof TypeError || error instanceof RangeError;
    if (!isWrong) throw error;
    throw new RecordingFormatError(`this recording cannot be: ${error.message}`, { cause: error });
  }
}
