/**
 * The bodies of a simulation on their way over a network, packet by packet: the same packet for all receivers.
 *
 * A packet contains the bodies whose quantized pose differs from the prediction, and the differences. A body that a packet
 * does not contain moves as predicted at both ends, so a body left out for lack of room is corrected by a later one.
 *
 *     packet    bodyLimit (varint)  listed (varint)   then bits, per listed body:
 *       gap         from the last listed one, by the gamma code: 1 bit if they are adjacent
 *       1           its owner has changed or it was teleported:  meta (32), position (3 × 32), largest (2), rotation
 *       0 1         meta has changed otherwise:                  meta (32), and as below
 *       0 0         differences of the position (3 × Rice)
 *         1           another component is the largest:  largest (2), rotation (3 × bits)
 *         0           differences of the rotation (3 × Rice)
 *
 * Source of the scheme: Glenn Fiedler, "Snapshot Compression" (https://gafferongames.com/post/snapshot_compression/), with
 * the packet before as the baseline, because the transport loses none; and adaptive codes instead of two sizes.
 */
import { BitWriter, riceLength, writeRice, BitReader, readRice } from './bits.js';
import {
  BASELINE,
  BASELINE_LANES,
  BodyBaseline,
  POSE_INTEGERS,
  zigzag,
  PositionScale,
  checkPrecision,
  type StreamPrecision,
  quantizeRotation,
  rotationLimit,
  type QuantizedRotation,
  unzigzag,
  dequantizeRotation,
} from './quantized-bodies.js';
import { CONTINUITY_MASK } from '../../shared/memory/body-meta.js';
import { BODY_LANES, LANE, MAX_CAPACITY } from '../../shared/memory/layout.js';
import { ByteReader, ByteReadError, ByteWriter } from '../../shared/util/bytes.js';

/** The lanes of bodies, BODY_LANES per body: two views of the same memory. */
export interface BodyLanes {
  readonly poses: Float32Array;
  readonly metas: Int32Array;
}

/** The bodies to encode. */
export interface StreamedBodies extends BodyLanes {
  /** Bodies from this index on have never been used. */
  readonly bodyLimit: number;
}

/** Bits of a body that is encoded without a prediction, without its rotation. */
const WHOLE_BITS = 1 + 32 + 3 * 32 + 2;

/** Encodes packets. */
export class BodyStreamWriter {
  readonly precision: StreamPrecision;
  readonly #baseline = new BodyBaseline();
  readonly #scale: PositionScale;
  readonly #limit: number;
  readonly #bits = new BitWriter(4096);
  readonly #rotation: QuantizedRotation = { largest: 3, a: 0, b: 0, c: 0 };
  /** The current integers of each body: lanes as in the baseline, without differences. */
  #now = new Int32Array(0);
  #listed: number[] = [];
  /** Per body that waits to be sent: its bits, summed over the packets since. */
  #waiting = new Float64Array(0);

  /** @throws TypeError, RangeError naming the invalid value of the precision. */
  constructor(precision: Partial<StreamPrecision> = {}) {
    this.precision = checkPrecision(precision);
    this.#scale = new PositionScale(this.precision.positionStep);
    this.#limit = rotationLimit(this.precision.rotationBits);
  }

  /**
   * Encodes the next packet.
   *
   * @param budgetBytes Most bytes of the bodies in the packet, about. Bodies that have waited longest with the largest errors
   *   come first. Default: all that have changed.
   * @returns The packet, in separate memory.
   */
  write(bodies: StreamedBodies, budgetBytes = Number.POSITIVE_INFINITY): Uint8Array<ArrayBuffer> {
    const { bodyLimit } = bodies;
    this.#makeRoom(bodyLimit);
    this.#baseline.predict(this.#limit);
    this.#quantize(bodies);
    const listed = this.#choose(budgetBytes * 8);
    this.#bits.begin();
    let last = -1;
    for (const body of listed) {
      this.#bits.gamma(body - last);
      last = body;
      this.#writeBody(body);
      this.#waiting[body] = 0;
    }
    const packet = new ByteWriter(16);
    packet.varint(this.#baseline.bodyLimit);
    packet.varint(listed.length);
    packet.bytes(this.#bits.end());
    return packet.toBytes();
  }

  /** The state that a receiver needs to read the next packet: for one that joins. */
  writeBaseline(): Uint8Array<ArrayBuffer> {
    const { lanes, bodyLimit } = this.#baseline;
    const writer = new ByteWriter(bodyLimit * BASELINE_LANES * 2 + 16);
    writer.varint(bodyLimit);
    for (let at = 0; at < bodyLimit * BASELINE_LANES; at++) writer.signedVarint(lanes[at] ?? 0);
    return writer.toBytes();
  }

  #makeRoom(bodyLimit: number): void {
    this.#baseline.setBodyLimit(bodyLimit);
    const { length } = this.#baseline.lanes;
    if (this.#now.length === length) return;
    const waiting = new Float64Array(length / BASELINE_LANES);
    waiting.set(this.#waiting);
    this.#waiting = waiting;
    this.#now = new Int32Array(length);
  }

  #quantize({ poses, metas, bodyLimit }: StreamedBodies): void {
    const now = this.#now;
    const rotation = this.#rotation;
    const scale = this.#scale;
    for (let body = 0; body < bodyLimit; body++) {
      const from = body * BODY_LANES;
      const at = body * BASELINE_LANES;
      now[at + BASELINE.meta] = metas[from + LANE.meta] ?? 0;
      now[at + BASELINE.x] = scale.quantize(poses[from + LANE.x] ?? 0);
      now[at + BASELINE.x + 1] = scale.quantize(poses[from + LANE.y] ?? 0);
      now[at + BASELINE.x + 2] = scale.quantize(poses[from + LANE.z] ?? 0);
      const x = poses[from + LANE.qx] ?? 0;
      const y = poses[from + LANE.qy] ?? 0;
      const z = poses[from + LANE.qz] ?? 0;
      const w = poses[from + LANE.qw] ?? 0;
      // A slot that was never used.
      if (x === 0 && y === 0 && z === 0 && w === 0) continue;
      quantizeRotation(x, y, z, w, this.#limit, rotation);
      now[at + BASELINE.largest] = rotation.largest;
      now[at + BASELINE.a] = rotation.a;
      now[at + BASELINE.a + 1] = rotation.b;
      now[at + BASELINE.a + 2] = rotation.c;
    }
  }

  /** The bodies that the packet contains, in order. */
  #choose(budgetBits: number): readonly number[] {
    const listed = this.#listed;
    listed.length = 0;
    const count = this.#baseline.bodyLimit;
    let bits = 0;
    for (let body = 0; body < count; body++) {
      if (!this.#differs(body * BASELINE_LANES)) {
        this.#waiting[body] = 0;
        continue;
      }
      listed.push(body);
      if (budgetBits === Number.POSITIVE_INFINITY) continue;
      const length = this.#bitsOf(body * BASELINE_LANES);
      this.#waiting[body] = (this.#waiting[body] ?? 0) + length;
      bits += length;
    }
    if (bits <= budgetBits) return listed;
    const waiting = this.#waiting;
    const byPriority = listed.toSorted((a, b) => (waiting[b] ?? 0) - (waiting[a] ?? 0) || a - b);
    let left = budgetBits;
    const chosen: number[] = [];
    for (const body of byPriority) {
      left -= this.#bitsOf(body * BASELINE_LANES);
      // At least one, or a budget that is too small would never send anything.
      if (left < 0 && chosen.length > 0) break;
      chosen.push(body);
    }
    return chosen.toSorted((a, b) => a - b);
  }

  #differs(at: number): boolean {
    const { lanes } = this.#baseline;
    const now = this.#now;
    for (let i = 0; i < POSE_INTEGERS; i++) if (lanes[at + i] !== now[at + i]) return true;
    return (
      lanes[at + BASELINE.meta] !== now[at + BASELINE.meta] ||
      lanes[at + BASELINE.largest] !== now[at + BASELINE.largest]
    );
  }

  /** Bits of a body in the packet, with about four for its number. */
  #bitsOf(at: number): number {
    const { lanes } = this.#baseline;
    const now = this.#now;
    const { rotationBits } = this.precision;
    const changed = (lanes[at + BASELINE.meta] ?? 0) ^ (now[at + BASELINE.meta] ?? 0);
    if ((changed & CONTINUITY_MASK) !== 0) return 4 + WHOLE_BITS + 3 * rotationBits;
    let bits = 4 + 3 + (changed === 0 ? 0 : 32);
    const positionParameter = this.#baseline.riceBits(at, BASELINE.positionSize);
    for (let i = 0; i < 3; i++) bits += riceLength(this.#difference(at + i), positionParameter);
    if (lanes[at + BASELINE.largest] !== now[at + BASELINE.largest])
      return bits + 2 + 3 * rotationBits;
    const rotationParameter = this.#baseline.riceBits(at, BASELINE.rotationSize);
    for (let i = 3; i < POSE_INTEGERS; i++)
      bits += riceLength(this.#difference(at + i), rotationParameter);
    return bits;
  }

  /** Unsigned. */
  #difference(at: number): number {
    return zigzag(((this.#now[at] ?? 0) - (this.#baseline.lanes[at] ?? 0)) | 0);
  }

  #writeBody(body: number): void {
    const bits = this.#bits;
    const now = this.#now;
    const baseline = this.#baseline;
    const { lanes } = baseline;
    const at = body * BASELINE_LANES;
    const meta = now[at + BASELINE.meta] ?? 0;
    const changed = (lanes[at + BASELINE.meta] ?? 0) ^ meta;
    lanes[at + BASELINE.meta] = meta;
    if ((changed & CONTINUITY_MASK) !== 0) {
      bits.bits(1, 1);
      bits.word(meta);
      for (let i = 0; i < 3; i++) bits.word(now[at + BASELINE.x + i] ?? 0);
      this.#writeRotation(at);
      lanes.set(now.subarray(at, at + POSE_INTEGERS), at);
      baseline.forget(at);
      return;
    }
    bits.bits(changed === 0 ? 0 : 2, 2);
    if (changed !== 0) bits.word(meta);
    this.#writeDifferences(at, BASELINE.x, BASELINE.dx, BASELINE.positionSize);
    if (lanes[at + BASELINE.largest] !== now[at + BASELINE.largest]) {
      bits.bits(1, 1);
      this.#writeRotation(at);
      for (let i = 0; i < 3; i++) {
        lanes[at + BASELINE.a + i] = now[at + BASELINE.a + i] ?? 0;
        lanes[at + BASELINE.da + i] = 0;
      }
    } else {
      bits.bits(0, 1);
      this.#writeDifferences(at, BASELINE.a, BASELINE.da, BASELINE.rotationSize);
    }
  }

  #writeRotation(at: number): void {
    const largest = this.#now[at + BASELINE.largest] ?? 0;
    this.#bits.bits(largest, 2);
    for (let i = 0; i < 3; i++) {
      this.#bits.bits(
        (this.#now[at + BASELINE.a + i] ?? 0) + this.#limit,
        this.precision.rotationBits,
      );
    }
    this.#baseline.lanes[at + BASELINE.largest] = largest;
  }

  #writeDifferences(at: number, value: number, change: number, size: number): void {
    const { lanes } = this.#baseline;
    const parameter = this.#baseline.riceBits(at, size);
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      const index = at + value + i;
      const now = this.#now[index] ?? 0;
      const difference = (now - (lanes[index] ?? 0)) | 0;
      const unsigned = zigzag(difference);
      writeRice(this.#bits, unsigned, parameter);
      sum += unsigned;
      lanes[index] = now;
      this.#baseline.addToMovement(at + change + i, difference);
    }
    this.#baseline.noteSize(at, size, sum);
  }
}

/**
 * Decodes what a `BodyStreamWriter` wrote.
 *
 * The bytes may be anything: a wrong packet throws, and nothing but the poses is wrong afterwards. The stream is then
 * broken, because later packets rely on this one, until `readBaseline` begins it again.
 */
export class BodyStreamReader {
  readonly #precision: StreamPrecision;
  readonly #maxBodies: number;
  readonly #scale: PositionScale;
  readonly #limit: number;
  readonly #rotation: QuantizedRotation = { largest: 3, a: 0, b: 0, c: 0 };
  #baseline = new BodyBaseline();

  /**
   * @param maxBodies More are refused: a packet must not make its receiver allocate without limit.
   * @throws TypeError, RangeError naming the invalid value of the precision, which must be the writer's.
   */
  constructor(precision: Partial<StreamPrecision> = {}, maxBodies = MAX_CAPACITY) {
    this.#precision = checkPrecision(precision);
    this.#maxBodies = maxBodies;
    this.#scale = new PositionScale(this.#precision.positionStep);
    this.#limit = rotationLimit(this.#precision.rotationBits);
  }

  /** Bodies from this index on have never been used. */
  get bodyLimit(): number {
    return this.#baseline.bodyLimit;
  }

  /** Begins with what the writer's `writeBaseline` returned. @throws ByteReadError */
  readBaseline(bytes: Uint8Array): void {
    const reader = new ByteReader(bytes);
    const baseline = new BodyBaseline();
    baseline.setBodyLimit(this.#requireBodies(reader.varint()));
    const count = baseline.bodyLimit * BASELINE_LANES;
    if (count > reader.left) throw new ByteReadError('it has fewer bodies than it announces');
    for (let at = 0; at < count; at++) baseline.lanes[at] = reader.signedVarint();
    if (reader.left > 0) throw new ByteReadError('it has bytes after its last body');
    for (let at = 0; at < count; at += BASELINE_LANES) this.#requireRotation(baseline, at);
    this.#baseline = baseline;
  }

  /** Reads the next packet. @throws ByteReadError */
  read(packet: Uint8Array): void {
    const reader = new ByteReader(packet);
    const baseline = this.#baseline;
    const bodyLimit = this.#requireBodies(reader.varint());
    const listed = reader.varint();
    if (listed > bodyLimit)
      throw new ByteReadError(`it announces ${listed} of ${bodyLimit} bodies`);
    baseline.setBodyLimit(bodyLimit);
    baseline.predict(this.#limit);
    const bits = new BitReader(packet.subarray(packet.length - reader.left));
    let body = -1;
    for (let count = 0; count < listed; count++) {
      body += bits.gamma();
      if (body >= bodyLimit) throw new ByteReadError(`it has a body ${body} of ${bodyLimit}`);
      this.#readBody(bits, body * BASELINE_LANES);
    }
  }

  /** Writes all bodies. */
  write({ poses, metas }: BodyLanes): void {
    const { lanes, bodyLimit } = this.#baseline;
    const scale = this.#scale;
    for (let body = 0; body < bodyLimit; body++) {
      const at = body * BASELINE_LANES;
      const to = body * BODY_LANES;
      metas[to + LANE.meta] = lanes[at + BASELINE.meta] ?? 0;
      poses[to + LANE.x] = scale.coordinate(lanes[at + BASELINE.x] ?? 0);
      poses[to + LANE.y] = scale.coordinate(lanes[at + BASELINE.x + 1] ?? 0);
      poses[to + LANE.z] = scale.coordinate(lanes[at + BASELINE.x + 2] ?? 0);
      this.#baseline.rotationAt(at, this.#rotation);
      dequantizeRotation(this.#rotation, this.#limit, poses, to + LANE.qx);
    }
  }

  #requireBodies(count: number): number {
    if (count <= this.#maxBodies) return count;
    throw new ByteReadError(
      `it announces ${count} bodies, and there is room for ${this.#maxBodies}`,
    );
  }

  #requireRotation(baseline: BodyBaseline, at: number): void {
    const { largest, a, b, c } = baseline.rotationAt(at, this.#rotation);
    const most = Math.max(Math.abs(a), Math.abs(b), Math.abs(c));
    if (largest >= 0 && largest <= 3 && most <= this.#limit) return;
    throw new ByteReadError('a rotation in it is invalid');
  }

  #readBody(bits: BitReader, at: number): void {
    const baseline = this.#baseline;
    const { lanes } = baseline;
    if (bits.bits(1) === 1) {
      lanes[at + BASELINE.meta] = bits.word();
      for (let i = 0; i < 3; i++) lanes[at + BASELINE.x + i] = bits.word();
      this.#readRotation(bits, at);
      baseline.forget(at);
      return;
    }
    if (bits.bits(1) === 1) {
      const meta = bits.word();
      if (((meta ^ (lanes[at + BASELINE.meta] ?? 0)) & CONTINUITY_MASK) !== 0) {
        throw new ByteReadError('a body in it changes its owner and continues its way');
      }
      lanes[at + BASELINE.meta] = meta;
    }
    this.#readDifferences(bits, at, BASELINE.x, BASELINE.dx, BASELINE.positionSize);
    if (bits.bits(1) === 1) {
      this.#readRotation(bits, at);
      lanes.fill(0, at + BASELINE.da, at + BASELINE.da + 3);
    } else {
      this.#readDifferences(bits, at, BASELINE.a, BASELINE.da, BASELINE.rotationSize);
    }
  }

  #readRotation(bits: BitReader, at: number): void {
    const { lanes } = this.#baseline;
    lanes[at + BASELINE.largest] = bits.bits(2);
    for (let i = 0; i < 3; i++) {
      const value = bits.bits(this.#precision.rotationBits) - this.#limit;
      lanes[at + BASELINE.a + i] = Math.min(value, this.#limit);
    }
  }

  #readDifferences(bits: BitReader, at: number, value: number, change: number, size: number): void {
    const { lanes } = this.#baseline;
    const parameter = this.#baseline.riceBits(at, size);
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      const unsigned = readRice(bits, parameter);
      const difference = unzigzag(unsigned);
      lanes[at + value + i] = (lanes[at + value + i] ?? 0) + difference;
      this.#baseline.addToMovement(at + change + i, difference);
      sum += unsigned;
    }
    this.#baseline.noteSize(at, size, sum);
  }
}
