/**
 * Options for a `Worker` of `node:worker_threads` that runs a TypeScript file: `new Worker(new
 * URL('./writer.ts', import.meta.url), { ...typescriptThread, workerData })`.
 *
 * The usual `--import tsx` is not enough: on Node 20 tsx registers itself in the main thread only.
 */
export const typescriptThread: { readonly execArgv: string[] } = {
  execArgv: ['--import', new URL('./register-typescript.mjs', import.meta.url).href],
};
