/**
 * One file in a build with the engine of worlds, for pages and workers. Vite bundles each worker apart, so there would be
 * copies, of a megabyte each, compressed: a page that asks the engine would load it twice, and its worker would ask for it
 * late. The package is one module without imports: its file is copied, and imported from everywhere.
 *
 *     page ──────────── import ──┐
 *     worker ────────── import ──┴─▶ assets/rapier-….js ◀── prefetch ── HTML of pages that have worlds
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isAbsolute, posix } from 'node:path';
import type { Plugin, Rollup } from 'vite';
import { rootFrom } from './root-from.js';

const ENGINE = '@dimforge/rapier3d-simd-compat';
/** Its address, until that of the importing file is known. */
const PLACEHOLDER = 'betwixt:engine';
/** What creates the worker of a world. */
const CREATES_WORLD = /[/\\]world[/\\]page[/\\]create-world\.[jt]s$/;

/** One for pages, and another for each worker. */
export function oneEngine(): Plugin {
  let base = '';
  let assetsDir = '';
  let isSite = false;
  let source: string | undefined;
  /** From the root of the site. */
  let fileName = '';
  return {
    name: 'betwixt-engine',
    apply: 'build',
    configResolved({ base: resolved, build, worker, isWorker }) {
      base = resolved;
      assetsDir = build.assetsDir;
      // Servers have the package itself; a worker that is no module cannot import a file.
      isSite = build.ssr === false && (!isWorker || worker.format === 'es');
    },
    resolveId: {
      order: 'pre',
      async handler(id, importer) {
        if (!isSite || id !== ENGINE) return undefined;
        const found = await this.resolve(id, importer, { skipSelf: true });
        // Without the package, Vite has a name in its place.
        if (found === null || found.external !== false || !isAbsolute(found.id)) return found;
        // Its source map stays where it is.
        source = readFileSync(found.id, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '');
        const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
        fileName = posix.join(assetsDir, `rapier-${hash}.js`);
        return { id: PLACEHOLDER, external: true };
      },
    },
    renderChunk(code, chunk) {
      if (source === undefined || !code.includes(PLACEHOLDER)) return undefined;
      this.emitFile({ type: 'asset', fileName, source });
      const address = posix.relative(posix.dirname(chunk.fileName), fileName);
      const relative = address.startsWith('.') ? address : `./${address}`;
      return { code: code.replaceAll(PLACEHOLDER, relative), map: null };
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle, chunk, path }) {
        if (fileName === '' || !hasWorld(bundle, chunk)) return undefined;
        // Not preloaded: a page that does not ask the engine has no use for the module.
        const href = posix.join(rootFrom(path, base), fileName);
        const attrs = { rel: 'prefetch', as: 'script', crossorigin: true, href };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}

/** Whether a page has what creates worlds as soon as it is loaded. */
function hasWorld(bundle: Rollup.OutputBundle | undefined, entry: Rollup.OutputChunk | undefined) {
  const names = new Set(entry === undefined ? [] : [entry.fileName]);
  for (const name of names) {
    const chunk = bundle?.[name];
    if (chunk?.type !== 'chunk') continue;
    if (chunk.moduleIds.some((id) => CREATES_WORLD.test(id))) return true;
    for (const imported of chunk.imports) names.add(imported);
  }
  return false;
}
