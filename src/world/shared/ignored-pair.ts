/** What page and worker say of bodies that do not touch each other. */

/** Of the system that every worker script of a world has. */
export const IGNORED_PAIR = 'betwixt/ignored-pair';

/** The props of the system: handles of two bodies, from 1. */
export type IgnoredPairFields = {
  readonly body: number;
  readonly other: number;
};
