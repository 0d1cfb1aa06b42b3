/** Where npm installed this command's package from. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** npm's own record of what is installed in a `node_modules`. */
interface InstalledPackages {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string } | undefined>>;
}

/**
 * The packed file from which npm installed a package. Undefined if it came from a registry, was linked, or was
 * installed by another package manager.
 *
 * @param packageFolder The installed package, such as `…/node_modules/betwixt`.
 * @returns An absolute path. The file may be gone by now.
 */
export function packedFileOf(packageFolder: string): string | undefined {
  const modules = dirname(packageFolder);
  const record = resolve(modules, '.package-lock.json');
  if (basename(modules) !== 'node_modules' || !existsSync(record)) return undefined;
  const { packages = {} } = JSON.parse(readFileSync(record, 'utf8')) as InstalledPackages;
  const { resolved } = packages[`node_modules/${basename(packageFolder)}`] ?? {};
  if (resolved?.startsWith('file:') !== true || !resolved.endsWith('.tgz')) return undefined;
  return resolve(dirname(modules), resolved.slice('file:'.length));
}
