/**
 * The events about a pair that begins and ends: two bodies that touch, a sensor and the body in it, two colliders that touch,
 * and a body that sleeps, which counts as a pair with itself.
 */
import type { BodyId } from '../memory/body-meta.js';
import { PairMap } from './pair-map.js';
import type { EventFields } from './simulation-event.js';

/**
 * Anything that is not a body of the snapshot. It would also be the id of the body in the last of 2^20 slots when
 * that slot is taken for the 4095th time; that body is then reported as none.
 */
export const NO_BODY = 0xffffffff;

/** The numbers that identify a pair among those of its name. */
const KEYS = {
  contact: ['a', 'b'],
  sensor: ['sensor', 'body'],
  sleep: ['body', 'body'],
  collision: ['colliderA', 'colliderB'],
} as const;

export type PairName = keyof typeof KEYS;
/** The members of a pair's event, without whether it begins or ends. The details may be missing. */
export type PairFields = Partial<EventFields[PairName]>;

export const PAIR_NAMES = Object.keys(KEYS) as readonly PairName[];

/** Two bodies, the lower id first, and undefined last. */
export const inOrder = (a: BodyId | undefined, b: BodyId | undefined) =>
  (a ?? NO_BODY) <= (b ?? NO_BODY) ? ([a, b] as const) : ([b, a] as const);

export function keysOf(name: PairName, fields: PairFields): readonly [number, number] {
  const numbers = fields as unknown as Readonly<Record<string, number | undefined>>;
  const [first, second] = KEYS[name];
  return [numbers[first] ?? NO_BODY, numbers[second] ?? NO_BODY];
}

/** The member of an event that says that the pair begins or ends, and its value. */
export function phaseOf(name: PairName, isOn: boolean): readonly [key: string, value: unknown] {
  if (name === 'sleep') return ['isAsleep', isOn];
  if (name === 'sensor') return ['phase', isOn ? 'enter' : 'leave'];
  return ['phase', isOn ? 'begin' : 'end'];
}

/** Values of pairs, by their names. */
export const pairMaps = <Value>(): Readonly<Record<PairName, PairMap<Value>>> => ({
  contact: new PairMap(),
  sensor: new PairMap(),
  sleep: new PairMap(),
  collision: new PairMap(),
});
