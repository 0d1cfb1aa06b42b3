/** The systems that every worker script of a world has, by the names that the page uses. */
import type { BuiltInSystems } from '../shared/built-in-systems.js';
import { attractor } from './attractor.js';
import { ignoredPair } from './ignored-pair.js';
import type { SystemDefinition } from './system.js';

export const BUILT_IN_SYSTEMS: {
  readonly [Name in keyof BuiltInSystems]: SystemDefinition<BuiltInSystems[Name]>;
} = {
  'betwixt/attractor': attractor,
  'betwixt/ignored-pair': ignoredPair,
};
