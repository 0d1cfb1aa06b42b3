/**
 * Warnings for developers of the page. `#page-development` in package.json is this module for bundlers and servers that
 * develop, by the condition `development`; otherwise, also in Node, it is off.ts, and the warnings are not even in a build.
 */
export const isDevelopment: boolean = true;

export const loadWarnings = () => import('./page-warnings.js');
