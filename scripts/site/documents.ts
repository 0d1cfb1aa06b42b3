/** For Vite's development server: the documentation, by VitePress, which starts with the first request for it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Plugin, ViteDevServer } from 'vite';
import { isolationHeaders } from '../../src/vite/index.js';

const BASE = '/docs/';
/** Code of the documents that pages run. */
const SNIPPETS = '/docs/snippets/';

export const documents = (): Plugin => ({
  name: 'documents',
  apply: 'serve',
  configureServer({ config, httpServer, middlewares }) {
    let starting: Promise<ViteDevServer> | undefined;
    async function start(): Promise<ViteDevServer> {
      if (!existsSync(`${config.root}/docs/api`)) {
        config.logger.info('Making the reference, for the documentation …');
        const args = ['--import', 'tsx', 'scripts/api/api-reference.ts'];
        await once(spawn(process.execPath, args, { cwd: config.root, stdio: 'inherit' }), 'exit');
      }
      const { createServer } = await import('vitepress');
      const docs = await createServer(`${config.root}/docs`, {
        base: BASE,
        middlewareMode: true,
        // One port for both, also for what reloads pages.
        ...(httpServer && { ws: { server: httpServer } }),
      });
      httpServer?.once('close', () => void docs.close());
      return docs;
    }
    // In a page that is not isolated, no frame is.
    const headers = new Map(Object.entries(isolationHeaders()));
    middlewares.use((request, response, next) => {
      const { url = '' } = request;
      if (!url.startsWith(BASE) || url.startsWith(SNIPPETS)) return next();
      starting ??= start();
      starting.then((docs) => {
        response.setHeaders(headers);
        docs.middlewares(request, response, next);
      }, next);
    });
  },
});
