/**
 * Two colliders that touch in a Rapier world, as they are known and saved. Complete without the engine: what the first tick
 * of a restored world removes before it reports anything has to end as in the run that was saved.
 */
import type { BodyId } from '../shared/memory/body-meta.js';

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

/** Two colliders that touch, the one with the lower handle first. */
export interface TouchingPair extends BodyPair {
  readonly handle1: number;
  readonly handle2: number;
  /** One of the two was a sensor when they met, so they do not push each other. */
  readonly isIntersection: boolean;
  /** The sensor numbers of the colliders, if they have one. */
  readonly sensor1: number | undefined;
  readonly sensor2: number | undefined;
  /** It counts for the contact of the bodies, or for the sensor. */
  isContact: boolean;
  /** Its collision is reported. */
  collision: CollisionOf | undefined;
}

/** Bytes per pair: two handles, two numbers, two bodies, two sensors, flags. */
const PAIR_BYTES = 56;

const FLAG = {
  a: 1,
  b: 2,
  sensor1: 4,
  sensor2: 8,
  intersection: 16,
  contact: 32,
  collision: 64,
  collisionOfSensor: 128,
} as const;

export function packPairs(pairs: readonly TouchingPair[]): Uint8Array {
  const table = new DataView(new ArrayBuffer(pairs.length * PAIR_BYTES));
  pairs.forEach((pair, index) => {
    const at = index * PAIR_BYTES;
    const { a, b, sensor1, sensor2, collision } = pair;
    table.setFloat64(at, pair.handle1, true);
    table.setFloat64(at + 8, pair.handle2, true);
    table.setFloat64(at + 16, collision?.number1 ?? 0, true);
    table.setFloat64(at + 24, collision?.number2 ?? 0, true);
    [a, b, sensor1, sensor2].forEach((number, place) => {
      table.setUint32(at + 32 + 4 * place, number ?? 0, true);
    });
    const flags =
      (a === undefined ? 0 : FLAG.a) |
      (b === undefined ? 0 : FLAG.b) |
      (sensor1 === undefined ? 0 : FLAG.sensor1) |
      (sensor2 === undefined ? 0 : FLAG.sensor2) |
      (pair.isIntersection ? FLAG.intersection : 0) |
      (pair.isContact ? FLAG.contact : 0) |
      (collision === undefined ? 0 : FLAG.collision) |
      (collision?.isSensor === true ? FLAG.collisionOfSensor : 0);
    table.setUint32(at + 48, flags, true);
  });
  return new Uint8Array(table.buffer);
}

/** @param bytes From {@link packPairs}. */
export function unpackPairs(bytes: Uint8Array): TouchingPair[] {
  const table = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: Math.floor(bytes.length / PAIR_BYTES) }, (_, index) => {
    const at = index * PAIR_BYTES;
    const flags = table.getUint32(at + 48, true);
    const has = (flag: number): boolean => (flags & flag) !== 0;
    const number = (flag: number, place: number): number | undefined =>
      has(flag) ? table.getUint32(at + 32 + 4 * place, true) : undefined;
    return {
      handle1: table.getFloat64(at, true),
      handle2: table.getFloat64(at + 8, true),
      a: number(FLAG.a, 0) as BodyId | undefined,
      b: number(FLAG.b, 1) as BodyId | undefined,
      sensor1: number(FLAG.sensor1, 2),
      sensor2: number(FLAG.sensor2, 3),
      isIntersection: has(FLAG.intersection),
      isContact: has(FLAG.contact),
      collision: has(FLAG.collision)
        ? {
            number1: table.getFloat64(at + 16, true),
            number2: table.getFloat64(at + 24, true),
            isSensor: has(FLAG.collisionOfSensor),
          }
        : undefined,
    };
  });
}
