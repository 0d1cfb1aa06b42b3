/**
 * The envelope of recordings and saved states: parts, each with its checksum. A recording grows as it is made: parts are
 * appended. Words of 32 bits, little endian:
 *
 *     0      magic: `BTWR` a recording, `BTWS` a saved state
 *     1      version of the format (16 bits); version of what saved states contain (16 bits)
 *     2      length of the whole in bytes; 0: it was not finished
 *     3      checksum of the words before
 *     4..    parts
 *
 *     part   length of its contents in bytes; checksum of this length; checksum of the contents;
 *            contents, with zeros up to a whole word
 *
 * Any damage is detected before the contents are used, and no wrong length is taken for the end. What was not finished,
 * because its process was killed, ends with its last whole part.
 */
import { RecordingFormatError } from '../util/errors.js';
import { requireBytes } from '../util/validate.js';
import { checksumOf } from './checksum.js';

/** Incremented by every change of the contents. Those of other versions are refused. */
export const FORMAT_VERSION = 8;
/**
 * Incremented by every change of what a saved state contains, such as the lanes of a body. Others are refused, with the
 * recordings that contain some.
 */
export const STATE_VERSION = 7;

const MAGIC = { recording: 'BTWR', 'saved state': 'BTWS' } as const;
type Kind = keyof typeof MAGIC;
const MAGIC_LENGTH = 4;

const HEADER_WORDS = 4;
/** In the header. */
const SUM_AT = 3;
const PART_HEADER_WORDS = 3;
const MAX_BYTES = 2 ** 32 - 1;

/**
 * An envelope with these parts.
 *
 * @param isFinished Whether it is whole; otherwise parts may be appended.
 * @throws {RangeError} If it would be longer than 4 GiB.
 */
export function envelopeOf(
  kind: Kind,
  parts: readonly Uint8Array[],
  isFinished = true,
): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + 4 * wordsOfPart(part), 4 * HEADER_WORDS);
  const header = headerOf(kind, isFinished ? length : 0);
  const words = new Int32Array(length / 4);
  const bytes = new Uint8Array(words.buffer);
  bytes.set(header);
  let at = HEADER_WORDS;
  for (const part of parts) at = writePart(words, at, part);
  return bytes;
}

/** @param length Of the envelope in bytes; 0: it is not finished. @throws {RangeError} If it is more than 4 GiB. */
export function headerOf(kind: Kind, length: number): Uint8Array<ArrayBuffer> {
  if (length > MAX_BYTES) {
    throw new RangeError(`a ${kind} of ${length} bytes is longer than the format's 4 GiB`);
  }
  const words = Int32Array.of(0, FORMAT_VERSION | (STATE_VERSION << 16), length, 0);
  const bytes = new Uint8Array(words.buffer);
  for (const [at, letter] of [...MAGIC[kind]].entries()) bytes[at] = letter.charCodeAt(0);
  words[SUM_AT] = checksumOf(words.subarray(0, SUM_AT));
  return bytes;
}

/** A part to append, with these contents. */
export function partOf(contents: Uint8Array): Uint8Array<ArrayBuffer> {
  const words = new Int32Array(wordsOfPart(contents));
  writePart(words, 0, contents);
  return new Uint8Array(words.buffer);
}

/** @returns Where it ends. */
function writePart(words: Int32Array, at: number, contents: Uint8Array): number {
  const from = at + PART_HEADER_WORDS;
  const to = at + wordsOfPart(contents);
  new Uint8Array(words.buffer).set(contents, 4 * from);
  words[at] = contents.length;
  words[at + 1] = checksumOf(words.subarray(at, at + 1));
  words[at + 2] = checksumOf(words.subarray(from, to));
  return to;
}

const wordsOfPart = ({ length }: Uint8Array): number => PART_HEADER_WORDS + Math.ceil(length / 4);

/** An envelope without damage. */
interface Opened {
  /** The contents of its parts, which begin at whole words in memory: views, of the given bytes or of a copy. */
  readonly parts: readonly Uint8Array[];
  readonly isFinished: boolean;
  /** @throws {RecordingFormatError} If its saved states are of another version. */
  requireStates(): void;
}

/**
 * Checks an envelope, and reads its contents.
 *
 * @param read May throw whatever reading and checking values throws.
 * @throws {TypeError} If it is not bytes.
 * @throws {RecordingFormatError} If anything is wrong with it.
 */
export function readEnvelope<T>(kind: Kind, bytes: Uint8Array, read: (opened: Opened) => T): T {
  const opened = openEnvelope(kind, bytes);
  try {
    return read(opened);
  } catch (error) {
    const isWrong =
      error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError;
    throw isWrong ? refusal(kind, `cannot be: ${error.message}`, error) : error;
  }
}

function openEnvelope(kind: Kind, bytes: Uint8Array): Opened {
  requireBytes(`the ${kind}`, bytes);
  requireMagic(kind, bytes);
  const has = `it has ${bytes.length} bytes`;
  if (bytes.length < 4 * HEADER_WORDS) {
    throw refusal(kind, `is cut off: ${has}, and its header alone has ${4 * HEADER_WORDS}`);
  }
  const own = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  const words = new Int32Array(own.buffer, own.byteOffset, own.length >>> 2);
  const [, versions = 0, signedLength = 0, sum] = words.subarray(0, HEADER_WORDS);
  requireVersion(kind, 'the format', versions & 0xffff, FORMAT_VERSION);
  if (sum !== checksumOf(words.subarray(0, SUM_AT)))
    throw refusal(kind, 'is damaged in its header');
  const length = signedLength >>> 0;
  const isFinished = length > 0;
  if (isFinished && bytes.length !== length) {
    const how = bytes.length < length ? 'cut off' : 'damaged';
    throw refusal(kind, `is ${how}: ${has}, and should have ${length}`);
  }
  const parts: Uint8Array[] = [];
  for (let at = HEADER_WORDS; 4 * at < own.length;) {
    const part = partAt(own, words, at);
    if (part === 'cut off' && !isFinished) break;
    if (typeof part === 'string') {
      const isOfUse = !isFinished && parts.length > 0;
      const place = ` after its first ${4 * at} bytes, which are whole and can be read without the rest`;
      throw refusal(kind, `is damaged${isOfUse ? place : ''}`);
    }
    parts.push(part);
    at += wordsOfPart(part);
  }
  const requireStates = (): void =>
    requireVersion(kind, 'saved states', versions >>> 16, STATE_VERSION);
  return { parts, isFinished, requireStates };
}

/** The contents of a part, or what is wrong with it. */
function partAt(
  bytes: Uint8Array,
  words: Int32Array,
  at: number,
): Uint8Array | 'cut off' | 'damaged' {
  const from = at + PART_HEADER_WORDS;
  if (from > words.length) return 'cut off';
  if (words[at + 1] !== checksumOf(words.subarray(at, at + 1))) return 'damaged';
  const length = (words[at] as number) >>> 0;
  const to = from + Math.ceil(length / 4);
  if (to > words.length) return 'cut off';
  if (words[at + 2] !== checksumOf(words.subarray(from, to))) return 'damaged';
  return bytes.subarray(4 * from, 4 * from + length);
}

function requireVersion(kind: Kind, of: string, version: number, expected: number): void {
  if (version === expected) return;
  const age = version > expected ? 'a newer' : 'an older';
  throw refusal(
    kind,
    `has version ${version} of ${of}, and version ${expected} is expected: ${age} version of the library wrote it`,
  );
}

const refusal = (kind: Kind, why: string, cause?: unknown): RecordingFormatError =>
  new RecordingFormatError(`this ${kind} ${why}`, { cause });

function requireMagic(kind: Kind, bytes: Uint8Array): void {
  if (String.fromCharCode(...bytes.subarray(0, MAGIC_LENGTH)) === MAGIC[kind]) return;
  throw new RecordingFormatError(`this is not a ${kind}: it does not begin with "${MAGIC[kind]}"`);
}
