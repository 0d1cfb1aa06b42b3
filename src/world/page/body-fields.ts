/**
 * The changes of one body in a batch. The worker applies the fields of a change in one order: what is set, and then what is added. A
 * call that would come before an earlier one, and would make another outcome there, begins another change. A page that makes the same
 * calls in each frame of a pause would begin more and more, so a change joins the one before it if one has the outcome of both.
 */
import { ZERO, cross, plus, type Vector } from '../../shared/util/vectors.js';
import { eachAtPoint } from '../shared/at-points.js';
import { filled, isWhole } from '../shared/partial-vector.js';
import type { BodyFields } from '../shared/setting-tables.js';
import { isSameSetting } from './checked-values.js';

type Name = keyof BodyFields;
type Followers = { readonly [N in Name]?: readonly Name[] };

const FORCES = ['force', 'torque', 'forcesAtPoints'] as const;
const IMPULSES = ['impulse', 'torqueImpulse', 'impulsesAtPoints'] as const;
const AT_POINTS = ['impulsesAtPoints', 'forcesAtPoints'] as const;
const SUMS = ['force', 'torque', 'impulse', 'torqueImpulse'] as const;
const ADDED: ReadonlySet<string> = new Set([...SUMS, ...AT_POINTS, 'resets']);
const PUSHES = [...FORCES, ...IMPULSES] as const;
const PLACED = [...IMPULSES, 'forcesAtPoints', 'nextTranslation', 'nextRotation'] as const;

/** Fields, and those before them that they may not share a change with. */
const FOLLOWS: Followers = {
  bodyType: [
    ...PLACED,
    ...FORCES,
    'bodyType',
    'translation',
    'rotation',
    'linvel',
    'angvel',
    'gravityScale',
    'enabledTranslations',
    'enabledRotations',
    'additionalMass',
    'additionalMassProperties',
    'resets',
  ],
  translation: PLACED,
  rotation: PLACED,
  linvel: IMPULSES,
  angvel: IMPULSES,
  enabledTranslations: IMPULSES,
  enabledRotations: IMPULSES,
  additionalMass: ['recomputeMass'],
  additionalMassProperties: ['recomputeMass'],
  recomputeMass: [...IMPULSES, 'forcesAtPoints'],
  resets: FORCES,
};

/** The same of two changes, where the second one has replaced what it can. */
const STAYS_BEHIND: Followers = {
  translation: AT_POINTS,
  rotation: [...AT_POINTS, 'torqueImpulse'],
  angvel: ['impulsesAtPoints', 'torqueImpulse'],
  enabledTranslations: IMPULSES,
  enabledRotations: IMPULSES,
  additionalMass: ['additionalMassProperties', 'recomputeMass'],
  additionalMassProperties: ['additionalMass', 'recomputeMass'],
  recomputeMass: [...IMPULSES, 'forcesAtPoints'],
  resets: ['forcesAtPoints'],
};

const has = (fields: BodyFields, names: readonly Name[] | undefined): boolean =>
  names?.some((name) => fields[name] !== undefined) === true;

/** Whether a call has to begin another change. @param wakes Undefined: it does not matter. */
export function mustFollow(open: BodyFields, name: Name, wakes?: boolean): boolean {
  const isOther = wakes !== undefined && open.wakeUp !== undefined && open.wakeUp !== wakes;
  return isOther || open.sleeping === true || has(open, FOLLOWS[name]);
}

/**
 * A change with the outcome of two; undefined if there is none.
 *
 * @param isDynamic Whether the body is: pushes wake no others.
 */
export function joinedChange(
  first: BodyFields,
  b: BodyFields,
  isDynamic: boolean,
): BodyFields | undefined {
  const a = { ...first };
  const isPut = b.sleeping === true;
  if (b.bodyType !== undefined || (a.sleeping === true && !isPut)) return undefined;
  const isOther = a.wakeUp !== undefined && b.wakeUp === !a.wakeUp;
  if (isOther && !(isDynamic && has(b.wakeUp === true ? b : a, PUSHES))) return undefined;
  let isReplaced = false;
  const replace = (...names: readonly Name[]): void => {
    isReplaced ||= has(a, names);
    for (const name of names) delete a[name];
  };
  // The engine takes the velocities of a body that it puts to sleep.
  const linvel = isPut ? ZERO : b.linvel;
  const isTurned = isPut || (b.angvel !== undefined && isWhole(b.angvel));
  const { resets = 0 } = b;
  if (isTurned) replace('torqueImpulse');
  if (isTurned && linvel !== undefined && isWhole(linvel)) replace('impulsesAtPoints');
  if ((resets & 1) !== 0) replace('force');
  if ((resets & 2) !== 0) replace('torque');
  if (resets === 3) replace('forcesAtPoints');
  if (b.translation !== undefined) delete a.nextTranslation;
  if (b.rotation !== undefined) delete a.nextRotation;
  if (linvel !== undefined && has(a, ['impulse', 'impulsesAtPoints'])) {
    // The rest of those at points turns the body.
    const sum = plus(a.impulse ?? ZERO, sumOf(a.impulsesAtPoints));
    a.impulse = plus(alongUnset(sum, linvel), sumOf(a.impulsesAtPoints), -1);
    isReplaced = true;
  }
  for (const name in b) if (has(a, STAYS_BEHIND[name as Name])) return undefined;
  const joined: BodyFields = { ...a, ...b };
  if (a.resets !== undefined) joined.resets = a.resets | resets;
  for (const name of ['translation', 'linvel', 'angvel'] as const) {
    const value = b[name];
    if (value !== undefined) joined[name] = filled(value, () => a[name] ?? value);
  }
  for (const name of SUMS) {
    const [before, after] = [a[name], b[name]];
    if (before === undefined || after === undefined) continue;
    const sum = plus(before, after);
    joined[name] = sum;
    isReplaced ||= isSameSetting(sum, ZERO);
  }
  for (const name of AT_POINTS) {
    if (a[name] === undefined) continue;
    joined[name] = Array.from(a[name]);
    eachAtPoint(b[name], (what, point) => addAtPoint(joined, name, what, point));
  }
  if (a.wakeUp === true) joined.wakeUp = true;
  // The engine wakes a body for each call that changes something, also if the next one undoes it.
  if (joined.wakeUp === true && (isReplaced || (a.wakeUp === true && hasOther(a, joined)))) {
    joined.sleeping ??= false;
  }
  return joined;
}

/** Whether a setting has been replaced by another value. */
const hasOther = (before: BodyFields, after: BodyFields): boolean =>
  Object.entries(before).some(
    ([name, value]) => !ADDED.has(name) && !isSameSetting(value, after[name as Name]),
  );

/** A vector without the components that another one sets. */
const alongUnset = ({ x, y, z }: Readonly<Vector>, set: Readonly<Vector>): Vector => ({
  x: Number.isNaN(set.x) ? x : 0,
  y: Number.isNaN(set.y) ? y : 0,
  z: Number.isNaN(set.z) ? z : 0,
});

/** Most pushes at points in a change: more become one, and a torque. */
const MOST_AT_POINTS = 64;
const TURNING = { impulsesAtPoints: 'torqueImpulse', forcesAtPoints: 'torque' } as const;

/** Adds an impulse or a force at a point. */
export function addAtPoint(
  open: BodyFields,
  name: keyof typeof TURNING,
  what: Readonly<Vector>,
  point: Readonly<Vector>,
): void {
  const numbers = (open[name] ?? []) as number[];
  open[name] = numbers;
  const [, , , ax = 0, ay = 0, az = 0] = numbers;
  if (numbers.length < 6 * MOST_AT_POINTS) {
    numbers.push(what.x, what.y, what.z, point.x, point.y, point.z);
    return;
  }
  // At the first point.
  const arm = plus(point, { x: ax, y: ay, z: az }, -1);
  const turning = TURNING[name];
  open[turning] = plus(open[turning] ?? ZERO, cross(arm, what));
  const [x = 0, y = 0, z = 0] = numbers;
  numbers.splice(0, 3, x + what.x, y + what.y, z + what.z);
}

function sumOf(numbers: BodyFields['impulsesAtPoints']): Vector {
  let sum = ZERO;
  eachAtPoint(numbers, (impulse) => {
    sum = plus(sum, impulse);
  });
  return sum;
}
