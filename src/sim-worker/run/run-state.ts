/** The format of a run's saved state, and of the bodies in it. */
import { InputState } from '../../shared/input/input-state.js';
import type { Json } from '../../shared/util/json.js';
import { ByteReader, ByteWriter, textOf, utf8Of } from '../../shared/util/bytes.js';
import { envelopeOf, readEnvelope } from '../../shared/recording/envelope.js';
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

const NONE = new Uint8Array();

export interface RunState {
  readonly tick: number;
  /** After the tick. */
  readonly simulatedSeconds: number;
  /** Simulated seconds of the last step. */
  readonly dt: number;
  /** State of the random source. */
  readonly random: number;
  /** The held inputs, saved by an `InputState`. */
  readonly input: Json;
  readonly run: RunDescription;
  /** See {@link writeSavedBodies}. */
  readonly bodies: readonly Uint8Array[];
  /** Saved by the simulation. */
  readonly simulation: Uint8Array;
  /** The simulation's `context.values`. */
  readonly values: Float32Array;
}

export function encodeRunState(state: RunState): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter();
  out.varint(state.tick);
  out.float64(state.simulatedSeconds);
  out.float64(state.dt);
  out.signedVarint(state.random);
  out.text(JSON.stringify(state.run));
  out.text(JSON.stringify(state.input));
  const { simulation, bodies, values } = state;
  return envelopeOf('saved state', [out.toBytes(), simulation, ...bodies, writeValues(values)]);
}

/** Without the zeros at the end: most of a world's values are never used. */
function writeValues({ buffer, byteOffset, length }: Float32Array): Uint8Array {
  const words = new Int32Array(buffer, byteOffset, length);
  return new Uint8Array(buffer, byteOffset, 4 * (words.findLastIndex((word) => word !== 0) + 1));
}

function readValues(bytes: Uint8Array, count: number): Float32Array {
  if (bytes.length % 4 !== 0 || bytes.length > 4 * count) {
    throw new RangeError(`it has ${bytes.length} bytes for ${count} values`);
  }
  const values = new Float32Array(count);
  new Uint8Array(values.buffer).set(bytes);
  return values;
}

/** @throws RecordingFormatError if the bytes are not a saved state of this version, or are damaged. */
export const decodeRunState = (bytes: Uint8Array): RunState =>
  readEnvelope('saved state', bytes, ({ parts, requireStates }) => {
    requireStates();
    // A separate copy: simulations may keep it.
    const [head = NONE, simulation = NONE, ...bodies] = parts.map((part) => new Uint8Array(part));
    const values = bodies.pop() ?? NONE;
    const reader = new ByteReader(head);
    const saved = {
      tick: reader.varint(),
      simulatedSeconds: requireNumber('its time', reader.float64(), 0, Number.MAX_VALUE),
      dt: requireStep(reader.float64()),
      random: reader.signedVarint(),
      run: requireRunDescription(JSON.parse(reader.text())),
      input: requireInput(JSON.parse(reader.text())),
      bodies,
      simulation,
    };
    return { ...saved, values: readValues(values, saved.run.values ?? 0) };
  });

/** @throws TypeError if it cannot be restored. */
function requireInput(saved: Json): Json {
  new InputState().restore(saved);
  return saved;
}

/** The owners of all slots, all poses and tags, and the order in which free slots are reused. */
export function writeSavedBodies(saved: SavedBodies): Uint8Array[] {
  const { capacity, nextSlot, bodyCount, generation, lanes, free, tags, velocities } = saved;
  const sizes = Int32Array.of(capacity, nextSlot, bodyCount, generation);
  // Most simulations have no tags, or a few different ones.
  const hasTags = tags.some((tag) => tag !== NO_TAG);
  const texts = hasTags ? utf8Of(`[${tags.map(({ json }) => json).join()}]`) : new Uint8Array();
  const parts = [sizes, lanes, free, texts, velocities ?? new Float32Array()];
  return parts.map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
}

/**
 * Reads saved bodies and validates everything: a correct checksum only proves that the bytes were not changed after it
 * was computed. A slot that is free twice, for example, would be given to two bodies.
 *
 * @param room Capacity of the registry.
 * @throws RangeError naming what is wrong, or if the bodies do not fit.
 */
export function readSavedBodies(parts: readonly Uint8Array[], room: number): SavedBodies {
  if (parts.length !== 5) throw contradiction(`${parts.length} parts, and there should be 5`);
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

const wordsOf = ({ buffer, byteOffset, length }: Uint8Array): Int32Array =>
  new Int32Array(buffer, byteOffset, length >>> 2);

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
