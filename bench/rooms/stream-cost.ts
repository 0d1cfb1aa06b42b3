/** What it costs to send bodies: bytes, time and error, compared with the schema of Colyseus in the same run. */
import { getMessageBytes, Protocol } from '@colyseus/core';
import { BODY_LANES, LANE } from '../../src/shared/memory/layout.js';
import { BodyStreamReader } from '../../src/shared/network/body-stream-reader.js';
import { BodyStreamWriter } from '../../src/shared/network/body-stream-writer.js';
import { ROOM_MESSAGE } from '../../src/shared/network/room-messages.js';
import { RoomRun } from '../../src/sim-worker/room/room-run.js';
import { EventReporter } from '../../src/sim-worker/events/event-reporter.js';
import { SimulationRun } from '../../src/sim-worker/run/simulation-run.js';
import { threadTimeMs } from '../thread-time.js';
import { percentilesOf, type Spread } from './percentiles.js';
import { SCHEMAS, SchemaBodies, type SchemaKind } from './schema-state.js';
import { BOXES, createPit, PIT_CAPACITY, type PitMotion } from './pit.js';

const HZ = 60;
const TICKS_PER_PACKET = 2;
const PACKETS_HZ = HZ / TICKS_PER_PACKET;
/** Until the boxes have fallen, and until those that are not stirred sleep. */
const SETTLE_SECONDS = 10;
const TIMED_ROUNDS = 5;
/** Frames of WebSocket have a header of 2 bytes, and of 4 from 126 bytes on, from the server. */
const framed = (bytes: number): number => bytes + (bytes < 126 ? 2 : 4);

export interface StreamCost {
  readonly seconds: number;
  /** On the wire to one client, with the headers of Colyseus and WebSocket, in bytes per second. */
  readonly movingBytesPerSecond: number;
  /** With 20 packets per second in place of 30. */
  readonly movingBytesPerSecondAt20Hz: number;
  readonly restingBytesPerSecond: number;
  /** Of the bodies that move, without headers. */
  readonly bitsPerBody: number;
  /** Share of the bodies whose pose changes in a packet. */
  readonly movingShare: number;
  /** Of a packet, once for all clients. */
  readonly encodeMs: EncodeTimes;
  /** The largest that was found, and what it may be: in m, and in degrees. */
  readonly positionError: { readonly max: number; readonly bound: number };
  readonly rotationErrorDegrees: { readonly max: number; readonly bound: number };
  readonly schemas: readonly SchemaCost[];
}

export interface EncodeTimes {
  /** In processor time. */
  readonly mean: number;
  readonly elapsed: Spread;
}

const NO_TIMES: EncodeTimes = { mean: Number.NaN, elapsed: percentilesOf([]) };

export interface SchemaCost {
  readonly kind: SchemaKind;
  readonly bytesPerSecond: number;
  readonly encodeMs: EncodeTimes;
  /** Bytes of the schema per byte of the stream. */
  readonly ratio: number;
}

/** @param seconds Of simulated time. */
export async function measureStream(seconds: number): Promise<StreamCost> {
  const packets = await posesOf(seconds);
  const movingBytesPerSecond = await wireBytesPerSecond('stirred', seconds);
  const encode = timesOf(
    [() => createWriter(), ...SCHEMAS.map((kind) => () => createSchema(kind))],
    packets,
  );
  return {
    seconds,
    movingBytesPerSecond,
    movingBytesPerSecondAt20Hz: await wireBytesPerSecond('stirred', seconds, HZ / 20),
    restingBytesPerSecond: await wireBytesPerSecond('resting', seconds),
    ...decode(packets),
    encodeMs: encode[0] ?? NO_TIMES,
    schemas: SCHEMAS.map((kind, index) => {
      const bytes = lengthsOf(createSchema(kind), packets);
      // With the code of the message.
      const bytesPerPacket = bytes.reduce((sum, length) => sum + framed(length + 1), 0);
      const bytesPerSecond = (bytesPerPacket / bytes.length) * PACKETS_HZ;
      const ratio = bytesPerSecond / movingBytesPerSecond;
      return { kind, bytesPerSecond, encodeMs: encode[index + 1] ?? NO_TIMES, ratio };
    }),
  };
}

/** Encodes the bodies of a packet. @returns Its length in bytes. */
type Encode = (poses: Float32Array) => number;

function createWriter(): Encode {
  const writer = new BodyStreamWriter();
  return (poses) => writer.write(bodiesOf(poses)).length;
}

function createSchema(kind: SchemaKind): Encode {
  const bodies = new SchemaBodies(kind, BOXES);
  return (poses) => bodies.encode(poses);
}

const bodiesOf = (poses: Float32Array) => {
  return { poses, metas: new Int32Array(poses.buffer), bodyLimit: BOXES };
};

/** Without those of the first second, which have all bodies whole. */
const lengthsOf = (encode: Encode, packets: readonly Float32Array[]): number[] =>
  packets.map((poses) => encode(poses)).slice(PACKETS_HZ);

/** Alternately, so that other load on the machine affects all. */
function timesOf(
  encoders: readonly (() => Encode)[],
  packets: readonly Float32Array[],
): readonly EncodeTimes[] {
  const elapsed = encoders.map((): number[] => []);
  const cpuMs = encoders.map(() => 0);
  for (let round = 0; round <= TIMED_ROUNDS; round++) {
    for (const [index, create] of encoders.entries()) {
      const encode = create();
      const startMs = threadTimeMs();
      const times = packets.map((poses) => {
        const start = performance.now();
        encode(poses);
        return performance.now() - start;
      });
      // In the first round, the code is compiled.
      if (round === 0) continue;
      cpuMs[index] = (cpuMs[index] ?? 0) + threadTimeMs() - startMs;
      elapsed[index]?.push(...times);
    }
  }
  return elapsed.map((times, index) => {
    return { mean: (cpuMs[index] ?? 0) / times.length, elapsed: percentilesOf(times) };
  });
}

/** What a client has of it. */
function decode(
  packets: readonly Float32Array[],
): Pick<StreamCost, 'bitsPerBody' | 'movingShare' | 'positionError' | 'rotationErrorDegrees'> {
  const writer = new BodyStreamWriter();
  const reader = new BodyStreamReader();
  const { precision } = writer;
  const decoded = new Float32Array(packets[0]?.length ?? 0);
  const errors = { position: 0, degrees: 0 };
  let [bytes, moved] = [0, 0];
  reader.readBaseline(writer.writeBaseline());
  for (const [index, poses] of packets.entries()) {
    const packet = writer.write(bodiesOf(poses));
    reader.read(packet);
    reader.write({ poses: decoded, metas: new Int32Array(decoded.buffer) });
    noteErrors(errors, poses, decoded);
    if (index < PACKETS_HZ) continue;
    bytes += packet.length;
    moved += movedOf(packets[index - 1], poses);
  }
  return {
    bitsPerBody: (bytes * 8) / moved,
    movingShare: moved / (packets.length - PACKETS_HZ) / BOXES,
    positionError: { max: errors.position, bound: precision.positionStep / 2 },
    rotationErrorDegrees: { max: errors.degrees, bound: rotationBound(precision.rotationBits) },
  };
}

/** What the transport of Colyseus sends to one client that draws. */
async function wireBytesPerSecond(
  motion: PitMotion,
  seconds: number,
  ticksPerPacket = TICKS_PER_PACKET,
): Promise<number> {
  let bytes = 0;
  const room = await RoomRun.open(
    createPit({ build: 'simd', motion }),
    { tickRateHz: HZ, ticksPerPacket, capacity: PIT_CAPACITY },
    {
      onPacket: (_, packet) => {
        const message = getMessageBytes.raw(
          Protocol.ROOM_DATA_BYTES,
          ROOM_MESSAGE,
          undefined,
          packet,
        );
        bytes += framed(message.length);
      },
    },
  );
  room.join(0);
  room.welcome(0, 'stream');
  for (let tick = 1; tick <= (SETTLE_SECONDS + seconds) * HZ; tick++) {
    if (tick === SETTLE_SECONDS * HZ) bytes = 0;
    room.advance((tick * 1000) / HZ + 0.01);
  }
  room.dispose();
  return bytes / seconds;
}

/** The lanes of the boxes, of each packet. */
async function posesOf(seconds: number): Promise<Float32Array[]> {
  const run = new SimulationRun({
    simulation: createPit({ build: 'simd' }),
    options: {
      capacity: PIT_CAPACITY,
      seed: 1,
      setup: null,
      dt: 1 / HZ,
      invalidPosePolicy: 'freeze',
    },
    events: new EventReporter(undefined),
  });
  await run.initialize();
  const packets: Float32Array[] = [];
  const lanes = new Float32Array(run.bodies.lanes.buffer);
  for (let tick = 1; tick <= (SETTLE_SECONDS + seconds) * HZ; tick++) {
    run.runTick(1 / HZ);
    if (tick > SETTLE_SECONDS * HZ && tick % TICKS_PER_PACKET === 0) {
      packets.push(lanes.slice(0, BOXES * BODY_LANES));
    }
  }
  run.dispose();
  return packets;
}

function movedOf(before: Float32Array | undefined, now: Float32Array): number {
  let moved = 0;
  for (let at = 0; at < now.length; at += BODY_LANES) {
    const isSame = now
      .subarray(at, at + BODY_LANES)
      .every((value, index) => Object.is(value, before?.[at + index]));
    if (!isSame) moved += 1;
  }
  return moved;
}

function noteErrors(
  errors: { position: number; degrees: number },
  poses: Float32Array,
  decoded: Float32Array,
): void {
  for (let at = 0; at < poses.length; at += BODY_LANES) {
    const component = (lane: number): [number, number] => [
      poses[at + lane] ?? 0,
      decoded[at + lane] ?? 0,
    ];
    for (const lane of [LANE.x, LANE.y, LANE.z]) {
      const [one, other] = component(lane);
      errors.position = Math.max(errors.position, Math.abs(one - other));
    }
    // Of q and −q, the nearer. The length of their difference is exact where the angle's cosine is not.
    let [difference, sum] = [0, 0];
    for (const lane of [LANE.qx, LANE.qy, LANE.qz, LANE.qw]) {
      const [one, other] = component(lane);
      difference += (one - other) ** 2;
      sum += (one + other) ** 2;
    }
    const half = Math.asin(Math.min(1, Math.sqrt(Math.min(difference, sum)) / 2));
    errors.degrees = Math.max(errors.degrees, (half * 4 * 180) / Math.PI);
  }
}

/**
 * Each of three components errs by half a step, and the fourth follows from them: at worst, all are equal, and it errs as much
 * as the three together.
 */
function rotationBound(bits: number): number {
  const half = Math.SQRT1_2 / (2 ** (bits - 1) - 1) / 2;
  return (2 * Math.hypot(half, half, half, 3 * half) * 180) / Math.PI;
}
