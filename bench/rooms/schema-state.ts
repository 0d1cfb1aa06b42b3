/** The same bodies in a state of Colyseus' own schema, as an application would declare them. */
import { Encoder, MapSchema, schema, t } from '@colyseus/schema';
import { BODY_LANES, LANE } from '../../src/shared/memory/layout.js';

/** Positions and rotations of the scene are within these. */
const POSITION = { min: -8, max: 8, bits: 16 } as const;
const ROTATION = { min: -1, max: 1, bits: 16 } as const;

const FloatBody = schema(
  {
    x: t.float32(),
    y: t.float32(),
    z: t.float32(),
    qx: t.float32(),
    qy: t.float32(),
    qz: t.float32(),
    qw: t.float32(),
  },
  'FloatBody',
);
const FloatState = schema({ bodies: t.map(FloatBody) }, 'FloatState');

const QuantizedBody = schema(
  {
    x: t.quantized(POSITION),
    y: t.quantized(POSITION),
    z: t.quantized(POSITION),
    qx: t.quantized(ROTATION),
    qy: t.quantized(ROTATION),
    qz: t.quantized(ROTATION),
    qw: t.quantized(ROTATION),
  },
  'QuantizedBody',
);
const QuantizedState = schema({ bodies: t.map(QuantizedBody) }, 'QuantizedState');

interface Pose {
  x: number;
  y: number;
  z: number;
  qx: number;
  qy: number;
  qz: number;
  qw: number;
}

/** Two ways in which the fields can be declared. */
export const SCHEMAS = ['float32', 'quantized'] as const;
export type SchemaKind = (typeof SCHEMAS)[number];

export class SchemaBodies {
  readonly #encoder: Encoder;
  readonly #poses: Pose[];

  constructor(kind: SchemaKind, bodies: number) {
    const isFloat = kind === 'float32';
    const state = isFloat ? new FloatState() : new QuantizedState();
    const map = new MapSchema<object>();
    this.#poses = Array.from({ length: bodies }, (_, index) => {
      const pose = isFloat ? new FloatBody() : new QuantizedBody();
      map.set(String(index), pose);
      return pose as unknown as Pose;
    });
    (state as { bodies: unknown }).bodies = map;
    this.#encoder = new Encoder(state);
    this.#encoder.encodeAll();
    this.#encoder.discardChanges();
  }

  /** A patch, as the room would send it. @returns Its length in bytes. */
  encode(poses: Float32Array): number {
    for (const [index, pose] of this.#poses.entries()) {
      const at = index * BODY_LANES;
      pose.x = poses[at + LANE.x] ?? 0;
      pose.y = poses[at + LANE.y] ?? 0;
      pose.z = poses[at + LANE.z] ?? 0;
      pose.qx = poses[at + LANE.qx] ?? 0;
      pose.qy = poses[at + LANE.qy] ?? 0;
      pose.qz = poses[at + LANE.qz] ?? 0;
      pose.qw = poses[at + LANE.qw] ?? 0;
    }
    const { length } = this.#encoder.encode();
    this.#encoder.discardChanges();
    return length;
  }
}
