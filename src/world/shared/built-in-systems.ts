/** The systems that the worker script of every world has, and their props: plain data. */

/** Name of the system of a point that pulls bodies. */
export const ATTRACTOR = 'betwixt/attractor';

/** All values of {@link AttractorGravityType}. */
export const ATTRACTOR_TYPES = ['static', 'linear', 'newtonian'] as const;
/** How the pull of an attractor depends on the distance. */
export type AttractorGravityType = (typeof ATTRACTOR_TYPES)[number];

/** The props of an attractor. */
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

/** Name of the system of two bodies that do not touch each other. */
export const IGNORED_PAIR = 'betwixt/ignored-pair';

/** The props of an ignored pair: handles of two bodies, from 1. */
export type IgnoredPairFields = {
  readonly body: number;
  readonly other: number;
};

/** Props of the built-in systems, by their names, which all begin in the same way: see {@link isBuiltIn}. */
export type BuiltInSystems = {
  readonly [ATTRACTOR]: AttractorFields;
  readonly [IGNORED_PAIR]: IgnoredPairFields;
};
export type BuiltInSystem = keyof BuiltInSystems & `betwixt/${string}`;

/** A simulation with no other systems: `World<BuiltInSimulation>`. */
export interface BuiltInSimulation {
  readonly systems: BuiltInSystems;
}

/** Whether a name is one of the library's. The page needs no list of them: the worker has it. */
export const isBuiltIn = (name: string): boolean => name.startsWith('betwixt/');
