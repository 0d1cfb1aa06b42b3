/** In place of on.ts. */
export const isDevelopment: boolean = false;

export const scriptAddress: (() => string | undefined) | undefined = undefined;

export const loadWarnings: (() => Promise<typeof import('./worker-warnings.js')>) | undefined =
  undefined;
