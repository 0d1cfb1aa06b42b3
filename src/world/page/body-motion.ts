/** Where the page has put a body, and how it moves it: each component, until a state shows it. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import { filled } from '../shared/partial-vector.js';
import type { BodyFields } from '../shared/setting-tables.js';

export type MotionVector = 'translation' | 'linvel' | 'angvel';
type Axis = keyof Vector;

const AXES = ['x', 'y', 'z'] as const;
/** States have 32 bits. */
const ROUNDING = 1e-4;

/** A velocity changes by itself. */
export interface Drift {
  /** By gravity, with each tick. */
  readonly fall: Readonly<Vector>;
}

interface SetParts {
  readonly batch: number;
  /** When it was set. */
  moment: number;
  /** NaN: not set. */
  value: Readonly<Vector>;
}

/** A vector as the page has set it, and as the application has read it. */
class SetVector {
  /** As it was set last. */
  #value: Readonly<Vector>;
  /** By the batches that no state shows yet, in order. */
  #pending: SetParts[] = [];
  /**
   * The axes on which something else than gravity has changed the last parts that a state has, such as a contact. Undefined
   * unless others are pending since.
   */
  #resisted: readonly Axis[] | undefined;
  #read: Vector | undefined;
  /** When it was read. */
  #readAt = Number.NaN;

  constructor(value: Readonly<Vector> = { x: 0, y: 0, z: 0 }) {
    this.#value = value;
  }

  get newestBatch(): number {
    return this.#pending.at(-1)?.batch ?? 0;
  }

  setAll(batch: number): void {
    this.#pending = [{ batch, moment: Number.NaN, value: this.#value }];
  }

  set(value: Readonly<Vector>, batch: number, moment: number, shown: number): void {
    this.assign(value);
    this.#forget(shown);
    const last = this.#pending.at(-1);
    if (last?.batch !== batch) {
      this.#pending.push({ batch, moment, value });
      return;
    }
    last.value = filled(value, () => last.value);
    last.moment = moment;
  }

  assign(value: Readonly<Vector>): void {
    this.#value = filled(value, () => this.#value);
  }

  overwrite(
    into: Float64Array,
    at: number,
    hasState: boolean,
    shown: number,
    moment: number,
    drift: Drift | undefined,
  ): void {
    if (!hasState) {
      into[at] = this.#value.x;
      into[at + 1] = this.#value.y;
      into[at + 2] = this.#value.z;
      return;
    }
    if (this.#pending.length === 0) return;
    this.#confirm(into, at, shown, drift);
    const isRepeated = this.#pending.length > 1 || this.#resisted !== undefined;
    const isAhead = !isRepeated || this.#pending.at(-1)?.moment === moment;
    for (const [index, axis] of AXES.entries()) {
      const parts = this.#partsWith(axis);
      if (parts === undefined) continue;
      if (isAhead || drift === undefined) into[at + index] = parts.value[axis];
      else if (this.#resisted?.includes(axis) !== true)
        into[at + index] = parts.value[axis] + drift.fall[axis];
    }
  }

  /** Forgets the parts that the state has. */
  #confirm(state: Float64Array, at: number, shown: number, drift: Drift | undefined): void {
    const last = this.#forget(shown);
    if (last === undefined || drift === undefined) return;
    this.#resisted = AXES.filter((axis, index) => {
      const set = last.value[axis];
      const change = (state[at + index] as number) - set - drift.fall[axis];
      return Math.abs(change) > ROUNDING * (1 + Math.abs(set));
    });
  }

  /** @returns The last of those that are not pending any more, if others are. */
  #forget(shown: number): SetParts | undefined {
    const pending = this.#pending;
    const first = pending.findIndex(({ batch }) => batch > shown);
    if (first < 0) this.#resisted = undefined;
    if (first !== 0) this.#pending = first < 0 ? [] : pending.slice(first);
    return pending[first - 1];
  }

  #partsWith(axis: Axis): SetParts | undefined {
    return this.#pending.findLast(({ value }) => !Number.isNaN(value[axis]));
  }

  noteRead({ x, y, z }: Readonly<Vector>, moment: number): void {
    this.#read ??= { x, y, z };
    this.#read.x = x;
    this.#read.y = y;
    this.#read.z = z;
    this.#readAt = moment;
  }

  partsToSet(value: Readonly<Vector>, moment: number, drift: Drift | undefined): Readonly<Vector> {
    const read = this.#read;
    if (read === undefined || this.#readAt !== moment) return value;
    const part = (axis: Axis): number => {
      // Nothing would have changed it: it is set to the same again on purpose.
      const isHeld =
        this.#partsWith(axis) !== undefined &&
        this.#resisted?.includes(axis) !== true &&
        (drift === undefined || drift.fall[axis] === 0);
      return value[axis] === read[axis] && !isHeld ? Number.NaN : value[axis];
    };
    return { x: part('x'), y: part('y'), z: part('z') };
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
   * Overwrites what was read of a state. A velocity that is set in each frame is never in the newest state. It is read as it
   * was set, with what gravity has added by the next state, unless the last one that the state has met resistance, such as a
   * contact: then the state is right.
   *
   * @param at Index of its first number.
   * @param hasState Whether a state has the body. Otherwise all is written.
   * @param shown Number of the newest batch that the state has.
   * @param moment Another number whenever it may be another state.
   * @param drift Of a velocity: the change while the world has not answered yet.
   */
  overwrite(
    name: MotionVector,
    into: Float64Array,
    at: number,
    hasState: boolean,
    shown: number,
    moment: number,
    drift?: Drift,
  ): void {
    this.#vectors[name].overwrite(into, at, hasState, shown, moment, drift);
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
    for (const vector of Object.values(this.#vectors)) vector.setAll(batch);
    this.#rotationBatch = batch;
  }

  /** @param value A component that is NaN is not set. */
  set(
    name: MotionVector,
    value: Readonly<Vector>,
    batch: number,
    moment: number,
    shown: number,
  ): void {
    this.#vectors[name].set(value, batch, moment, shown);
  }

  setRotation(value: Readonly<Rotation>, batch: number): void {
    this.#rotation = value;
    this.#rotationBatch = batch;
  }

  /** Takes over the worker's fields, apart from those set since. */
  resync(fields: BodyFields, shown: number): void {
    for (const name of ['translation', 'linvel', 'angvel'] as const) {
      const [vector, value] = [this.#vectors[name], fields[name]];
      if (value !== undefined && vector.newestBatch <= shown) vector.assign(value);
    }
    if (this.#rotationBatch <= shown) this.#rotation = fields.rotation ?? this.#rotation;
  }

  /** The application has read a vector of a state. @param moment Another number whenever it may be another vector. */
  noteRead(name: MotionVector, value: Readonly<Vector>, moment: number): void {
    this.#vectors[name].noteRead(value, moment);
  }

  /**
   * The components that an application sets of a vector: those that it read at this moment and writes back, as in
   * `setLinvel({ x, y: linvel().y, z })`, are NaN. The worker gets them a tick or two later and keeps its own: if it set them back,
   * a body whose x is set in each frame would lose most of gravity.
   */
  partsToSet(
    name: MotionVector,
    value: Readonly<Vector>,
    moment: number,
    drift?: Drift,
  ): Readonly<Vector> {
    return this.#vectors[name].partsToSet(value, moment, drift);
  }
}
