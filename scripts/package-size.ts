/** How much of the built package an application's page has to load: bundled, minified, compressed. */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** Sizes in bytes, of everything that is loaded at once. Parts that are loaded when needed count by themselves. */
export interface BundleSize {
  readonly minified: number;
  readonly gzipped: number;
  /** All parts that are loaded later, if ever; gzipped. */
  readonly later: number;
  /** Modules of which something is in there, from the project's folder. */
  readonly modules: readonly string[];
}

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
  const chunks = outputs.flatMap((one) => ('output' in one ? one.output : []));
  const size = { minified: 0, gzipped: 0, later: 0, modules: [] as string[] };
  const entry = chunks.find((chunk) => chunk.type === 'chunk' && chunk.isEntry);
  const atOnce = new Set([entry?.fileName, ...((entry?.type === 'chunk' && entry.imports) || [])]);
  for (const chunk of chunks) {
    if (chunk.type !== 'chunk') continue;
    const gzipped = gzipSync(chunk.code, { level: 9 }).length;
    if (!atOnce.has(chunk.fileName)) {
      size.later += gzipped;
      continue;
    }
    for (const [path, { renderedLength }] of Object.entries(chunk.modules)) {
      if (renderedLength > 0) size.modules.push(relative(folder, path));
    }
    size.minified += Buffer.byteLength(chunk.code);
    size.gzipped += gzipped;
  }
  return size;
}
