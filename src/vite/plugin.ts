/** The Vite plugin: isolation headers from its servers, in the build, and from a service worker where a host has none. */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Plugin, ResolvedConfig, UserConfig } from 'vite';
import {
  headersFile,
  isolationHeaders,
  type EmbedderPolicy,
  type IsolationHeaders,
} from './isolation-headers.js';

/** Options of {@link betwixt}. */
export interface BetwixtPluginOptions {
  /**
   * Send the isolation headers from the development and the preview server, and write them into the build as
   * `_headers`, which Netlify and Cloudflare Pages read. A `_headers` in the folder of public files is kept and
   * completed. Default true.
   */
  readonly headers?: boolean;
  /**
   * Add a service worker to the build that sets the headers in the browser, for hosts that cannot send them, such as
   * GitHub Pages. The first visit loads the page twice. Not for an application with a service worker of its own:
   * that one has to add the headers itself. A release with another `embedderPolicy` replaces it on the next visit.
   *
   * To be rid of it, release once with `'remove'`, which takes it away from visitors who have it: leaving the option
   * out leaves it with them. Default false.
   */
  readonly serviceWorker?: boolean | 'remove';
  /**
   * What the page does with files of other origins that do not say who may use them. Default `'require-corp'`, which
   * refuses them.
   */
  readonly embedderPolicy?: EmbedderPolicy;
}

/** Beside the pages, so that the service worker may serve all of them. */
const PAGE_SCRIPT = 'betwixt-isolation.js';
const WORKER_SCRIPT = 'betwixt-isolation-worker.js';

/**
 * Where the development server looks for dependencies before a page asks for them. Vite looks in pages, but not in
 * the workers that they start; one that it finds later makes it load the page again. So: what Vite takes if nobody
 * says anything, without what it leaves out then, and the workers.
 */
const SCANNED: readonly string[] = [
  '**/*.html',
  '**/*.worker.{ts,mts,tsx,js,mjs,jsx}',
  '!**/{__tests__,coverage}/**',
];

/**
 * Makes a Vite site cross-origin isolated, so that a page and its worker may share memory, and has workers built as
 * ES modules unless `worker.format` says otherwise. In development it has dependencies looked for in all `*.worker.ts`
 * and `*.worker.js` beside the pages, unless `optimizeDeps.entries` or the build's `input` say where.
 *
 * @throws TypeError for an option that does not exist or is no boolean. @throws RangeError for an unknown policy.
 */
export function betwixt(options: BetwixtPluginOptions = {}): Plugin {
  const { headers, serviceWorker, embedderPolicy } = resolve(options);
  const isolation = isolationHeaders(embedderPolicy);
  let config: ResolvedConfig;
  return {
    name: 'betwixt',
    config: {
      // After all other plugins: what one of them says counts as the application's.
      order: 'post',
      handler: (user) => ({
        // The format by default cannot load a part of a worker when it is needed, such as a physics engine.
        ...(user.worker?.format === undefined ? { worker: { format: 'es' } } : {}),
        ...(saysWhereToScan(user) ? {} : { optimizeDeps: { entries: [...SCANNED] } }),
      }),
    },
    configResolved(resolved) {
      config = resolved;
    },
    configureServer(server) {
      if (headers) addToEveryResponse(server, isolation);
    },
    configurePreviewServer(server) {
      if (headers) addToEveryResponse(server, isolation);
    },
    transformIndexHtml(_html, { path, server }) {
      if (serviceWorker === false || server !== undefined) return undefined;
      const src = posix.join(baseFor(config.base, path), PAGE_SCRIPT);
      const task =
        serviceWorker === 'remove'
          ? { 'data-remove': true }
          : { 'data-embedder-policy': embedderPolicy };
      const attrs = { src, ...task };
      return [{ tag: 'script', attrs, injectTo: 'head-prepend' }];
    },
    generateBundle() {
      if (config.build.ssr) return;
      const emit = (fileName: string, source: string) =>
        this.emitFile({ type: 'asset', fileName, source });
      if (headers) {
        const own = config.publicDir === '' ? '' : join(config.publicDir, '_headers');
        const existing = existsSync(own) ? readFileSync(own, 'utf8') : '';
        emit('_headers', headersFile(isolation, existing));
      }
      if (serviceWorker !== false) emit(PAGE_SCRIPT, browserScript('isolation-page.js'));
      if (serviceWorker === true) emit(WORKER_SCRIPT, browserScript('isolation-worker.js'));
    },
  };
}

/** The inputs of a build are entries too, by rules of Vite's own, and entries beside them would replace them. */
function saysWhereToScan(user: UserConfig): boolean {
  return [user, user.environments?.['client'] ?? {}].some(({ optimizeDeps, build, ...rest }) => {
    const { rolldownOptions, rollupOptions } = build ?? {};
    // Newer releases of Vite have `input` at the top as well.
    const input = rolldownOptions?.input ?? rollupOptions?.input ?? ('input' in rest && rest.input);
    return optimizeDeps?.entries !== undefined || Boolean(input);
  });
}

function resolve(options: BetwixtPluginOptions): Required<BetwixtPluginOptions> {
  const {
    headers = true,
    serviceWorker = false,
    embedderPolicy = 'require-corp',
    ...unknown
  } = options;
  for (const name of Object.keys(unknown)) {
    throw new TypeError(
      `unknown option "${name}" of betwixt(): it has headers, serviceWorker and embedderPolicy`,
    );
  }
  if (typeof headers !== 'boolean') throw new TypeError('headers must be true or false');
  if (typeof serviceWorker !== 'boolean' && serviceWorker !== 'remove') {
    throw new TypeError("serviceWorker must be true, false or 'remove'");
  }
  if (embedderPolicy !== 'require-corp' && embedderPolicy !== 'credentialless') {
    throw new RangeError(
      `embedderPolicy must be 'require-corp' or 'credentialless', but is ${JSON.stringify(embedderPolicy)}`,
    );
  }
  return { headers, serviceWorker, embedderPolicy };
}

/** From a page to the root of the site: a relative `base` is one for each folder of pages. */
function baseFor(base: string, path: string): string {
  if (base !== '' && base !== './') return base;
  return '../'.repeat(path.split('/').length - 2) || '.';
}

/** What runs in browsers is not part of this module: it is plain JavaScript that lies beside it. */
function browserScript(name: string): string {
  return readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8');
}

/** The part of Vite's two servers that is used. */
interface Server {
  readonly httpServer: { prependListener(event: 'request', listener: Handler): unknown } | null;
  readonly middlewares: {
    use(handler: (...args: [...Parameters<Handler>, () => void]) => void): unknown;
  };
}
type Handler = (
  request: unknown,
  response: { setHeader(name: string, value: string): unknown },
) => void;

/**
 * Listens ahead of the server's own handler instead of adding a middleware, because a middleware is not reached by
 * requests that an earlier one answers, such as refused hosts. Vite as a middleware of another server has nothing
 * to listen to.
 */
function addToEveryResponse({ httpServer, middlewares }: Server, headers: IsolationHeaders): void {
  const add: Handler = (_request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  };
  if (httpServer !== null) {
    httpServer.prependListener('request', add);
    return;
  }
  middlewares.use((request, response, next) => {
    add(request, response);
    next();
  });
}
