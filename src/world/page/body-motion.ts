/** Where the page has put a body, and how it moves it: each component, until a state shows it. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import { filled, isWhole } from '../shared/partial-vector.js';
import type { BodyFields } from '../shared/setting-tables.js';

export type MotionVector = 'translation' | 'linvel' | 'angvel';
type Axis = keyof Vector;

/** A vector, as it was set last, and how it was read last. */
class SetVector {
  value: Readonly<Vector>;
  /** Number of the newest batch that sets some of it. */
  batch = 0;
  /** Numbers of the batches that set each component. Undefined: it was set as a whole. */
  #parts: Readonly<Vector> | undefined;
  #read: Vector | undefined;
  /** When it was read. */
  #readAt = Number.NaN;

  constructor(value: Readonly<Vector> = { x: 0, y: 0, z: 0 }) {
    this.value = value;
  }

  set(value: Readonly<Vector>, batch: number): void {
    const batchOf = (axis: Axis): number =>
      Number.isNaN(value[axis]) ? this.batchOf(axis) : batch;
    this.#parts = isWhole(value)
      ? undefined
      : { x: batchOf('x'), y: batchOf('y'), z: batchOf('z') };
    this.value = filled(value, () => this.value);
    this.batch = batch;
  }

  batchOf(axis: Axis): number {
    return this.#parts?.[axis] ?? this.batch;
  }

  noteRead({ x, y, z }: Readonly<Vector>, moment: number): void {
    this.#read ??= { x, y, z };
    this.#read.x = x;
    this.#read.y = y;
    this.#read.z = z;
    this.#readAt = moment;
  }

  readAt(moment: number): Readonly<Vector> | undefined {
    return this.#readAt === moment ? this.#read : undefined;
  }
}

export class BodyMotion {
  readonly #vectors: { readonly [Name in MotionVector]: SetVector };
  #rotation: Readonly<Rotation>;
  #rotationBatch = 0;

  constructor({ translation, rotation, linvel, angvel }: BodyFields) {
    this.#vectors = {
      translation: new SetVector(translation),
      linvel: new SetVector(linvel),
      angvel: new SetVector(angvel),
    };
    this.#rotation = rotation ?? { x: 0, y: 0, z: 0, w: 1 };
  }

  /**
   * Overwrites what was read of a state.
   *
   * @param at Index of its first number.
   * @param hasState Whether a state has the body. Otherwise all is written.
   * @param shown Number of the newest batch that the state has.
   */
  overwrite(
    name: MotionVector,
    into: Float64Array,
    at: number,
    hasState: boolean,
    shown: number,
  ): void {
    const vector = this.#vectors[name];
    if (hasState && vector.batch <= shown) return;
    const { x, y, z } = vector.value;
    if (!hasState || vector.batchOf('x') > shown) into[at] = x;
    if (!hasState || vector.batchOf('y') > shown) into[at + 1] = y;
    if (!hasState || vector.batchOf('z') > shown) into[at + 2] = z;
  }

  /** As {@link overwrite}. */
  overwriteRotation(into: Float64Array, at: number, hasState: boolean, shown: number): void {
    if (hasState && this.#rotationBatch <= shown) return;
    const { x, y, z, w } = this.#rotation;
    into[at] = x;
    into[at + 1] = y;
    into[at + 2] = z;
    into[at + 3] = w;
  }

  /** The page has created the body. */
  noteCreated(batch: number): void {
    for (const vector of Object.values(this.#vectors)) vector.batch = batch;
    this.#rotationBatch = batch;
  }

  /** @param value A component that is NaN is not set. */
  set(name: MotionVector, value: Readonly<Vector>, batch: number): void {
    this.#vectors[name].set(value, batch);
  }

  setRotation(value: Readonly<Rotation>, batch: number): void {
    this.#rotation = value;
    this.#rotationBatch = batch;
  }

  /** Takes over the worker's fields, apart from those set since. */
  resync(fields: BodyFields, shown: number): void {
    for (const name of ['translation', 'linvel', 'angvel'] as const) {
      const [vector, value] = [this.#vectors[name], fields[name]];
      if (value !== undefined && vector.batch <= shown) vector.set(value, vector.batch);
    }
    if (this.#rotationBatch <= shown) this.#rotation = fields.rotation ?? this.#rotation;
  }

  /** The application has read a vector of a state. @param moment Another number whenever it may be another vector. */
  noteRead(name: MotionVector, value: Readonly<Vector>, moment: number): void {
    this.#vectors[name].noteRead(value, moment);
  }

  /**
   * The components that an application sets of a vector: those that it read at this moment and writes back, as in
   * `setLinvel({ x, y: linvel().y, z })`, are NaN. The worker gets them a tick or two later and keeps its own:
   * if it set them back, a body whose x is set in each frame would lose most of gravity.
   *
   * @param gravity That acts on the velocity. A component that no state shows yet may be set to the same number on
   *   purpose, for example a speed that friction changes; but with gravity it would not be the same any more.
   */
  partsToSet(
    name: MotionVector,
    value: Readonly<Vector>,
    moment: number,
    shown: number,
    gravity: Readonly<Vector>,
  ): Readonly<Vector> {
    const vector = this.#vectors[name];
    const read = vector.readAt(moment);
    if (read === undefined) return value;
    const part = (axis: Axis): number => {
      const isSetAgain = vector.batchOf(axis) > shown && gravity[axis] === 0;
      return value[axis] === read[axis] && !isSetAgain ? Number.NaN : value[axis];
    };
    return { x: part('x'), y: part('y'), z: part('z') };
  }
}
