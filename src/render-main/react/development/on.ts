/**
 * Checks for developers of components. `#react-development` in package.json is this module for bundlers and servers that
 * develop, by the condition `development`; otherwise it is off.ts, and the checks are not even in a build.
 */
export { checkCallback, checkProps, warnOfEmptyMaps } from './check-props.js';
export { warnOfChildren, warnOfMissingKey, warnOfNoPoints } from './warnings.js';
