/**
 * Decodes what a `BodyStreamWriter` wrote, packet by packet, into the lanes of bodies.
 *
 * The bytes may be anything: a wrong packet throws, and nothing but the poses is wrong afterwards. The stream is then
 * broken, because later packets rely on this one, until `readBaseline` begins it again.
 */
import { BODY_LANES, LANE, MAX_CAPACITY } from '../../shared/memory/layout.js';
import { CONTINUITY_MASK } from '../../shared/memory/body-meta.js';
import { ByteReader, ByteReadError } from '../../shared/util/bytes.js';
import { BASELINE, BASELINE_LANES, BodyBaseline, unzigzag } from './body-baseline.js';
import { BitReader, readRice } from './bits.js';
import { PositionScale, checkPrecision, type StreamPrecision } from './stream-precision.js';
import { dequantizeRotation, rotationLimit, type QuantizedRotation } from './quantized-rotation.js';

/** Where the bodies are written. */
export interface StreamTarget {
  /** BODY_LANES per body: `poses` and `metas` view the same memory. */
  readonly poses: Float32Array;
  readonly metas: Int32Array;
}

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
  write({ poses, metas }: StreamTarget): void {
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
    throw new ByteReadError('a rotation in it is none');
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
      lanes[at + change + i] = (lanes[at + change + i] ?? 0) + difference;
      sum += unsigned;
    }
    this.#baseline.noteSize(at, size, sum);
  }
}
