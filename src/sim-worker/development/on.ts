/**
 * Warnings for developers of the worker. `#worker-development` in package.json is this module for bundlers and servers that
 * develop, by the condition `development`; otherwise, also in Node, it is off.ts, and the warnings are not even in a build.
 */
export const isDevelopment: boolean = true;

/** The address of the worker's script; undefined outside of browsers. */
export const scriptAddress = (): string | undefined =>
  (globalThis as { readonly location?: { readonly href: string } }).location?.href;

export const loadWarnings = () => import('./worker-warnings.js');
