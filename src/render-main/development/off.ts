/** In place of on.ts. */
export const isDevelopment: boolean = false;

export const loadWarnings: (() => Promise<typeof import('./page-warnings.js')>) | undefined =
  undefined;
