/** Groups of colliders. */
import { requireInteger } from '../shared/util/validate.js';

const ALL = 0xffff;

/**
 * The 32 bits of `collisionGroups` and `solverGroups`. Two colliders meet if each is in a group that the other one
 * meets.
 *
 * @param memberships The groups that it is in: 0 to 15.
 * @param filters The groups that it meets: 0 to 15. Default: all.
 * @returns The 32 bits.
 * @throws TypeError, RangeError for a group that is not an integer from 0 to 15.
 */
export const interactionGroups = (
  memberships: number | number[],
  filters?: number | number[],
): number =>
  // Without the shift to an unsigned number, group 15 would make it negative.
  ((bits('memberships', memberships) << 16) |
    (filters === undefined ? ALL : bits('filters', filters))) >>>
  0;

const bits = (name: string, groups: number | number[]): number =>
  [groups].flat().reduce((all, group) => all | (1 << requireInteger(name, group, 0, 15)), 0);
