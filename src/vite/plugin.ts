/**
 * The Vite plugin: sends isolation headers from its servers, in the build, and from a service worker if a host cannot. In
 * development, it has workers replaced whose code has changed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin, ResolvedConfig, UserConfig } from 'vite';
import { checkOptions, choice, flag, type Check } from '../shared/util/options.js';
import { changedWorkers } from './hot-workers.js';
import { headersFile, isolationHeaders, type EmbedderPolicy } from './isolation-headers.js';
import { oneEngine, rootFrom, worldWorkerAddress } from './world-files.js';

/** Options of {@link betwixt}. */
export interface BetwixtPluginOptions {
  /**
   * Send the isolation headers from the development and the preview server, and write them into the build as
   * `_headers`, which Netlify and Cloudflare Pages read. An existing `_headers` in the public directory is kept and
   * completed. Default true.
   */
  readonly headers?: boolean;
  /**
   * Add a service worker to the build that sets the headers in the browser, for hosts that cannot send them, such as
   * GitHub Pages. The first visit loads the page twice. Not for an application with its own service worker: that one
   * must add the headers itself. A release with another `embedderPolicy` replaces it on the next visit.
   *
   * To remove it, release once with `'remove'`, which also removes it for visitors who have it: omitting the option
   * does not. Default false.
   */
  readonly serviceWorker?: boolean | 'remove';
  /**
   * How the page treats files of other origins that do not specify who may use them. Default `'require-corp'`,
   * which refuses them.
   */
  readonly embedderPolicy?: EmbedderPolicy;
  /**
   * In development, replace the worker of a simulation when a file changes that only its script imports, instead of
   * reloading the page: the run continues with the new code. A server that renders its own pages has to import
   * `virtual:betwixt/hot-workers` in them. Default true.
   */
  readonly hotWorkers?: boolean;
}

const OPTIONS = {
  headers: flag(true),
  serviceWorker: (name: string, value: unknown = false) => {
    if (typeof value === 'boolean' || value === 'remove') return value;
    throw new TypeError(`${name} must be true, false or 'remove'`);
  },
  embedderPolicy: choice<EmbedderPolicy>(['require-corp', 'credentialless'], 'require-corp'),
  hotWorkers: flag(true),
} satisfies Readonly<Record<keyof BetwixtPluginOptions, Check<unknown>>>;

/** In the same directory as the pages, so that the service worker may serve all of them. */
const PAGE_SCRIPT = 'betwixt-isolation.js';
const WORKER_SCRIPT = 'betwixt-isolation-worker.js';

/** With the worker script of `betwixt/world`. */
const OWN_FOLDER = fileURLToPath(new URL('..', import.meta.url)).replaceAll('\\', '/');

/** The module that pages import in development, and its name inside of Vite: by convention, no file has such a name. */
const HOT_WORKERS = 'virtual:betwixt/hot-workers';
const HOT_WORKERS_ID = `\0${HOT_WORKERS}`;

/**
 * Where the development server looks for dependencies in advance. Vite scans pages, but not the workers that they
 * start; a dependency that it finds later makes it reload the page. So: what Vite scans by default, with the same
 * exclusions, and the workers.
 */
const SCANNED: readonly string[] = [
  '**/*.html',
  '**/*.worker.{ts,mts,tsx,js,mjs,jsx}',
  '!**/{__tests__,coverage}/**',
];

/**
 * Makes a Vite site cross-origin isolated, so that a page and its worker may share memory, and builds workers as ES
 * modules unless `worker.format` is set. In development it also makes Vite scan all `*.worker.ts` and `*.worker.js` for
 * dependencies, unless `optimizeDeps.entries` or the build's `input` is set, and Vite 6 and 7 find the worker script of
 * `betwixt/world`. In the build, pages and workers share the engine of `betwixt/world`, a module and its WebAssembly, which pages
 * that have worlds from the start prefetch. The build of a world fails if the engine's package is not installed.
 *
 * @throws TypeError for an unknown option or one that is not a boolean.
 * @throws RangeError for an unknown policy.
 */
export function betwixt(options: BetwixtPluginOptions = {}): Plugin[] {
  const { headers, serviceWorker, embedderPolicy, hotWorkers } = checkOptions(
    'betwixt()',
    options,
    OPTIONS,
  );
  const isolation = isolationHeaders(embedderPolicy);
  const serve = (server: Server): void => {
    if (headers) addToEveryResponse(server, { ...isolation, ...forFrames() });
  };
  let config: ResolvedConfig;
  const plugin: Plugin = {
    name: 'betwixt',
    config: {
      // After all other plugins: options that they set count as the application's.
      order: 'post',
      handler(user) {
        // Undefined in Vite 6. Its types are of a Vite that always has it.
        const meta = (this as Partial<typeof this> | undefined)?.meta;
        const hasRolldown = meta !== undefined && 'rolldownVersion' in meta;
        const worldWorker = worldWorkerAddress(() => config.cacheDir);
        return {
          // The default format cannot load parts of a worker on demand, such as a physics engine.
          worker: {
            ...(user.worker?.format === undefined && { format: 'es' }),
            plugins: () => [oneEngine()],
          },
          optimizeDeps: {
            ...(saysWhereToScan(user) ? {} : { entries: [...SCANNED] }),
            ...(hasRolldown ? {} : { esbuildOptions: { plugins: [worldWorker] } }),
          },
        };
      },
    },
    resolveId: (id) => (id === HOT_WORKERS ? HOT_WORKERS_ID : undefined),
    load: (id) => (id === HOT_WORKERS_ID ? browserScript('hot-workers.js') : undefined),
    hotUpdate({ modules }) {
      const { name, hot } = this.environment;
      const workers = hotWorkers && name === 'client' ? changedWorkers(modules) : [];
      if (workers.length === 0) return undefined;
      const addresses = workers.map((url) => posix.join(config.base, url));
      hot.send('betwixt:workers-changed', { workers: addresses });
      return [];
    },
    configResolved(resolved) {
      config = resolved;
      // The package may be installed above a root with its own package.json, from outside of which Vite's server sends nothing.
      resolved.server.fs.allow.push(OWN_FOLDER);
    },
    configureServer: serve,
    configurePreviewServer: serve,
    transformIndexHtml(_html, { path, server }) {
      if (server !== undefined && hotWorkers) {
        const src = posix.join(config.base, '@id/__x00__' + HOT_WORKERS);
        // First: it listens before the page's own scripts make workers.
        return [{ tag: 'script', attrs: { type: 'module', src }, injectTo: 'head-prepend' }];
      }
      if (serviceWorker === false || server !== undefined) return undefined;
      const src = rootFrom(path, config.base) + PAGE_SCRIPT;
      const isRemoved = serviceWorker === 'remove';
      const task = isRemoved ? { 'data-remove': true } : { 'data-embedder-policy': embedderPolicy };
      return [{ tag: 'script', attrs: { src, ...task }, injectTo: 'head-prepend' }];
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
  return [plugin, oneEngine()];
}

/** Vite also treats the inputs of a build as entries, by its own rules, and explicit entries would replace them. */
function saysWhereToScan(user: UserConfig): boolean {
  return [user, user.environments?.['client'] ?? {}].some(({ optimizeDeps, build, ...rest }) => {
    const { rolldownOptions, rollupOptions } = build ?? {};
    // Newer releases of Vite also have `input` at the top level.
    const input = rolldownOptions?.input ?? rollupOptions?.input ?? ('input' in rest && rest.input);
    return optimizeDeps?.entries !== undefined || Boolean(input);
  });
}

/** Scripts for browsers are not part of this module: they are plain JavaScript files next to it. */
function browserScript(name: string): string {
  return readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8');
}

/** Where Node itself runs in a page, as on StackBlitz, that page shows the app in a frame of another origin. */
function forFrames(): Readonly<Record<string, string>> {
  const isInPage = 'webcontainer' in process.versions;
  return isInPage ? { 'Cross-Origin-Resource-Policy': 'cross-origin' } : {};
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
 * requests that an earlier one answers, such as refused hosts. When Vite is a middleware of another server, there is
 * nothing to listen to.
 */
function addToEveryResponse(
  { httpServer, middlewares }: Server,
  headers: Readonly<Record<string, string>>,
): void {
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
