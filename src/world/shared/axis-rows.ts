/**
 * The six axes of a joint: which of them its type leaves free, and rows of what is set by axis. A row begins with its
 * axis, a number of `JointAxis`. All rows of a joint are one list, in the order of the axes, so that they are a field of
 * the format.
 */
import { AXIS, type JointFields } from './setting-tables.js';

/** The axis, then the settings of `AXIS`, in their order. */
const ROW = 1 + Object.keys(AXIS).length;

const AXES = [0, 1, 2, 3, 4, 5] as const;
/** By `JointType`, which ends with the generic joint: bits of the axes that it holds. */
const HELD = [0b110111, 0b111111, 0b111110, 0, 0, 0b000111];
/** By `JointType`: the engine makes a rope of limits, and a spring of a motor. */
const HAS_NO_AXES = [false, true, false, true, true];

/** Bits of the axes that a joint holds. */
export const lockedAxes = ({ type = 0, axesMask = 0 }: JointFields): number =>
  HELD[type] ?? axesMask;

/** The axes that may have limits and motors. */
export const freeAxes = (fields: JointFields): readonly number[] =>
  HAS_NO_AXES[fields.type ?? 0] === true
    ? []
    : AXES.filter((axis) => (lockedAxes(fields) & (1 << axis)) === 0);

type List = ArrayLike<number> | undefined;

/** The rows of a list. */
export const rowsOf = (list: List): readonly number[][] =>
  Array.from({ length: Math.floor((list?.length ?? 0) / ROW) }, (_, row) =>
    Array.prototype.slice.call(list, row * ROW, (row + 1) * ROW),
  );

/** The numbers of an axis, without the axis. Undefined: nothing is set of it. */
export const rowOf = (list: List, axis: number): readonly number[] | undefined =>
  rowsOf(list)
    .find((row) => row[0] === axis)
    ?.slice(1);

/** A list in which a row replaces that of its axis. */
export const withRow = (list: List, row: readonly number[]): readonly number[] =>
  [...rowsOf(list).filter(([axis]) => axis !== row[0]), row]
    .toSorted(([a = 0], [b = 0]) => a - b)
    .flat();
