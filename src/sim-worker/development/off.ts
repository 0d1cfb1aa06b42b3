/** In place of on.ts. */
export const isDevelopment: boolean = false;

export const loadWarnings: (() => Promise<typeof import('./worker-warnings.js')>) | undefined =
  undefined;
