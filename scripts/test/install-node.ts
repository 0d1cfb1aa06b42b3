/** Other versions of Node than the one that runs, and Node for another processor. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, runNpm } from '../child-process.js';

/**
 * Installs the newest release of a line from npm, into `node_modules/.nodes`.
 *
 * @param onOutput Receives what npm prints. Undefined: it is printed.
 * @param cpu For another processor than this machine's, which cannot run it by itself.
 * @returns The path of the executable; undefined if npm has none for this system.
 */
export async function installNode(
  version: string,
  onOutput: ((text: string) => void) | undefined,
  cpu: string = process.arch,
): Promise<string | undefined> {
  const isWindows = process.platform === 'win32';
  const system = isWindows ? 'win' : process.platform;
  const name = `node-${system}-${cpu}`;
  const folder = join(repositoryRoot, 'node_modules/.nodes', version);
  mkdirSync(folder, { recursive: true });
  // A folder without one would be installed into the repository.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const flags = ['--prefix', folder, '--no-save', '--no-package-lock'];
  // npm refuses what is for another processor.
  if (cpu !== process.arch) flags.push('--force');
  const exitCode = await runNpm(
    ['install', ...flags, `${name}@${version}`],
    onOutput === undefined ? {} : { onOutput },
  );
  if (exitCode !== 0) return undefined;
  return join(folder, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
}
