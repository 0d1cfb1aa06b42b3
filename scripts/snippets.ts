/**
 * Code in the documentation comes from files that the typecheck compiles. A line
 *
 *     <!-- snippet: docs/snippets/orbit.ts -->
 *
 * is followed by a fenced block with that file's text; `orbit.ts#start` means the part between the
 * lines `// #region start` and `// #endregion`. `orbit.ts from "let moon" to "spawn("` means the part
 * from the first line that contains the one text to the next line that contains the other, or
 * without `to` the rest of the file: for sources that are shown part by part, in which regions would
 * be in the way. `npm run docs:snippets` brings the blocks up to date; a unit test fails while one is
 * not, and for a block of TypeScript without a source.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineCommand, parseCommand } from './cli/command.js';
import { EXIT_CODES } from './cli/exit-codes.js';
import { runCommand } from './cli/run-command.js';

const root = new URL('../', import.meta.url);

/** The documents that may have snippets: handwritten ones. The API reference is generated. */
export const snippetDocuments: readonly string[] = [
  ...markdownIn('.'),
  ...markdownIn('docs').map((name) => `docs/${name}`),
];

const SNIPPET =
  /<!-- snippet: (\S+?)(?:#(\S+)| from "(.+?)"(?: to "(.+?)")?)? -->\n+(?:```tsx?\n[\s\S]*?\n```\n+)?/g;

/** Any fenced block, and the line with text before it: the inside of a block is not searched. */
const BLOCK = /^(?:(.*\S.*)\n\n?)?^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm;
const TYPESCRIPT = new Set(['ts', 'typescript', 'tsx', 'js', 'javascript']);

/** A document with all its snippets as they are in their files. */
export function withSnippets(markdown: string): string {
  return markdown.replace(
    SNIPPET,
    (found, path: string, region?: string, from?: string, to?: string) => {
      const [comment] = found.split('\n');
      const code = from === undefined ? sourceOf(path, region) : partOf(path, from, to);
      const language = path.endsWith('.tsx') ? 'tsx' : 'ts';
      return `${comment}\n\n\`\`\`${language}\n${code}\n\`\`\`\n\n`;
    },
  );
}

/** The first lines of all code blocks that are not compiled. */
export function looseCode(markdown: string): string[] {
  return [...markdown.matchAll(BLOCK)]
    .filter(([, before = '', language = '']) => {
      return TYPESCRIPT.has(language) && !before.startsWith('<!-- snippet: ');
    })
    .map(([, , , code = '']) => code.split('\n')[0] ?? '');
}

/** @throws Error for a region that the file does not have. */
function sourceOf(path: string, region: string | undefined): string {
  const source = readFileSync(new URL(path, root), 'utf8');
  if (region !== undefined) return regionOf(source, region, path);
  return (
    source
      // Selects the types to check with; not relevant to a reader.
      .replace(/^\/\/\/ <reference.*\n/, '')
      .trim()
  );
}

function regionOf(source: string, region: string, path: string): string {
  const lines = source.split('\n');
  const start = lines.findIndex((line) => line.trim() === `// #region ${region}`);
  const length = lines.slice(start + 1).findIndex((line) => line.trim() === '// #endregion');
  if (start === -1 || length === -1) throw new Error(`${path} has no region ${region}`);
  return withoutIndent(lines.slice(start + 1, start + 1 + length));
}

/** @throws Error if no line contains the one text, or none after it the other. */
function partOf(path: string, from: string, to: string | undefined): string {
  const lines = readFileSync(new URL(path, root), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.includes(from));
  const end =
    to === undefined
      ? lines.length
      : lines.findIndex((line, index) => index > start && line.includes(to));
  if (start === -1 || end === -1) throw new Error(`${path} has no part from "${from}" to "${to}"`);
  return withoutIndent(lines.slice(start, end + 1));
}

function withoutIndent(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const indent = Math.min(...indents);
  return lines
    .map((line) => line.slice(indent))
    .join('\n')
    .trim();
}

function markdownIn(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, root)).filter((name) => name.endsWith('.md'));
}

const COMMAND = defineCommand({
  name: 'docs:snippets',
  about:
    'Brings the code in the documents up to date with its files in docs/snippets. The exit code is 1 if some code has no file.',
  flags: {},
});

function updateDocuments(args: readonly string[]): number {
  parseCommand(COMMAND, args);
  let exitCode: number = EXIT_CODES.done;
  for (const path of snippetDocuments) {
    const file = new URL(path, root);
    const before = readFileSync(file, 'utf8');
    const after = withSnippets(before);
    if (after !== before) writeFileSync(file, after);
    for (const line of looseCode(after)) {
      console.error(`${path}: this code is not compiled by anything: ${line}`);
      exitCode = EXIT_CODES.failed;
    }
  }
  return exitCode;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await runCommand(COMMAND, updateDocuments);
}
