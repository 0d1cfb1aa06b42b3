/**
 * Names of the two halves of a project of browser tests: those that may have any company, and those that watch the
 * clock. `playwright-options.ts` says why there are two.
 */
export const halvesOf = (project: string) => [project, `${project}-clock`] as const;
