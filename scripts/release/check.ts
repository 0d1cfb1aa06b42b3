/** Checks that a tag can be released: `npm run release:check -- v1.2.3`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../child-process.js';
import { onlyOne } from '../cli/arguments.js';
import { defineCommand, parseCommand } from '../cli/command.js';
import { EXIT_CODES } from '../cli/exit-codes.js';
import { runCommand } from '../cli/run-command.js';
import { readManifest } from '../package/package-layout.js';
import { notesOf } from './changelog.js';
import { problemsOf } from './release-problems.js';

const COMMAND = defineCommand({
  name: 'release:check',
  operands: 'TAG',
  about:
    'Checks that a tag can be released. The exit code is 1 if something is missing, with a line for each.',
  flags: { notes: { value: 'FILE', about: 'writes what the changelog says about it there' } },
});

process.exitCode = await runCommand(COMMAND, main);

function main(args: readonly string[]): number {
  const { values, operands } = parseCommand(COMMAND, args);
  const tag = onlyOne('tag', operands);
  const { version, repository } = readManifest();
  const notes = notesOf(readFileSync(join(repositoryRoot, 'CHANGELOG.md'), 'utf8'), version);
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  const problems = problemsOf({
    tag,
    version,
    notes,
    address: repository.url,
    builtIn:
      GITHUB_REPOSITORY === undefined ? undefined : `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`,
  });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) return EXIT_CODES.failed;
  if (values.notes !== undefined) writeFileSync(values.notes, `${notes}\n`);
  return EXIT_CODES.done;
}
