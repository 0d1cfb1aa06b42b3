/** What queries of a world pass over. */
import { requireKnownKeys } from '../../../shared/util/known-keys.js';
import type { FilterData } from '../../../shared/world/questions.js';
import { NO_HANDLE } from '../../../shared/world/world-batch.js';
import { bits } from '../checks/checked-values.js';
import type { Collider } from '../bodies/collider.js';
import type { RigidBody } from '../bodies/rigid-body.js';
import { handleIn } from '../handles/handle-in.js';
import type { WorldLink } from '../handles/world-link.js';

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

/** Code that calls a query as on the main thread mostly does so in a frame. */
const ADVICE = 'For an answer in each frame, read a probe: useProbe, or world.createProbe';

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
  const shape = `an object { ${KEYS.join(', ')} }, in the place of all of Rapier's arguments for filters`;
  if (given.some((value) => typeof value === 'function')) {
    throw new TypeError(
      `a query takes no function, because the engine is in another thread: its filter is ${shape}. ${ADVICE}`,
    );
  }
  if (
    typeof filter !== 'object' ||
    filter === null ||
    others.some((other) => other !== undefined)
  ) {
    throw new TypeError(`filter must be ${shape}. ${ADVICE}`);
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

/** What a filter consists of: equal for equal ones, compared one by one and by identity. */
export function filterKey(filter: QueryFilter): readonly unknown[] {
  const { flags, groups, excludeCollider, excludeRigidBody, excluded = [] } = filter;
  return [flags, groups, excludeCollider, excludeRigidBody, ...excluded];
}
