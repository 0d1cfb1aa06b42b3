/** Writes the API reference, `docs/api`, from the doc comments of the package's exports: `npm run docs:api`. */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSources, type ApiSources } from './api-compiler.js';
import { type Guides, readGuides } from './api-guides.js';
import { pages } from './api-markdown.js';
import { readApi, type ApiEntry, type ApiSymbol } from './api-model.js';
import { brokenRules } from './api-rules.js';
import { repositoryRoot } from '../child-process.js';
import { defineCommand, parseCommand } from '../cli/command.js';
import { EXIT_CODES } from '../cli/exit-codes.js';
import { runCommand } from '../cli/run-command.js';
import { entryPoints } from '../package/package-layout.js';

/** Every exported name without a doc comment, each with its place. */
export function undocumented(entries: readonly ApiEntry[]): string[] {
  const missing = entries.flatMap(({ symbols, parts }) =>
    [...symbols, ...parts].flatMap((symbol) =>
      [symbol, ...symbol.members.map((member) => withOwner(member, symbol))].filter(
        ({ comment, tags }) => comment === '' && tags.length === 0,
      ),
    ),
  );
  return [...new Set(missing.map(({ location, name }) => `${location} ${name}`))].toSorted();
}

function withOwner(member: ApiSymbol, { name }: ApiSymbol): ApiSymbol {
  return { ...member, name: `${name}.${member.name}` };
}

/** The first comment of an entry point's file: `Entry point for pages: …`. */
function purposes(): Map<string, string> {
  return new Map(
    entryPoints().map(({ specifier, source }) => {
      const text = readFileSync(join(repositoryRoot, source), 'utf8');
      const comment = /^\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? '';
      const words = comment.replaceAll(/\s*\n\s*\*\s?/g, ' ').trim();
      return [specifier, words.replace(/: `betwixt[^`]*`/, '')];
    }),
  );
}

/** The sections of the documents that link to the reference. */
function guides(): Guides {
  const folder = join(repositoryRoot, 'docs');
  const files = readdirSync(folder).filter((name) => name.endsWith('.md'));
  return readGuides(new Map(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')])));
}

/** Writes the pages, and removes what else is in the folder. */
export function writeApi(folder: string, sources: ApiSources = openSources()): void {
  const written = pages(readApi(sources), purposes(), guides());
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!written.has(name)) rmSync(join(folder, name));
  for (const [name, text] of written) writeFileSync(join(folder, name), text);
}

const COMMAND = defineCommand({
  name: 'docs:api',
  about: `Writes the API reference, docs/api, from the doc comments of the package's exports. The exit code is 1 if an exported name
or a public member has no comment, or one without a required default, range, unit or error.`,
  flags: {},
});

function writeReference(args: readonly string[]): number {
  parseCommand(COMMAND, args);
  const sources = openSources();
  writeApi(join(repositoryRoot, 'docs/api'), sources);
  const areComplete = [
    isNone('Without a doc comment', undocumented(readApi(sources))),
    isNone('Doc comments that leave something out', brokenRules(sources)),
  ];
  return areComplete.every(Boolean) ? EXIT_CODES.done : EXIT_CODES.failed;
}

function isNone(what: string, found: readonly string[]): boolean {
  if (found.length > 0) console.error(`${what} (${found.length}):\n${found.join('\n')}`);
  return found.length === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await runCommand(COMMAND, writeReference);
}
