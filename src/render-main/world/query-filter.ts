/** What queries of a world pass over. */
import { requireKnownKeys } from '../../shared/util/known-keys.js';
import type { FilterData } from '../../shared/world/questions.js';
import { NO_HANDLE } from '../../shared/world/world-batch.js';
import type { Kind } from '../../shared/world/world-fields.js';
import { bits } from './checked-values.js';
import type { Collider } from './collider.js';
import type { RigidBody } from './rigid-body.js';
import type { WorldLink } from './world-link.js';

type Owner = Pick<WorldLink, 'has'>;

/** What a query passes over. What was removed excludes nothing. */
export interface QueryFilter {
  /** 32 bits of `QueryFilterFlags`. Default: none. */
  readonly flags?: number | undefined;
  /** 32 bits: the groups that the query is in, and those that it meets. Default: all. */
  readonly groups?: number | undefined;
  /** Default: none. */
  readonly excludeCollider?: Collider | undefined;
  /** With all of its colliders. Default: none. */
  readonly excludeRigidBody?: RigidBody | undefined;
  /** Any number of colliders, in the place of Rapier's predicate. Default: none. */
  readonly excluded?: Iterable<Collider> | undefined;
}

const KEYS: readonly (keyof QueryFilter)[] = [
  'flags',
  'groups',
  'excludeCollider',
  'excludeRigidBody',
  'excluded',
];

/** The filter of a query, which is its last argument, and what must not come after it. */
export type FilterArguments = readonly [filter?: QueryFilter, ...others: unknown[]];

/**
 * @param others What JavaScript has passed after it, as for Rapier's own methods.
 * @throws TypeError, RangeError naming the field.
 * @throws TypeError naming the substitutes, for a function.
 */
export function filterData(
  link: Owner,
  filter: QueryFilter = {},
  ...others: unknown[]
): FilterData {
  const given = [filter, ...others, ...Object.values(filter ?? {})];
  if (given.some((value) => typeof value === 'function')) {
    throw new TypeError(
      'a query takes no function, because the engine is in another thread: the promise gives what was found, and ' +
        'filter is { flags, groups, excludeCollider, excludeRigidBody, excluded }, where excluded is a list of colliders',
    );
  }
  if (
    typeof filter !== 'object' ||
    filter === null ||
    others.some((other) => other !== undefined)
  ) {
    throw new TypeError(
      `filter must be an object { ${KEYS.join(', ')} }, in the place of all of Rapier's arguments for filters`,
    );
  }
  requireKnownKeys('filter', filter, KEYS);
  const { flags, groups, excludeCollider, excludeRigidBody, excluded = [] } = filter;
  return {
    flags: flags === undefined ? undefined : bits('filter.flags', flags),
    groups: groups === undefined ? undefined : bits('filter.groups', groups),
    excludeCollider: handleIn(link, 'filter.excludeCollider', 'collider', excludeCollider),
    excludeRigidBody: handleIn(link, 'filter.excludeRigidBody', 'body', excludeRigidBody),
    excluded: Array.from(
      excluded,
      (collider) => handleIn(link, 'filter.excluded', 'collider', collider) ?? NO_HANDLE,
    ),
  };
}

/** @returns Undefined: there is none, or it was removed. @throws TypeError unless it is a thing of this world. */
export function handleIn(
  link: Owner,
  name: string,
  kind: Kind,
  thing: (Collider | RigidBody) | null | undefined,
): number | undefined {
  if (thing === undefined || thing === null) return undefined;
  if (link.has(kind, thing)) return thing.handle;
  if (typeof thing.isValid === 'function' && !thing.isValid()) return undefined;
  throw new TypeError(`${name} must be a ${kind} of this world`);
}
