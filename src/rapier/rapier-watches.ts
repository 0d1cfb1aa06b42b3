/**
 * What is reported of which collider in a Rapier world, and which of them touch. Belongs to the world and is saved with
 * it: a scene may have asked for it long after it was built, and the first step of a restored world may end what touched.
 *
 * The engine itself knows only whether a collider reports that it touches something, and not what for. A collider that
 * is not in this list, but reports it, is watched for contacts.
 */

import { packPairs, unpackPairs, type TouchingPair } from './touching-pair.js';

/** Bits of what is reported of a collider. */
export const WATCH = { contacts: 1, collisions: 2, sensor: 4 } as const;

interface Watched {
  kinds: number;
  /** The simulation's number for the sensor that the collider is part of. */
  sensor: number;
}

/** Bytes per collider: its handle, kinds, and number of the sensor. */
const ENTRY_BYTES = 16;
/** Entries of colliders that are gone are looked for when there are twice as many as after the last time. */
const MIN_SWEEP = 256;

/** By the colliders' handles, which are not reused. */
export class ColliderWatches {
  /** Returns the pairs that touch, for {@link savePairs}. */
  pairs: () => Iterable<TouchingPair> = () => [];
  /** Those of the world that was restored last, as they were when it was saved. */
  restoredPairs: readonly TouchingPair[] = [];
  /** What contacts have pushed with in the last step, by the handles of two colliders: see rapier-forces.ts. */
  forces: (readonly [handle1: number, handle2: number, force: number])[] = [];
  /** The number by which the page knows a collider. Default: the engine's. */
  numberOf: (collider: { readonly handle: number }) => number = ({ handle }) => handle;
  readonly #watched = new Map<number, Watched>();
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

  /** This kind is no longer reported of a collider. */
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
    const table = new DataView(new ArrayBuffer(this.#watched.size * ENTRY_BYTES));
    let at = 0;
    for (const [handle, { kinds, sensor }] of this.#watched) {
      table.setFloat64(at, handle, true);
      table.setUint32(at + 8, kinds, true);
      table.setUint32(at + 12, sensor, true);
      at += ENTRY_BYTES;
    }
    return new Uint8Array(table.buffer);
  }

  /** Replaces everything by what {@link save} returned. */
  restore(bytes: Uint8Array): void {
    this.#watched.clear();
    this.#collisions = 0;
    const table = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
      this.#put(table.getFloat64(at, true), {
        kinds: table.getUint32(at + 8, true),
        sensor: table.getUint32(at + 12, true),
      });
    }
  }

  #put(handle: number, watched: Watched): void {
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
