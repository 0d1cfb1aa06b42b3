/** A vector of a body's motion as the page has set it: each component, until a state shows it. */
import type { Vector } from '../../shared/util/vectors.js';
import { AXES, filled, type Axis } from '../shared/partial-vector.js';
import type { WorldLink } from './world-link.js';

/** States have 32 bits. */
const ROUNDING = 1e-4;

/** A velocity changes by itself. */
interface Drift {
  /** By gravity, with each tick. */
  readonly fall: Readonly<Vector>;
}

interface SetParts {
  readonly batch: number;
  /** The revision of the world at which it was set. */
  revision: number;
  /** NaN: not set. */
  value: Readonly<Vector>;
}

/** A position or a velocity: as the page has set it, and as the application has read it. */
export class MotionVector {
  readonly #link: Pick<WorldLink, 'batches' | 'revision' | 'mayDiffer'>;
  readonly #drift: Drift | undefined;
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

  /**
   * @param value With which the body begins. Default: 0.
   * @param drift Of a velocity.
   */
  constructor(
    link: Pick<WorldLink, 'batches' | 'revision' | 'mayDiffer'>,
    value: Readonly<Vector> = { x: 0, y: 0, z: 0 },
    drift?: Drift,
  ) {
    this.#link = link;
    this.#value = value;
    this.#drift = drift;
  }

  /** The page has created the body. */
  noteCreated(): void {
    const { openNumber } = this.#link.batches;
    this.#pending = [{ batch: openNumber, revision: Number.NaN, value: this.#value }];
  }

  /** @param value A component that is NaN is not set. */
  set(value: Readonly<Vector>, batch = this.#link.batches.openNumber): void {
    const { revision } = this.#link;
    this.#value = filled(value, () => this.#value);
    this.noteChanged(value);
    this.#forgetShown();
    const last = this.#pending.at(-1);
    if (last?.batch !== batch) {
      this.#pending.push({ batch, revision, value });
      return;
    }
    last.value = filled(value, () => last.value);
    last.revision = revision;
  }

  /** Takes over the worker's vector, unless it was set since. */
  resync(value: Readonly<Vector> | undefined): void {
    this.#forgetShown();
    if (value === undefined || this.#pending.length > 0) return;
    this.#value = filled(value, () => this.#value);
  }

  /**
   * Overwrites what was read of a state. A velocity that is set in each frame is never in the newest state. It is read as it
   * was set, with what gravity has added by the next state, unless the last one that the state has met resistance, such as a
   * contact: then the state is right.
   *
   * @param at Index of its first number.
   * @param hasState Whether a state has the body. Otherwise all is written.
   */
  overwrite(into: Float64Array, at: number, hasState: boolean): void {
    if (!hasState) {
      into[at] = this.#value.x;
      into[at + 1] = this.#value.y;
      into[at + 2] = this.#value.z;
      return;
    }
    if (this.#pending.length === 0) return;
    this.#confirm(into, at);
    const drift = this.#drift;
    const isRepeated = this.#pending.length > 1 || this.#resisted !== undefined;
    const isNew = this.#pending.at(-1)?.revision === this.#link.revision;
    for (const [index, axis] of AXES.entries()) {
      const parts = this.#partsWith(axis);
      if (parts === undefined) continue;
      const hasDrifted = drift !== undefined && isRepeated && !isNew;
      if (!hasDrifted) into[at + index] = parts.value[axis];
      else if (!this.#isResisted(axis)) into[at + index] = parts.value[axis] + drift.fall[axis];
    }
  }

  /** The application has read it of a state. */
  noteRead({ x, y, z }: Readonly<Vector>): void {
    this.#read ??= { x, y, z };
    this.#read.x = x;
    this.#read.y = y;
    this.#read.z = z;
    this.#readAt = this.#link.revision;
  }

  /** The value that was read is old. @param by A component that is NaN has not changed. */
  noteChanged(by: Readonly<Vector>): void {
    if (this.#read === undefined) return;
    for (const axis of AXES) if (!Number.isNaN(by[axis])) this.#read[axis] = Number.NaN;
  }

  /**
   * The components that an application sets: those that it read at this revision and writes back, as in
   * `setLinvel({ x, y: linvel().y, z })`, are NaN. The worker gets them a tick or two later and keeps its own: if it set them back,
   * a body whose x is set in each frame would lose most of gravity. While the run goes elsewhere, all are set: they are carried over.
   */
  partsToSet(value: Readonly<Vector>): Readonly<Vector> {
    const read = this.#read;
    const isKept = this.#readAt === this.#link.revision && !this.#link.mayDiffer();
    if (read === undefined || !isKept) return value;
    const part = (axis: Axis): number => {
      // Nothing would have changed it: it is set to the same again on purpose.
      const isHeld =
        this.#partsWith(axis) !== undefined &&
        !this.#isResisted(axis) &&
        (this.#drift === undefined || this.#drift.fall[axis] === 0);
      return value[axis] === read[axis] && !isHeld ? Number.NaN : value[axis];
    };
    return { x: part('x'), y: part('y'), z: part('z') };
  }

  /** Forgets the parts that the state has, and notes how the world has changed the last of them. */
  #confirm(state: Float64Array, at: number): void {
    const last = this.#forgetShown();
    const drift = this.#drift;
    if (last === undefined || drift === undefined) return;
    this.#resisted = AXES.filter((axis, index) => {
      const set = last.value[axis];
      const change = (state[at + index] as number) - set - drift.fall[axis];
      return Math.abs(change) > ROUNDING * (1 + Math.abs(set));
    });
  }

  /** @returns The last of those that are not pending any more, if others are. */
  #forgetShown(): SetParts | undefined {
    const { shownNumber } = this.#link.batches;
    const pending = this.#pending;
    const first = pending.findIndex(({ batch }) => batch > shownNumber);
    if (first < 0) this.#resisted = undefined;
    if (first !== 0) this.#pending = first < 0 ? [] : pending.slice(first);
    return pending[first - 1];
  }

  #partsWith(axis: Axis): SetParts | undefined {
    return this.#pending.findLast(({ value }) => !Number.isNaN(value[axis]));
  }

  #isResisted(axis: Axis): boolean {
    return this.#resisted?.includes(axis) === true;
  }
}
