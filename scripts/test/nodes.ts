/**
 * Runs the tests of code on newer versions of Node: `npm run test:nodes [-- VERSIONS… PARTS…]`.
 *
 * Each version is installed from npm into `node_modules/.nodes`, in the newest release of its line. Everything that the tests
 * start as `node` is that version, too. The exit code is 1 if something failed on any of them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interrupt, isInterrupted, repositoryRoot, run, runNpm } from '../child-process.js';
import { RefusedError } from '../cli/errors.js';
import { EXIT_CODES } from '../cli/exit-codes.js';
import { runCommand } from '../cli/run-command.js';

/** Of those in `engines`, the ones that are newer than the one in `.nvmrc`. */
const VERSIONS = ['22', '24'];
/** In Node alone; what runs in a browser does not differ. */
const PARTS = ['unit', 'threads', 'package'];

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
process.exit(await runCommand('test:nodes', main));

async function main(args: readonly string[]): Promise<number> {
  const versions = args.filter((arg) => /^\d/.test(arg));
  const parts = args.filter((arg) => !/^\d/.test(arg));
  let result: number = EXIT_CODES.done;
  for (const version of versions.length > 0 ? versions : VERSIONS) {
    const node = await install(version);
    if (isInterrupted()) return EXIT_CODES.interrupted;
    const env = { PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
    console.log(`\nNode ${version}:`);
    await run(node, ['--version'], { env });
    const tests = fileURLToPath(new URL('main.ts', import.meta.url));
    const exitCode = await run(
      node,
      ['--import', 'tsx', tests, ...(parts.length > 0 ? parts : PARTS)],
      { env },
    );
    if (exitCode !== EXIT_CODES.done) result = exitCode;
  }
  return result;
}

/** @returns The path of the executable. @throws RefusedError if there is none for this system. */
async function install(version: string): Promise<string> {
  const isWindows = process.platform === 'win32';
  const system = isWindows ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}`;
  const folder = join(repositoryRoot, 'node_modules/.nodes', version);
  mkdirSync(folder, { recursive: true });
  // A folder without one would be installed into the repository.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const args = [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--no-package-lock',
    `${name}@${version}`,
  ];
  const exitCode = await runNpm(args);
  if (exitCode !== 0) throw new RefusedError(`npm has no ${name}@${version} to install`);
  return join(folder, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
}
