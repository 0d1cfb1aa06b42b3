/**
 * A project that has the package installed, and of its optional peers only those that a test wants.
 */
import { execFile } from 'node:child_process';
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
import { promisify } from 'node:util';
import { repositoryRoot } from '../../scripts/child-process.js';
import { packageFolder } from '../../scripts/package/package-layout.js';

const COMPILER_OPTIONS = {
  target: 'es2023',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2024', 'dom'],
  types: [],
  strict: true,
  noEmit: true,
};

export interface Consumer {
  readonly folder: string;
  write(path: string, text: string): string;
  /** Typechecks strictly what a `tsconfig.json` in a folder of it names. @returns What the compiler says, if anything. */
  compile(
    project: Partial<Record<'files' | 'include', readonly string[]>>,
    options?: object,
    path?: string,
  ): Promise<string>;
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
  const compile: Consumer['compile'] = async (project, options, path = '.') => {
    const compilerOptions = { ...COMPILER_OPTIONS, ...options };
    write(join(path, 'tsconfig.json'), JSON.stringify({ compilerOptions, ...project }));
    const args = [join(repositoryRoot, 'node_modules/typescript/bin/tsc'), '-p', path];
    const run = promisify(execFile)(process.execPath, args, { cwd: folder });
    const { stdout } = await run.catch((error: { readonly stdout?: string }) => {
      if (!error.stdout) throw error;
      return { stdout: error.stdout };
    });
    return stdout;
  };
  write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  return { folder, write, compile, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
