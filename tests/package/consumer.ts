/**
 * A project that has the package installed, and of its optional peers only those that a test wants.
 */
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  cpSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '../../scripts/child-process.js';
import { packageFolder } from '../../scripts/package/package-layout.js';

export interface Consumer {
  readonly folder: string;
  write(path: string, text: string): string;
  remove(): void;
}

/** @param packages From this repository's own dependencies. Those of betwixt itself are always there. */
export function createConsumer(...packages: readonly string[]): Consumer {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'betwixt-consumer-')));
  const modules = join(folder, 'node_modules');
  // A copy: a link would find everything that is installed in this repository.
  cpSync(packageFolder, join(modules, 'betwixt'), { recursive: true });
  for (const name of ['comlink', ...packages]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(repositoryRoot, 'node_modules', name), join(modules, name), 'junction');
  }
  const write = (path: string, text: string): string => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
