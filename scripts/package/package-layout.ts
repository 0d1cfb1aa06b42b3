/** Where the package is built, and its contents, read from the repository's own package.json. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../child-process.js';

/** The folder that `npm pack` and `npm install` take. */
export const packageFolder = join(repositoryRoot, 'build/package');
/** The same of `create-betwixt`, which `npm create betwixt` runs. */
export const createPackageFolder = join(repositoryRoot, 'build/create-betwixt');

/** An entry point of the package. */
export interface EntryPoint {
  /** As it is imported: `betwixt/worker`. */
  readonly specifier: string;
  /** As `exports` names it: `./worker`. */
  readonly subpath: string;
  /** The entry's source, from the root of the repository: `src/sim-worker/index.ts`. */
  readonly source: string;
  /** The same without `src/` and the ending: `sim-worker/index`. */
  readonly module: string;
}

/** The fields of package.json that are used. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  /** The only place where the address of the repository is set. */
  readonly repository: { readonly type: string; readonly url: string };
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly engines: Readonly<Record<string, string>>;
}

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as Manifest;
}

/** The versions of what only rooms need. */
export function readRoomsManifest(): Pick<Manifest, 'dependencies'> {
  const path = join(repositoryRoot, 'scripts/rooms/package.json');
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}

/** All entry points, in the order of package.json. @throws Error for one whose source is missing or not in `src`. */
export function entryPoints({ name, exports } = readManifest()): readonly EntryPoint[] {
  return Object.entries(exports).map(([subpath, target]) => {
    const module = /^\.\/src\/(.+)\.ts$/.exec(target)?.[1];
    if (module === undefined || !existsSync(join(repositoryRoot, target))) {
      throw new Error(
        `package.json exports ${subpath} as ${target}: that has to be a file ./src/….ts`,
      );
    }
    return { specifier: name + subpath.slice(1), subpath, source: target.slice(2), module };
  });
}
