/**
 * The envelope of a recording's file, which grows as it is made: parts are appended. Little endian:
 *
 *     byte   0..3    magic: `BTWR`
 *            4..5    version of the format
 *            6..7    version of the library's layout, which determines the contents of a saved state
 *            8..11   length of the whole file in bytes; 0: it was not finished
 *           12..     parts
 *
 *     part   length of its contents (word); checksum: the state hash of the word with the versions and of the contents;
 *            contents: kind (byte), and what that has
 *
 * Any damage to a finished file is detected and reported before its contents are used. A file that was not finished, because
 * its process was killed, ends with its last whole part.
 */
import { ByteReadError, ByteReader, ByteWriter } from '../util/bytes.js';
import { RecordingFormatError } from '../util/errors.js';
import { LAYOUT_VERSION, OLDEST_STATE_LAYOUT } from '../memory/layout.js';
import { wordsOfDigest, StateHash, digestOf } from './state-hash.js';
import { requireBytes } from './recording-checks.js';

/** Incremented by every change of the contents. Files of other versions are refused. */
export const FILE_VERSION = 4;

const HEADER_BYTES = 12;
const PART_HEADER_BYTES = 12;
/** Where in the file its length is. */
export const LENGTH_AT = 8;
const MAGIC_LENGTH = 4;
const MAX_FILE_BYTES = 2 ** 32 - 1;

const MAGIC = 'BTWR';
const VERSIONS = (FILE_VERSION | (LAYOUT_VERSION << 16)) >>> 0;

/**
 * A file of these parts.
 *
 * @param isFinished Whether it is whole; otherwise parts may be appended.
 * @throws {RangeError} If the file would be longer than 4 GiB.
 */
export function fileOf(parts: readonly Uint8Array[], isFinished: boolean): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, HEADER_BYTES);
  const out = new ByteWriter(length);
  for (const letter of MAGIC) out.byte(letter.charCodeAt(0));
  out.word(VERSIONS);
  out.bytes(isFinished ? lengthOf(length) : new Uint8Array(4));
  for (const part of parts) out.bytes(part);
  return out.toBytes();
}

/** The bytes that finish a file, for {@link LENGTH_AT}. @throws {RangeError} If it is longer than 4 GiB. */
export function lengthOf(length: number): Uint8Array<ArrayBuffer> {
  if (length > MAX_FILE_BYTES) {
    throw new RangeError(`a recording of ${length} bytes is longer than the format's 4 GiB`);
  }
  const out = new ByteWriter(4);
  out.word(length);
  return out.toBytes();
}

/** A part with these contents. */
export function partOf(contents: ByteWriter): Uint8Array<ArrayBuffer> {
  const bytes = contents.toBytes();
  const out = new ByteWriter(PART_HEADER_BYTES + bytes.length);
  out.word(bytes.length);
  for (const word of wordsOfDigest(checksum(VERSIONS, bytes))) out.word(word);
  out.bytes(bytes);
  return out.toBytes();
}

/**
 * Checks a file's envelope and reads its parts.
 *
 * @param read Reads a part, all of it, after its kind. It may throw `ByteReadError`.
 * @returns Whether the file was finished.
 * @throws {TypeError} If it is not bytes.
 * @throws {RecordingFormatError} If anything is wrong with the file.
 */
export function openFile(
  bytes: Uint8Array,
  read: (part: number, reader: ByteReader, layout: number) => void,
): boolean {
  requireBytes('the file', bytes);
  checkMagic(bytes);
  const has = `it has ${bytes.length} bytes`;
  if (bytes.length < HEADER_BYTES) {
    throw refusal(`is cut off: ${has}, and its header alone has ${HEADER_BYTES}`);
  }
  const header = new ByteReader(bytes.subarray(MAGIC_LENGTH, HEADER_BYTES));
  const versions = header.word();
  const length = header.word();
  const version = versions & 0xffff;
  if (version !== FILE_VERSION) {
    const advice =
      version > FILE_VERSION
        ? 'a newer version of the library wrote it'
        : 'an older version of the library wrote it, and can read it';
    throw refusal(
      `has version ${version} of the format, and version ${FILE_VERSION} is expected: ${advice}`,
    );
  }
  const isFinished = length > 0;
  if (isFinished && bytes.length < length) {
    throw refusal(`is cut off: ${has}, and should have ${length}`);
  }
  if (isFinished && bytes.length > length) {
    throw refusal(`is damaged: ${has}, and should have ${length}`);
  }
  const parts: Uint8Array[] = [];
  for (let at = HEADER_BYTES; at < bytes.length;) {
    const part = partAt(bytes, at, versions);
    if (typeof part !== 'string') {
      parts.push(part);
      at += PART_HEADER_BYTES + part.length;
    } else if (isFinished) throw refusal(`is damaged: ${part}`);
    else break;
  }
  try {
    for (const part of parts) {
      const reader = new ByteReader(part);
      read(reader.byte(), reader, versions >>> 16);
      if (reader.left > 0) throw new ByteReadError(`${reader.left} bytes follow its last value`);
    }
  } catch (error) {
    throw error instanceof ByteReadError ? refusal(`cannot be: ${error.message}`, error) : error;
  }
  return isFinished;
}

/** The contents of a part, or what is wrong with it. */
function partAt(bytes: Uint8Array, at: number, versions: number): Uint8Array | string {
  const reader = new ByteReader(bytes.subarray(at));
  if (reader.left < PART_HEADER_BYTES) return 'it ends in the middle of a part';
  const length = reader.word();
  const expected = digestOf(reader.word(), reader.word());
  if (length > reader.left) return 'it ends in the middle of a part';
  const contents = bytes.subarray(at + PART_HEADER_BYTES, at + PART_HEADER_BYTES + length);
  const actual = checksum(versions, contents);
  return actual === expected ? contents : `a checksum should be ${expected}, and is ${actual}`;
}

/** @throws {ByteReadError} If a saved state has the layout of another version of the library. */
export function requireStateLayout(layout: number): void {
  if (layout >= OLDEST_STATE_LAYOUT && layout <= LAYOUT_VERSION) return;
  throw new ByteReadError(
    `it holds a state of layout ${layout}, and this version of the library has layout ${LAYOUT_VERSION}`,
  );
}

const refusal = (why: string, cause?: unknown): RecordingFormatError =>
  new RecordingFormatError(`this recording ${why}`, { cause });

function checkMagic(bytes: Uint8Array): void {
  if (bytes.length === 0) {
    throw new RecordingFormatError('this file is empty, and should be a recording');
  }
  const found = String.fromCharCode(...bytes.subarray(0, MAGIC_LENGTH));
  if (found === MAGIC) return;
  const beginning = [...bytes.subarray(0, MAGIC_LENGTH)].map(hexByte).join(' ');
  throw new RecordingFormatError(
    `this file is not a recording: it begins with the bytes ${beginning}, and not with "${MAGIC}"`,
  );
}

function checksum(versions: number, contents: Uint8Array): string {
  const hash = new StateHash();
  hash.addWord(versions);
  hash.addBytes(contents);
  return hash.digest();
}

const hexByte = (byte: number): string => byte.toString(16).padStart(2, '0');
