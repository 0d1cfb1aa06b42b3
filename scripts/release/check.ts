/**
 * Checks that a tag can be released: `npm run release:check -- v1.2.3 [--notes FILE]`. Writes what the changelog says about it
 * into a file. The exit code is 1 if something is missing, with a line for each.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../child-process.js';
import { parseFlags } from '../cli/arguments.js';
import { RefusedError } from '../cli/errors.js';
import { EXIT_CODES } from '../cli/exit-codes.js';
import { runCommand } from '../cli/run-command.js';
import { readManifest } from '../package/package-layout.js';
import { notesOf } from './changelog.js';
import { problemsOf } from './release-problems.js';

process.exitCode = await runCommand('release:check', main);

function main(args: readonly string[]): number {
  const { values, positionals } = parseFlags({
    args: [...args],
    options: { notes: { type: 'string' } },
    allowPositionals: true,
  });
  const [tag, ...others] = positionals;
  if (tag === undefined || others.length > 0) throw new RefusedError('one tag is needed');
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
