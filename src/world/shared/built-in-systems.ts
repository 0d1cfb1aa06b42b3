/** The systems that every worker script of a world has. */
import type { ATTRACTOR, AttractorFields } from './attractor.js';
import type { IGNORED_PAIR, IgnoredPairFields } from './ignored-pair.js';

/** Their props, by their names, which all begin in the same way: see {@link isBuiltIn}. */
export type BuiltInSystems = {
  readonly [ATTRACTOR]: AttractorFields;
  readonly [IGNORED_PAIR]: IgnoredPairFields;
};
export type BuiltInSystem = keyof BuiltInSystems & `betwixt/${string}`;

/** What a script has at least: `World<BuiltInSimulation>`. */
export interface BuiltInSimulation {
  readonly systems: BuiltInSystems;
}

/** Whether the name is one of the library's, which the worker knows: a page has no list of them, which would load their names. */
export const isBuiltIn = (name: string): boolean => name.startsWith('betwixt/');
