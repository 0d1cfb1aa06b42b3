import type { Plugin } from 'vite';

/**
 * Where the dev server of the browser tests listens. The port is fixed so that a forgotten server
 * is a clear error, and it is not Vite's default so that `npm start` may run at the same time.
 */
const host = '127.0.0.1';
const port = 5190;

/** Vite's mode for that server; `vite.config.ts` says what differs. */
export const testMode = 'test';

export const testServer = {
  url: `http://${host}:${port}`,
  // Not `npx vite`: a shell and npm in between are two more processes to stop.
  command: `node node_modules/vite/bin/vite.js --mode ${testMode} --host ${host} --port ${port} --strictPort`,
} as const;

/**
 * Ends the server when its standard input does, which happens when the test runner that started
 * it is gone. A runner that is killed cannot stop it, and the next run would find its port taken.
 */
export function endWithParent(): Plugin {
  return {
    name: 'end-with-parent',
    apply: (_config, { mode }) => mode === testMode,
    configureServer() {
      process.stdin.once('end', () => process.exit()).resume();
    },
  };
}
