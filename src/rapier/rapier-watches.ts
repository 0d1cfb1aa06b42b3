/**
 * Which events of which collider in a Rapier world are reported, and which colliders touch. Belongs to the world and is saved with
 * it: a scene may have asked for it long after it was built, and the first step of a restored world may end what touched.
 *
 * The engine itself knows only whether a collider reports that it touches something, and not what for. A collider that
 * is not in this list, but reports it, is watched for contacts.
 */
import type { BodyId } from '../shared/memory/body-meta.js';
import { ByteReader, ByteWriter } from '../shared/util/bytes.js';

/** Bits of what is reported of a collider. */
export const WATCH = { contacts: 1, collisions: 2, sensor: 4 } as const;

interface WatchedCollider {
  kinds: number;
  /** The simulation's number for the sensor that the collider is part of. */
  sensor: number;
}

/** Entries of colliders that are gone are looked for when there are twice as many as after the last time. */
const MIN_SWEEP = 256;

/** Which events of each collider are reported, by its handle. Handles are not reused. */
export class ColliderWatches {
  /** Returns the pairs that touch, for {@link savePairs}. */
  pairs: () => Iterable<TouchingPair> = () => [];
  /** The pairs of the world that was restored last, as they were when it was saved. */
  restoredPairs: readonly TouchingPair[] = [];
  /** The forces of contacts in the last step: see rapier-forces.ts. */
  forces: (readonly [handle1: number, handle2: number, force: number])[] = [];
  /** The number by which the page knows a collider. Default: the engine's. */
  numberOf: (collider: { readonly handle: number }) => number = ({ handle }) => handle;
  readonly #watched = new Map<number, WatchedCollider>();
  #collisions = 0;
  #sweepAt = MIN_SWEEP;

  /** Whether any collider is watched for collisions. */
  get hasCollisions(): boolean {
    return this.#collisions > 0;
  }

  get isEmpty(): boolean {
    return this.#watched.size === 0;
  }

  /** Whether this kind is reported of a collider; undefined if nothing is known of it. */
  has(handle: number, kind: number): boolean | undefined {
    const watched = this.#watched.get(handle);
    return watched && (watched.kinds & kind) !== 0;
  }

  sensorOf(handle: number): number | undefined {
    const watched = this.#watched.get(handle);
    return watched !== undefined && (watched.kinds & WATCH.sensor) !== 0
      ? watched.sensor
      : undefined;
  }

  /** @param exists Whether a collider still exists. */
  add(handle: number, kinds: number, exists: (handle: number) => boolean, sensor = 0): void {
    const before = this.#watched.get(handle);
    this.#put(handle, {
      kinds: (before?.kinds ?? 0) | kinds,
      sensor: (kinds & WATCH.sensor) !== 0 ? sensor : (before?.sensor ?? 0),
    });
    if (this.#watched.size < this.#sweepAt) return;
    for (const gone of this.#watched.keys()) if (!exists(gone)) this.#remove(gone);
    this.#sweepAt = Math.max(MIN_SWEEP, this.#watched.size * 2);
  }

  /** Ends the reports of a kind for a collider. */
  drop(handle: number, kind: number): void {
    const watched = this.#watched.get(handle);
    if (watched !== undefined) this.#put(handle, { ...watched, kinds: watched.kinds & ~kind });
  }

  savePairs(): Uint8Array {
    return packPairs([...this.pairs()]);
  }

  restorePairs(bytes: Uint8Array): void {
    this.restoredPairs = unpackPairs(bytes);
  }

  saveForces(): Uint8Array {
    return new Uint8Array(Float64Array.from(this.forces.flat()).buffer);
  }

  restoreForces(bytes: Uint8Array): void {
    const numbers = new Float64Array(bytes.slice().buffer);
    this.forces = [];
    for (let at = 0; at < numbers.length; at += 3) {
      this.forces.push([numbers[at], numbers[at + 1], numbers[at + 2]] as [number, number, number]);
    }
  }

  save(): Uint8Array {
    const out = new ByteWriter();
    for (const [handle, { kinds, sensor }] of this.#watched) {
      out.float64(handle);
      out.word(kinds);
      out.word(sensor);
    }
    return out.toBytes();
  }

  /** Replaces everything by what {@link save} returned. */
  restore(bytes: Uint8Array): void {
    this.#watched.clear();
    this.#collisions = 0;
    const reader = new ByteReader(bytes);
    while (reader.left > 0) {
      this.#put(reader.float64(), { kinds: reader.word(), sensor: reader.word() });
    }
  }

  #put(handle: number, watched: WatchedCollider): void {
    this.#remove(handle);
    this.#watched.set(handle, watched);
    if ((watched.kinds & WATCH.collisions) !== 0) this.#collisions += 1;
  }

  #remove(handle: number): void {
    if (this.has(handle, WATCH.collisions) === true) this.#collisions -= 1;
    this.#watched.delete(handle);
  }
}

const watches = new WeakMap<object, ColliderWatches>();

/** @param physics The `RapierWorld` that they belong to. */
export function watchesOf(physics: object): ColliderWatches {
  let found = watches.get(physics);
  if (found === undefined) {
    found = new ColliderWatches();
    watches.set(physics, found);
  }
  return found;
}

/** The bodies of the snapshot that two colliders belong to. */
export interface BodyPair {
  readonly a: BodyId | undefined;
  readonly b: BodyId | undefined;
}

/** The numbers by which the page knows the colliders of a collision, the one with the lower handle first. */
export interface CollisionOf {
  readonly number1: number;
  readonly number2: number;
  /** One of the two is a sensor. */
  readonly isSensor: boolean;
}

/**
 * Two colliders that touch, the one with the lower handle first. Complete without the engine: what the first tick of a
 * restored world removes before it reports anything has to end as in the run that was saved.
 */
export interface TouchingPair extends BodyPair {
  readonly handle1: number;
  readonly handle2: number;
  /** One of the two was a sensor when they met, so they do not push each other. */
  readonly isIntersection: boolean;
  /** The sensor numbers of the colliders, if they have one. */
  readonly sensor1: number | undefined;
  readonly sensor2: number | undefined;
  /** Whether the pair counts for the contact of the bodies, or for the sensor. */
  isContact: boolean;
  /** The collision, if it is reported. */
  collision: CollisionOf | undefined;
}

/** Members of a pair that may be missing. Their flags are the first bits. */
const OPTIONAL = ['a', 'b', 'sensor1', 'sensor2'] as const;
const FLAG = { intersection: 16, contact: 32, collision: 64, collisionOfSensor: 128 } as const;

/** Each pair as two handles, two numbers of colliders, two bodies, two sensors, flags, and a word that is not used. */
function packPairs(pairs: readonly TouchingPair[]): Uint8Array {
  const out = new ByteWriter();
  for (const pair of pairs) {
    const { handle1, handle2, collision } = pair;
    for (const number of [handle1, handle2, collision?.number1, collision?.number2]) {
      out.float64(number ?? 0);
    }
    let flags =
      (pair.isIntersection ? FLAG.intersection : 0) |
      (pair.isContact ? FLAG.contact : 0) |
      (collision === undefined ? 0 : FLAG.collision) |
      (collision?.isSensor === true ? FLAG.collisionOfSensor : 0);
    for (const [bit, key] of OPTIONAL.entries()) {
      out.word(pair[key] ?? 0);
      if (pair[key] !== undefined) flags |= 1 << bit;
    }
    out.word(flags);
    out.word(0);
  }
  return out.toBytes();
}

/** @param bytes From {@link packPairs}. */
function unpackPairs(bytes: Uint8Array): TouchingPair[] {
  const reader = new ByteReader(bytes);
  const pairs: TouchingPair[] = [];
  while (reader.left > 0) {
    const [handle1, handle2] = [reader.float64(), reader.float64()];
    const [number1, number2] = [reader.float64(), reader.float64()];
    const words = OPTIONAL.map(() => reader.word());
    const flags = reader.word();
    reader.word();
    const has = (flag: number): boolean => (flags & flag) !== 0;
    const [a, b, sensor1, sensor2] = words.map((word, bit) => (has(1 << bit) ? word : undefined));
    pairs.push({
      handle1,
      handle2,
      a: a as BodyId | undefined,
      b: b as BodyId | undefined,
      sensor1,
      sensor2,
      isIntersection: has(FLAG.intersection),
      isContact: has(FLAG.contact),
      collision: has(FLAG.collision)
        ? { number1, number2, isSensor: has(FLAG.collisionOfSensor) }
        : undefined,
    });
  }
  return pairs;
}
