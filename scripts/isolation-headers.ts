import type { ServerResponse } from 'node:http';
import type { HttpServer, Plugin } from 'vite';

/**
 * The response headers that make a page cross-origin isolated. Without isolation a browser has no
 * `SharedArrayBuffer` and only a coarse clock.
 *
 * Every response needs them, not only the page: a worker is isolated only if the response of its
 * own script says so, and a browser refuses a script that it had cached without them.
 */
export const isolationHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** The same headers in the `_headers` format of static hosts such as Netlify and Cloudflare. */
export function headersFile(): string {
  const lines = Object.entries(isolationHeaders).map(([name, value]) => `  ${name}: ${value}`);
  return ['/*', ...lines, ''].join('\n');
}

/** Sends the headers from the dev server and the preview server, and ships them with the build. */
export function isolationHeadersPlugin(): Plugin {
  return {
    name: 'isolation-headers',
    configureServer: ({ httpServer }) => addToEveryResponse(httpServer),
    configurePreviewServer: ({ httpServer }) => addToEveryResponse(httpServer),
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: '_headers', source: headersFile() });
    },
  };
}

/**
 * Listens ahead of the server's own handler instead of adding a middleware, because a middleware
 * is not reached by requests that an earlier one answers, such as refused hosts.
 */
function addToEveryResponse(server: HttpServer | null): void {
  server?.prependListener('request', (_request: unknown, response: ServerResponse) => {
    for (const [name, value] of Object.entries(isolationHeaders)) response.setHeader(name, value);
  });
}
