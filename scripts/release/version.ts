/**
 * Prepares a release: `npm run release:version -- 0.2.0`. package.json and the lock file get the version, and what CHANGELOG.md
 * has under "Unreleased" becomes its section.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, runNpm } from '../child-process.js';
import { onlyOne, parseFlags } from '../cli/arguments.js';
import { RefusedError } from '../cli/errors.js';
import { EXIT_CODES } from '../cli/exit-codes.js';
import { runCommand } from '../cli/run-command.js';
import { notesOf, released } from './changelog.js';

const changelogFile = join(repositoryRoot, 'CHANGELOG.md');

process.exitCode = await runCommand('release:version', main);

async function main(args: readonly string[]): Promise<number> {
  const { positionals } = parseFlags({ args: [...args], allowPositionals: true });
  const version = onlyOne('version', positionals, 'such as 0.2.0');
  const changelog = readFileSync(changelogFile, 'utf8');
  if (notesOf(changelog, version) !== undefined) {
    throw new RefusedError(`${version} is released already`);
  }
  const next = released(changelog, version, new Date().toISOString().slice(0, 10));
  // The lock file, too. It refuses what is no version.
  const setting = ['version', version, '--no-git-tag-version', '--allow-same-version'];
  if ((await runNpm(setting)) !== 0) {
    throw new RefusedError('npm did not set the version: see what it printed');
  }
  writeFileSync(changelogFile, next);
  console.log(
    `Commit this as "Release ${version}", and push the tag v${version} when it is merged.`,
  );
  return EXIT_CODES.done;
}
