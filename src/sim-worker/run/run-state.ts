/** The format of a run's saved state, and of the bodies in it. */
import { ByteReadError, ByteReader, ByteWriter, textOf, utf8Of } from '../../shared/util/bytes.js';
import { RecordingFormatError } from '../../shared/util/errors.js';
import {
  requireRunDescription,
  requireStep,
  type RunDescription,
} from '../../shared/recording/recording.js';
import { requireNumber } from '../../shared/util/validate.js';
import { BODY_ALIVE, GENERATION_MASK } from '../../shared/memory/body-meta.js';
import { BODY_LANES, LANE, MAX_CAPACITY } from '../../shared/memory/layout.js';
import { NO_TAG, tagOf, type BodyTag } from '../bodies/body-tag.js';
import { isDrawablePose, type SavedBodies } from '../bodies/body-registry.js';
import { packParts, unpackParts, wordsOf } from '../../shared/recording/saved-parts.js';

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
  /** See {@link writeSavedBodies}. */
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

/** The kind of the bytes with the bodies. */
const BODIES_KIND = 'btwB';

/** The owners of all slots, all poses and tags, and the order in which free slots are reused. */
export function writeSavedBodies(saved: SavedBodies): Uint8Array {
  const { capacity, nextSlot, bodyCount, generation, lanes, free, tags, velocities } = saved;
  const sizes = Int32Array.of(capacity, nextSlot, bodyCount, generation);
  // Most simulations have no tags, or a few different ones.
  const hasTags = tags.some((tag) => tag !== NO_TAG);
  const texts = hasTags ? utf8Of(`[${tags.map(({ json }) => json).join()}]`) : new Uint8Array();
  return packParts(BODIES_KIND, [sizes, lanes, free, texts, velocities ?? new Float32Array()]);
}

/**
 * Reads saved bodies and validates everything: a correct checksum only proves that the bytes were not changed after it
 * was computed. A slot that is free twice, for example, would be given to two bodies.
 *
 * @param room Capacity of the registry.
 * @throws RangeError naming what is wrong, or if the bodies do not fit.
 */
export function readSavedBodies(bytes: Uint8Array, room: number): SavedBodies {
  const parts = unpackParts(BODIES_KIND, 5, bytes, 'the saved bodies of a simulation');
  const [sizes, lanes, free] = parts.slice(0, 3).map(wordsOf) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  const [capacity = -1, nextSlot = -1, bodyCount = -1, generation = -1] = sizes;
  if (sizes.length !== 4) throw contradiction(`${sizes.length} sizes, and there should be 4`);
  if (capacity < 1 || capacity > MAX_CAPACITY) throw contradiction(`a capacity of ${capacity}`);
  if (nextSlot < 0 || nextSlot > capacity)
    throw contradiction(`${nextSlot} slots of a capacity of ${capacity}`);
  if ((generation & ~GENERATION_MASK) !== 0) throw contradiction(`a generation of ${generation}`);
  if (lanes.length !== nextSlot * BODY_LANES)
    throw contradiction(`${lanes.length} words for ${nextSlot} slots`);
  const isFree = new Uint8Array(nextSlot);
  for (const slot of free) {
    if (slot < 0 || slot >= nextSlot) throw contradiction(`a free slot ${slot} of ${nextSlot}`);
    if (isFree[slot] === 1) throw contradiction(`the slot ${slot} free twice`);
    isFree[slot] = 1;
  }
  const poses = new Float32Array(lanes.buffer, lanes.byteOffset, lanes.length);
  for (let slot = 0; slot < nextSlot; slot++) {
    const at = slot * BODY_LANES;
    const isAlive = ((lanes[at + LANE.meta] ?? 0) & BODY_ALIVE) !== 0;
    if (isAlive === (isFree[slot] === 1))
      throw contradiction(`the slot ${slot} both free and taken, or neither`);
    if (isAlive && !isDrawableAt(poses, at))
      throw contradiction(`a body in slot ${slot} that cannot be drawn`);
  }
  if (bodyCount !== nextSlot - free.length)
    throw contradiction(`${bodyCount} bodies in ${nextSlot} slots`);
  if (nextSlot > room) {
    throw new RangeError(
      `the saved bodies use ${nextSlot} slots of a capacity of ${capacity}, and here is room for ` +
        `${room}: connect with a higher capacity`,
    );
  }
  const tags = readTags(parts[3] as Uint8Array, nextSlot);
  const tagged = tags.findIndex((tag, slot) => tag !== NO_TAG && isFree[slot] === 1);
  if (tagged >= 0) throw contradiction(`a tag in slot ${tagged}, which is free`);
  const velocities = readVelocities(wordsOf(parts[4] as Uint8Array), lanes.length);
  return { capacity, nextSlot, bodyCount, generation, lanes, free, tags, velocities };
}

/** @param words None: no velocities were stored. */
function readVelocities(words: Int32Array, count: number): Float32Array | undefined {
  if (words.length === 0) return undefined;
  if (words.length !== count)
    throw contradiction(`${words.length} words of velocities for ${count}`);
  const velocities = new Float32Array(words.buffer, words.byteOffset, count);
  if (!velocities.every(Number.isFinite)) throw contradiction('a velocity that is not finite');
  return velocities;
}

/** @param bytes None: no body has a tag. */
function readTags(bytes: Uint8Array, slots: number): BodyTag[] {
  if (bytes.length === 0) return Array.from({ length: slots }, () => NO_TAG);
  let tags: unknown;
  try {
    tags = JSON.parse(textOf(bytes) ?? '');
  } catch {
    throw contradiction('tags that are no JSON');
  }
  if (!Array.isArray(tags) || tags.length !== slots) {
    throw contradiction(`tags that are no list of ${slots}`);
  }
  return tags.map(tagOf);
}

/** Called only to throw: building a message for each body of a state would cost more than the checks. */
const contradiction = (what: string): RangeError =>
  new RangeError(`the saved bodies of a simulation cannot be: they have ${what}`);

function isDrawableAt(poses: Float32Array, at: number): boolean {
  const of = (lane: number): number => poses[at + lane] ?? Number.NaN;
  return isDrawablePose(
    of(LANE.x),
    of(LANE.y),
    of(LANE.z),
    of(LANE.qx),
    of(LANE.qy),
    of(LANE.qz),
    of(LANE.qw),
  );
}
