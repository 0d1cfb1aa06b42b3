/**
 * Warnings for developers who ask a world. `#world-development` in package.json is this module for bundlers and servers
 * that develop, by the condition `development`; otherwise it is off.ts, and the warnings are not even in a build.
 */
export { explainMissing } from './missing-methods.js';
