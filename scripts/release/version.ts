/** Prepares a release: `npm run release:version -- 0.2.0`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, runNpm } from '../child-process.js';
import { onlyOne } from '../cli/arguments.js';
import { defineCommand, parseCommand } from '../cli/command.js';
import { RefusedError } from '../cli/errors.js';
import { EXIT_CODES } from '../cli/exit-codes.js';
import { runCommand } from '../cli/run-command.js';
import { notesOf, released } from './changelog.js';

const changelogFile = join(repositoryRoot, 'CHANGELOG.md');

const COMMAND = defineCommand({
  name: 'release:version',
  operands: 'VERSION',
  about: `Prepares a release: package.json and the lock file get the version, and what CHANGELOG.md has under "Unreleased" becomes
its section.`,
  flags: {},
});

process.exitCode = await runCommand(COMMAND, main);

async function main(args: readonly string[]): Promise<number> {
  const version = onlyOne('version', parseCommand(COMMAND, args).operands);
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
