/** A system that every world has: two bodies that do not touch, and do not notice each other. */
import type { IgnoredPairFields } from '../shared/ignored-pair.js';
import { defineSystem, type FilteredPair } from './system.js';

export const ignoredPair = defineSystem(() => ({
  filterContact: (pair: FilteredPair, fields: IgnoredPairFields) =>
    isPair(pair, fields) ? null : undefined,
  filterIntersection: (pair: FilteredPair, fields: IgnoredPairFields) => !isPair(pair, fields),
}));

const isPair = ({ body1, body2 }: FilteredPair, { body, other }: IgnoredPairFields): boolean =>
  (body1 === body && body2 === other) || (body1 === other && body2 === body);
