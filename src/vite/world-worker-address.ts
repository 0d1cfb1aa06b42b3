/**
 * Where a development server finds the worker script of `betwixt/world`, before Vite 8.
 *
 * Vite bundles packages in advance into files of its own cache. Up to Vite 7 esbuild does that, which leaves the addresses in
 * them as they are: `new URL('../worker/world.worker.js', import.meta.url)` leads nowhere from there. Rolldown
 * corrects them, so that nothing is to do from Vite 8 on.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

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

/** @param cacheDir Of Vite, when it is resolved. */
export const worldWorkerAddress = (cacheDir: () => string): EsbuildPlugin => ({
  name: 'betwixt-world-worker',
  setup(build) {
    build.onLoad({ filter: CREATES_WORKER }, ({ path }) => ({
      contents: movedTo(join(cacheDir(), 'deps'), path),
      loader: 'js',
    }));
  },
});

/** A module as it has to be in another folder. */
function movedTo(folder: string, path: string): string {
  return readFileSync(path, 'utf8').replace(ADDRESS, (_found, _quote, address: string) => {
    const moved = relative(folder, resolve(dirname(path), address)).replaceAll('\\', '/');
    return `new URL(${JSON.stringify(moved)}, import.meta.url)`;
  });
}
