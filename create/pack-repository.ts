/** A clone of the repository has no release to install: it is built and packed into the app. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { RefusedError } from '../scripts/cli/errors.js';

/**
 * @param root Of the repository.
 * @param folder Where the packed file goes: into the app, so that later changes here do not affect
 * it.
 * @returns The file's name.
 * @throws RefusedError if it cannot be built.
 */
export function packRepository(root: string, folder: string): string {
  process.stderr.write('Packing betwixt, which may take a minute.\n');
  mkdirSync(folder, { recursive: true });
  npm(root, ['run', '--silent', 'build:package']);
  const said = npm(root, ['pack', './build/package', '--silent', '--pack-destination', folder]);
  return said.trim().split('\n').at(-1) ?? '';
}

function npm(root: string, args: readonly string[]): string {
  const { status, stdout } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    // On Windows npm is a batch file, which only a shell starts.
    shell: process.platform === 'win32',
  });
  if (status === 0) return stdout;
  throw new RefusedError(
    'betwixt cannot be packed: see what "npm run build:package" says, or say by --package where it comes from',
  );
}
