/**
 * Prepares a release: `npm run release:version`. The changesets give the next version, which package.json, the lock file and
 * CHANGELOG.md get; then they are deleted. Without changesets, the version in package.json is released if it was not yet.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import getReleasePlan from '@changesets/get-release-plan';
import { repositoryRoot, run, runNpm } from '../child-process.js';
import { RefusedError } from '../cli/errors.js';
import { EXIT_CODES } from '../cli/exit-codes.js';
import { runCommand } from '../cli/run-command.js';
import { readManifest } from '../package/package-layout.js';
import { notesOf, released } from './changelog.js';

const changelogFile = join(repositoryRoot, 'CHANGELOG.md');

process.exitCode = await runCommand('release:version', main);

async function main(): Promise<number> {
  const { changesets, releases } = await getReleasePlan(repositoryRoot);
  const version = releases[0]?.newVersion ?? readManifest().version;
  const changelog = readFileSync(changelogFile, 'utf8');
  if (notesOf(changelog, version) !== undefined) {
    throw new RefusedError(`${version} is released already, and there are no changesets`);
  }
  const today = new Date().toISOString().slice(0, 10);
  const next = released(changelog, changesets, version, today);
  const changeset = join('node_modules', '@changesets/cli/bin.js');
  await must(run(process.execPath, [changeset, 'version']));
  // The lock file, too.
  await must(runNpm(['version', version, '--no-git-tag-version', '--allow-same-version']));
  writeFileSync(changelogFile, next);
  console.log(
    `Commit this as "Release ${version}", and push the tag v${version} when it is merged.`,
  );
  return EXIT_CODES.done;
}

async function must(command: Promise<number>): Promise<void> {
  if ((await command) !== 0) throw new RefusedError('a command failed: see what it printed');
}
