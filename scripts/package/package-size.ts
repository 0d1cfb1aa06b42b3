/** How much of the built package an application's page and its worker have to load: bundled, minified, compressed. */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite';

type OutputChunk = Rolldown.OutputChunk;

/** Sizes in bytes, minified and gzipped, of what a page or a worker loads. */
export interface BundleSize {
  /** The script before it runs: with its static imports, and theirs. */
  readonly entry: number;
  /** Parts that are loaded on demand. */
  readonly later: number;
  /** Modules that are partly or fully in the first, from the project's folder. */
  readonly modules: string[];
  /** Modules that are only in parts that are loaded on demand. */
  readonly laterModules: string[];
}

/**
 * @param folder A project that has the package installed.
 * @param code A module that uses it.
 * @param external Of packages that are not counted.
 */
export async function bundleSize(
  folder: string,
  code: string,
  external?: RegExp,
): Promise<BundleSize> {
  return sizesOf(folder, await bundle(folder, code, {}, external));
}

function sizesOf(folder: string, chunks: readonly OutputChunk[]): BundleSize {
  const entry = entryOf(chunks);
  const later = chunks.filter((chunk) => !entry.has(chunk));
  return {
    entry: sizeOf([...entry]),
    later: sizeOf(later),
    modules: modulesOf(folder, entry),
    laterModules: modulesOf(folder, later),
  };
}

/**
 * Bundled as Vite bundles workers: without its additions to pages.
 *
 * @param folder A project that has the package installed.
 * @param code A worker's script.
 */
export async function workerSize(folder: string, code: string): Promise<BundleSize> {
  writeFileSync(join(folder, 'size.worker.js'), code);
  const starts = `new Worker(new URL('./size.worker.js', import.meta.url), { type: 'module' });`;
  let chunks: readonly OutputChunk[] = [];
  const keep: Plugin = {
    name: 'keep',
    generateBundle(_options, written) {
      chunks = Object.values(written).filter((part) => part.type === 'chunk');
    },
  };
  await bundle(folder, starts, { worker: { format: 'es', plugins: () => [keep] } });
  return sizesOf(folder, chunks);
}

async function bundle(
  folder: string,
  code: string,
  config: InlineConfig = {},
  external?: RegExp,
): Promise<readonly OutputChunk[]> {
  // Vite goes by the environment if that says something, as it does in tests.
  process.env.NODE_ENV = 'production';
  const input = join(folder, 'size.js');
  writeFileSync(input, code);
  const result = await build({
    ...config,
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'esnext',
      minify: true,
      // A few lines for browsers without preloading, which are the application's and not ours.
      modulePreload: false,
      rolldownOptions: { input, ...(external === undefined ? {} : { external }) },
    },
  });
  const outputs = Array.isArray(result) ? result : [result];
  return outputs
    .flatMap((one) => ('output' in one ? one.output : []))
    .filter((chunk) => chunk.type === 'chunk');
}

/** The chunks that run first, what they import, and what that imports. */
function entryOf(chunks: readonly OutputChunk[]): ReadonlySet<OutputChunk> {
  const found = new Set(chunks.filter((chunk) => chunk.isEntry));
  // Grows while it is walked: imports of imports.
  for (const { imports } of found) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) found.add(chunk);
  }
  return found;
}

/** Modules with remaining code, from the project's folder. */
function modulesOf(folder: string, chunks: Iterable<OutputChunk>): string[] {
  return [...chunks].flatMap(({ modules }) =>
    Object.entries(modules).flatMap(([path, { renderedLength }]) =>
      renderedLength > 0 ? [relative(folder, path)] : [],
    ),
  );
}

const sizeOf = (chunks: readonly OutputChunk[]): number =>
  chunks.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0);
