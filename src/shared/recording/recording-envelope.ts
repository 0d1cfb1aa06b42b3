/**
 * The envelope of the library's files. Any damage to a file is detected and reported before its contents are used.
 * Little endian:
 *
 *     byte   0..3    magic: `BTWR` a recording, `BTWS` a saved state
 *            4..5    version of the format
 *            6..7    version of the library's layout, which determines the contents of a saved state
 *            8..11   length of the whole file in bytes
 *           12..19   checksum: the state hash of the three words before it and of the contents
 *           20..     contents
 */
import { ByteReadError, ByteReader } from '../util/byte-reader.js';
import { ByteWriter } from '../util/byte-writer.js';
import { RecordingFormatError } from '../util/recording-format-error.js';
import { LAYOUT_VERSION } from '../memory/layout.js';
import { wordsOf } from './digest-words.js';
import { requireBytes } from './recording-checks.js';
import { StateHash, digestOf } from './state-hash.js';

/**
 * Incremented by every change of the contents. 2: commands with a typed array as bytes. 3: recordings with assets. 4: what a
 * page has changed in a world is no command.
 */
export const FILE_VERSION = 4;

export const HEADER_BYTES = 20;
const MAGIC_LENGTH = 4;
const MAX_FILE_BYTES = 2 ** 32 - 1;

const MAGICS = { recording: 'BTWR', 'saved state': 'BTWS' } as const;
/** The kind of a file, as its messages name it. */
export type FileKind = keyof typeof MAGICS;

/** @throws {RangeError} If the file would be longer than 4 GiB. */
export function sealFile(kind: FileKind, contents: Uint8Array): Uint8Array<ArrayBuffer> {
  const [magic, versions, length] = headerWords(kind, contents.length);
  const writer = new ByteWriter(length);
  const checksumWords = wordsOf(checksum(magic, versions, length, contents));
  for (const word of [magic, versions, length, ...checksumWords]) writer.word(word);
  writer.bytes(contents);
  return writer.toBytes();
}

/**
 * The words before the checksum.
 *
 * @param contentsLength In bytes.
 * @throws {RangeError} If the file would be longer than 4 GiB.
 */
export function headerWords(
  kind: FileKind,
  contentsLength: number,
): readonly [magic: number, versions: number, length: number] {
  const length = HEADER_BYTES + contentsLength;
  if (length > MAX_FILE_BYTES) {
    throw new RangeError(`a ${kind} of ${length} bytes is longer than the format's 4 GiB`);
  }
  return [magicWord(kind), (FILE_VERSION | (LAYOUT_VERSION << 16)) >>> 0, length];
}

/**
 * Checks a file's envelope and reads its contents.
 *
 * @param read Reads the contents, all of them. It may throw `ByteReadError`.
 * @throws {TypeError} If it is not bytes.
 * @throws {RecordingFormatError} If anything is wrong with the file.
 */
export function openFile<Contents>(
  kind: FileKind,
  bytes: Uint8Array,
  read: (reader: ByteReader, layout: number) => Contents,
): Contents {
  requireBytes('the file', bytes);
  checkMagic(kind, bytes);
  const refusal = (why: string, cause?: unknown): RecordingFormatError =>
    new RecordingFormatError(`this ${kind} ${why}`, { cause });
  const has = `it has ${bytes.length} bytes`;
  if (bytes.length < HEADER_BYTES) {
    throw refusal(`is cut off: ${has}, and its header alone has ${HEADER_BYTES}`);
  }
  const header = new ByteReader(bytes.subarray(0, HEADER_BYTES));
  const magic = header.word();
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
  if (bytes.length < length) throw refusal(`is cut off: ${has}, and should have ${length}`);
  if (bytes.length > length) throw refusal(`is damaged: ${has}, and should have ${length}`);
  const contents = bytes.subarray(HEADER_BYTES);
  const expected = digestOf(header.word(), header.word());
  const actual = checksum(magic, versions, length, contents);
  if (actual !== expected) {
    throw refusal(`is damaged: its checksum should be ${expected}, and is ${actual}`);
  }
  try {
    const reader = new ByteReader(contents);
    const result = read(reader, versions >>> 16);
    if (reader.left > 0) throw new ByteReadError(`${reader.left} bytes follow its last value`);
    return result;
  } catch (error) {
    throw error instanceof ByteReadError ? refusal(`cannot be: ${error.message}`, error) : error;
  }
}

/** @throws {ByteReadError} If a saved state has the layout of another version of the library. */
export function requireStateLayout(layout: number): void {
  if (layout === LAYOUT_VERSION) return;
  throw new ByteReadError(
    `it holds a state of layout ${layout}, and this version of the library has layout ${LAYOUT_VERSION}`,
  );
}

function checkMagic(kind: FileKind, bytes: Uint8Array): void {
  if (bytes.length === 0) {
    throw new RecordingFormatError(`this file is empty, and should be a ${kind}`);
  }
  const found = String.fromCharCode(...bytes.subarray(0, MAGIC_LENGTH));
  if (found === MAGICS[kind]) return;
  for (const [other, magic] of Object.entries(MAGICS)) {
    if (found !== magic) continue;
    throw new RecordingFormatError(`this file is a ${other}, and should be a ${kind}`);
  }
  const beginning = [...bytes.subarray(0, MAGIC_LENGTH)].map(hexByte).join(' ');
  throw new RecordingFormatError(
    `this file is not a ${kind}: it begins with the bytes ${beginning}, and not with "${MAGICS[kind]}"`,
  );
}

function checksum(magic: number, versions: number, length: number, contents: Uint8Array): string {
  const hash = new StateHash();
  hash.addWord(magic);
  hash.addWord(versions);
  hash.addWord(length);
  hash.addBytes(contents);
  return hash.digest();
}

function magicWord(kind: FileKind): number {
  let word = 0;
  for (const [at, letter] of [...MAGICS[kind]].entries()) word |= letter.charCodeAt(0) << (8 * at);
  return word >>> 0;
}

const hexByte = (byte: number): string => byte.toString(16).padStart(2, '0');
