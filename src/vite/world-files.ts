/**
 * The files that `betwixt/world` loads: its engine in a build, and its worker script in development.
 *
 * Vite bundles each worker apart, so pages and workers would each contain the engine, a megabyte when compressed. But the
 * engine's package is one module without imports: a build has one copy of it, which all of them import.
 *
 *     page ──────────── import ──┐
 *     worker ────────── import ──┴─▶ assets/rapier-….js ── fetch ──▶ assets/rapier-….wasm
 *                                              ▲                        ▲
 *     HTML of pages that have worlds ───────── prefetch ────────────────┘
 *
 * The package has its WebAssembly as a string in base64, a third larger. In a build it is a file, which is compiled while it
 * loads, once: threads that start later are given the compiled module.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isAbsolute, posix, dirname, join, relative, resolve } from 'node:path';
import type { Plugin, Rollup } from 'vite';

const ENGINE = '@dimforge/rapier3d-simd-compat';
/** The bytes that the engine starts. An address can take their place. */
const INLINED = /[\w$.]+\.toByteArray\((["'`])(AGFzb[A-Za-z0-9+/=]*)\1\)\.buffer/;
/** Stands for the address of the engine until the importing file is known. */
const PLACEHOLDER = 'betwixt:engine';
/** Global variable with the engine's WebAssembly, if another thread has compiled it: see `world/shared/compiled-engine.ts`. */
const COMPILED = 'betwixt:compiled-engine';
/** The module that creates the worker of a world. */
const CREATES_WORLD = /[/\\]world[/\\]page[/\\]create-world\.[jt]s$/;
/** The worker script of worlds in a build, unless the application gives its files other names. */
const WORLD_WORKER = /(^|\/)world\.worker\b[^/]*\.js$/;

/** Makes a build have the engine once. Pages need one such plugin, and each worker another. */
export function oneEngine(): Plugin {
  let base = '';
  let assetsDir = '';
  let isSite = false;
  let engine: EngineFiles | undefined;
  let isMissing = false;
  return {
    name: 'betwixt-engine',
    apply: 'build',
    configResolved({ base: resolved, build, worker, isWorker }) {
      base = resolved;
      assetsDir = build.assetsDir;
      // Servers have the package itself; only workers that are modules can import a file.
      isSite = build.ssr === false && (!isWorker || worker.format === 'es');
    },
    resolveId: {
      order: 'pre',
      async handler(id, importer) {
        if (!isSite || id !== ENGINE) return undefined;
        const found = await this.resolve(id, importer, { skipSelf: true });
        // Without the package, Vite has a name in its place.
        if (found === null || found.external !== false || !isAbsolute(found.id)) {
          isMissing = true;
          return found;
        }
        engine = engineFiles(readFileSync(found.id, 'utf8'));
        return { id: PLACEHOLDER, external: true };
      },
    },
    renderChunk(code, chunk) {
      if (engine === undefined || !code.includes(PLACEHOLDER)) return undefined;
      for (const { name, source } of engine) {
        this.emitFile({ type: 'asset', fileName: posix.join(assetsDir, name), source });
      }
      const fileName = posix.join(assetsDir, engine[0].name);
      const address = posix.relative(posix.dirname(chunk.fileName), fileName);
      const specifier = address.startsWith('.') ? address : `./${address}`;
      return { code: code.replaceAll(PLACEHOLDER, specifier), map: null };
    },
    generateBundle(_options, bundle) {
      // Not before: modules that nothing uses are read, too.
      if (!isMissing || !Object.values(bundle).some(createsWorld)) return;
      this.error(`a world needs its engine, which is not installed: npm install ${ENGINE}`);
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle, chunk, path }) {
        if (engine === undefined || !hasWorld(bundle, chunk)) return undefined;
        // Not preloaded: a page that does not ask the engine has no use for the module.
        const worker = Object.keys(bundle ?? {}).find((file) => WORLD_WORKER.test(file));
        const files = engine.map(({ name, as }) => ({ file: posix.join(assetsDir, name), as }));
        if (worker !== undefined) files.unshift({ file: worker, as: 'script' });
        return files.map(({ file, as }) => {
          const href = rootFrom(path, base) + file;
          const attrs = { rel: 'prefetch', as, crossorigin: true, href };
          return { tag: 'link', attrs, injectTo: 'head' as const };
        });
      },
    },
  };
}

interface EngineFile {
  readonly name: string;
  readonly source: string | Uint8Array;
  /** The kind of file, in the page's link. */
  readonly as: 'script' | 'fetch';
}

/** The module first. */
type EngineFiles = readonly [EngineFile, ...EngineFile[]];

/** @param code The module of the engine's package. If its WebAssembly is not found, it stays in there. */
export function engineFiles(code: string): EngineFiles {
  // The source map stays where it is.
  const module = code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '');
  const [inlined, , base64 = ''] = INLINED.exec(module) ?? [];
  const files: EngineFile[] = [];
  let source = module;
  if (inlined !== undefined) {
    const bytes = Buffer.from(base64, 'base64');
    const name = `rapier-${hashOf(bytes)}.wasm`;
    files.push({ name, source: bytes, as: 'fetch' });
    const address = `new URL("./${name}", import.meta.url)`;
    source = module.replace(inlined, () => `(globalThis["${COMPILED}"] ?? ${address})`);
  }
  return [{ name: `rapier-${hashOf(source)}.js`, source, as: 'script' }, ...files];
}

const hashOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 8);

const createsWorld = (file: Rollup.OutputAsset | Rollup.OutputChunk): boolean =>
  file.type === 'chunk' && file.moduleIds.some((id) => CREATES_WORLD.test(id));

/** Whether a page loads the module that creates worlds from the start. */
function hasWorld(bundle: Rollup.OutputBundle | undefined, entry: Rollup.OutputChunk | undefined) {
  const names = new Set(entry === undefined ? [] : [entry.fileName]);
  for (const name of names) {
    const chunk = bundle?.[name];
    if (chunk?.type !== 'chunk') continue;
    if (createsWorld(chunk)) return true;
    for (const imported of chunk.imports) names.add(imported);
  }
  return false;
}

/**
 * The address of the root of the site, for a page: empty or with a slash at the end. A relative `base` depends on the page's
 * directory, and another one may be on another origin.
 *
 * @param path Of the page.
 */
export function rootFrom(path: string, base: string): string {
  if (base !== '' && base !== './') return base;
  return '../'.repeat(path.split('/').length - 2);
}

const CREATES_WORKER = /[/\\]dist[/\\]world[/\\]page[/\\]create-world\.js$/;
const ADDRESS = /new URL\((['"])(\.[^'"]+)\1, import\.meta\.url\)/g;

/** The part of esbuild's plugins that is used. */
export interface EsbuildPlugin {
  readonly name: string;
  setup(build: {
    onLoad(
      options: { readonly filter: RegExp },
      load: (file: { readonly path: string }) => { contents: string; loader: 'js' },
    ): void;
  }): void;
}

/**
 * Lets a development server find the worker script of `betwixt/world`, before Vite 8.
 *
 * Vite bundles packages in advance into files of its own cache. Up to Vite 7 esbuild does that, and leaves the addresses in
 * them as they are: `new URL('../worker/world.worker.js', import.meta.url)` leads nowhere from there. Since Vite 8,
 * Rolldown corrects them.
 *
 * @param cacheDir Returns Vite's cache folder, once it is resolved.
 */
export const worldWorkerAddress = (cacheDir: () => string): EsbuildPlugin => ({
  name: 'betwixt-world-worker',
  setup(build) {
    build.onLoad({ filter: CREATES_WORKER }, ({ path }) => ({
      contents: movedTo(join(cacheDir(), 'deps'), path),
      loader: 'js',
    }));
  },
});

/** The text of a module with its addresses relative to another folder. */
function movedTo(folder: string, path: string): string {
  return readFileSync(path, 'utf8').replace(ADDRESS, (_found, _quote, address: string) => {
    const moved = relative(folder, resolve(dirname(path), address)).replaceAll('\\', '/');
    return `new URL(${JSON.stringify(moved)}, import.meta.url)`;
  });
}
