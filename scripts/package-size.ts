/** How much of the built package an application's page has to load: bundled, minified, compressed. */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';

type OutputChunk = Rolldown.OutputChunk;

/** Sizes in bytes, minified and gzipped, of the parts that a page loads one after the other. */
export interface BundleSize {
  /** What the module that imports the package has to load before it runs: its static imports, and theirs. */
  readonly entry: number;
  /** What `connect` loads in any case, while the worker loads. */
  readonly besideWorker: number;
  /** Parts that are loaded when something needs them, if ever. */
  readonly later: number;
  /** Modules of which something is in the first two, from the project's folder. */
  readonly modules: readonly string[];
}

/** The module that `connect` loads in any case. */
const BESIDE_WORKER = /render-main\/open-simulation\.js$/;

/**
 * @param folder A project that has the package installed.
 * @param code A module that uses it.
 */
export async function bundleSize(folder: string, code: string): Promise<BundleSize> {
  const input = join(folder, 'size.js');
  writeFileSync(input, code);
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'esnext',
      minify: true,
      // A few lines for browsers without preloading, which are the application's and not ours.
      modulePreload: false,
      rolldownOptions: { input },
    },
  });
  const outputs = Array.isArray(result) ? result : [result];
  const chunks = outputs
    .flatMap((one) => ('output' in one ? one.output : []))
    .filter((chunk) => chunk.type === 'chunk');
  const closureOf = (roots: readonly OutputChunk[]): ReadonlySet<OutputChunk> => {
    const found = new Set(roots);
    // Grows while it is walked: imports of imports.
    for (const { imports } of found) {
      for (const chunk of chunks) if (imports.includes(chunk.fileName)) found.add(chunk);
    }
    return found;
  };
  const entry = closureOf(chunks.filter(({ isEntry }) => isEntry));
  const connected = closureOf([
    ...entry,
    ...chunks.filter(({ modules }) =>
      Object.keys(modules).some((path) => BESIDE_WORKER.test(path)),
    ),
  ]);
  return {
    entry: sizeOf([...entry]),
    besideWorker: sizeOf([...connected].filter((chunk) => !entry.has(chunk))),
    later: sizeOf(chunks.filter((chunk) => !connected.has(chunk))),
    modules: [...connected].flatMap(({ modules }) =>
      Object.entries(modules).flatMap(([path, { renderedLength }]) =>
        renderedLength > 0 ? [relative(folder, path)] : [],
      ),
    ),
  };
}

const sizeOf = (chunks: readonly OutputChunk[]): number =>
  chunks.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0);
