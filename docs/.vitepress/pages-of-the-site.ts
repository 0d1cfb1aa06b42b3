import { createServer, type Plugin } from 'vite';
import { isolationHeaders } from '../../src/vite/index.js';

/**
 * The development server of the documents also has all other pages, which demos show in frames: it passes what is not below
 * its own address to Vite with the repository's own configuration.
 */
export function pagesOfTheSite(root: string): Plugin {
  return {
    name: 'pages-of-the-site',
    apply: 'serve',
    async configureServer(server) {
      const { httpServer } = server;
      const pages = await createServer({
        root,
        configFile: `${root}vite.config.ts`,
        // One port for both, also for what reloads their pages.
        server: { middlewareMode: true, ...(httpServer && { ws: { server: httpServer } }) },
      });
      httpServer?.once('close', () => void pages.close());
      const { base } = server.config;
      // In a page that is not isolated, no frame is.
      const headers = new Map(Object.entries(isolationHeaders()));
      server.middlewares.use((request, response, next) => {
        response.setHeaders(headers);
        if (base !== '/' && request.url?.startsWith(base)) next();
        else pages.middlewares(request, response, next);
      });
    },
  };
}
