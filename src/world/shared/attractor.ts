/** What page and worker say of attractors. */

/** Of the system that every worker script of a world has. */
export const ATTRACTOR = 'betwixt/attractor';

/** All of {@link AttractorGravityType}. */
export const ATTRACTOR_TYPES = ['static', 'linear', 'newtonian'] as const;
/** How the pull of an attractor depends on the distance. */
export type AttractorGravityType = (typeof ATTRACTOR_TYPES)[number];

/** The props of the system: plain data. */
export type AttractorFields = {
  /** Relative to its body, if it has one. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** Handle of the body that it is part of; null: none. */
  readonly body: number | null;
  readonly type: AttractorGravityType;
  readonly strength: number;
  readonly range: number;
  readonly gravitationalConstant: number;
  /** 32 bits; null: all bodies. */
  readonly collisionGroups: number | null;
};
