/**
 * Recordings and saved states as files. The contents are in an envelope (`recording-envelope.ts`):
 *
 *     recording     header, start: count 0 or 1 and state, count and entries (`recording-entries.ts`),
 *                   count and states, count and assets
 *     saved state   header, state
 *     header        counted UTF-8: JSON with the run's description, and for a recording its last tick and the
 *                   names of its commands
 *     state         ticks since the previous state, or since tick 0; counted bytes
 *     asset         the hash in its name as two words; counted bytes
 *
 * Counts and ticks are varints. A file reads back unchanged, including the sign of a zero; a NaN reads back as NaN.
 */
import { ByteReadError, type ByteReader } from '../util/byte-reader.js';
import { ByteWriter } from '../util/byte-writer.js';
import { requireRecording, requireSavedState } from './recording-checks.js';
import { EntryReader, EntryWriter, MIN_ENTRY } from './recording-entries.js';
import { openFile, requireStateLayout, sealFile } from './recording-envelope.js';
import type { Asset } from './asset.js';
import { readAssetName, writeAssetName } from './asset-names.js';
import type { Recording, RecordingEntry, RunDescription, SavedState } from './recording.js';
import { requireRunDescription } from './run-description.js';

/** Minimum bytes of a state: its ticks and its byte count. */
const MIN_STATE = 2;
/** Minimum bytes of an asset: its hash and its byte count. */
const MIN_ASSET = 9;

/** The contents of a file with a saved state. */
export interface SavedStateFile {
  /** The run that the state belongs to. */
  readonly run: RunDescription;
  /** The state, for `restore` of the handle. */
  readonly state: SavedState;
}

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
  const names = namesIn(entries);
  const out = new ByteWriter();
  out.text(
    JSON.stringify({
      ...run,
      lastTick,
      commands: [...names.keys()],
      ...(!isComplete && { isComplete }),
    }),
  );
  writeStates(out, start === undefined ? [] : [start]);
  out.varint(entries.length);
  const writer = new EntryWriter(out, names);
  for (const entry of entries) writer.write(entry);
  writeStates(out, states);
  writeAssets(out, assets);
  return sealFile('recording', out.toBytes());
}

/**
 * Decodes a recording from the bytes of a file.
 *
 * @throws RecordingFormatError if the file is not a recording, is truncated, or has impossible contents.
 */
export function decodeRecording(bytes: Uint8Array): Recording {
  return openFile('recording', bytes, (reader, layout) => {
    const header = readHeader(reader);
    const commands = requireNames(header['commands']);
    const starts = readStates(reader, layout);
    if (starts.length > 1) throw new ByteReadError('it has more than one state to start from');
    const entryReader = new EntryReader(reader, commands);
    const entries: RecordingEntry[] = [];
    const count = reader.count(MIN_ENTRY, 'entries');
    while (entries.length < count) entries.push(entryReader.read());
    const states = readStates(reader, layout);
    const assets = readAssets(reader);
    const { lastTick, isComplete } = header;
    return possible(() =>
      requireRecording({
        run: header,
        start: starts[0],
        lastTick,
        entries,
        states,
        ...(assets.length > 0 && { assets }),
        ...(isComplete === false && { isComplete }),
      }),
    );
  });
}

/**
 * Encodes a saved state as the bytes of a file.
 *
 * @throws TypeError, RangeError if something in it does not match its type.
 */
export function encodeSavedState(state: SavedState, run: RunDescription): Uint8Array<ArrayBuffer> {
  requireSavedState('state', state);
  const out = new ByteWriter();
  out.text(JSON.stringify(requireRunDescription(run, 'run.')));
  writeState(out, state, 0);
  return sealFile('saved state', out.toBytes());
}

/**
 * Decodes a saved state, and the run that it belongs to, from the bytes of a file.
 *
 * @throws RecordingFormatError if the file is not a saved state, is truncated, or has impossible contents.
 */
export function decodeSavedState(bytes: Uint8Array): SavedStateFile {
  return openFile('saved state', bytes, (reader, layout) => {
    const header = readHeader(reader);
    const run = possible(() => requireRunDescription(header, 'run.'));
    requireStateLayout(layout);
    return { run, state: readState(reader, 0) };
  });
}

/** The names of the commands and their indices in the file's table, in the order of their first use. */
function namesIn(entries: readonly RecordingEntry[]): Map<string, number> {
  const names = new Map<string, number>();
  for (const entry of entries) {
    if (entry.kind === 'command' && !names.has(entry.name)) names.set(entry.name, names.size);
  }
  return names;
}

function writeStates(out: ByteWriter, states: readonly SavedState[]): void {
  out.varint(states.length);
  let tickBefore = 0;
  for (const state of states) {
    writeState(out, state, tickBefore);
    tickBefore = state.tick;
  }
}

function writeState(out: ByteWriter, { tick, bytes }: SavedState, tickBefore: number): void {
  out.varint(tick - tickBefore);
  out.countedBytes(bytes);
}

function readStates(reader: ByteReader, layout: number): SavedState[] {
  const states: SavedState[] = [];
  const count = reader.count(MIN_STATE, 'states');
  if (count > 0) requireStateLayout(layout);
  while (states.length < count) states.push(readState(reader, states.at(-1)?.tick ?? 0));
  return states;
}

function readState(reader: ByteReader, tickBefore: number): SavedState {
  const tick = tickBefore + reader.varint();
  if (tick > Number.MAX_SAFE_INTEGER) throw new ByteReadError('a tick in it is beyond 2^53 - 1');
  return { tick, bytes: reader.countedBytes() };
}

function writeAssets(out: ByteWriter, assets: readonly Asset[]): void {
  out.varint(assets.length);
  for (const { name, bytes } of assets) {
    writeAssetName(out, name);
    out.countedBytes(bytes);
  }
}

function readAssets(reader: ByteReader): Asset[] {
  const assets: Asset[] = [];
  const count = reader.count(MIN_ASSET, 'assets');
  while (assets.length < count) {
    assets.push({ name: readAssetName(reader), bytes: reader.countedBytes() });
  }
  return assets;
}

function readHeader(reader: ByteReader): Readonly<Record<string, unknown>> {
  const text = reader.text();
  let fields: unknown;
  try {
    fields = JSON.parse(text);
  } catch {
    throw new ByteReadError('its header is not JSON');
  }
  if (typeof fields === 'object' && fields !== null) return { ...fields };
  throw new ByteReadError('its header is not a JSON object');
}

/** @param check Of something that was read. */
function possible<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    const isWrong = error instanceof TypeError || error instanceof RangeError;
    throw isWrong ? new ByteReadError(error.message) : error;
  }
}

function requireNames(names: unknown): readonly string[] {
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names;
  throw new ByteReadError('commands must be a list of names');
}
