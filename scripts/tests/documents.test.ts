/** The documentation: its words and links, its snippets, its site, and the protocol that it lists. */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { groups, redirects, rewrites } from '../../docs/.vitepress/contents.js';
import { deadLinksIn } from '../../docs/.vitepress/dead-links.js';
import { EVENT_RECORD } from '../../src/shared/events/event-record.js';
import { INPUT_RECORD } from '../../src/shared/memory/layout.js';
import { readGuides } from '../api/api-guides.js';
import { conflictsIn, documentFiles, problemsOf } from '../lint/documents.js';
import { looseCode, snippetDocuments, withSnippets } from '../snippets.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('a listed word and a dead link in a document are reported with their lines', () => {
  expect(documentFiles()).toEqual(
    expect.arrayContaining([
      'README.md',
      'docs/guide.md',
      'lab.html',
      'templates/custom/README.md',
    ]),
  );
  expect(problemsOf('README.md', 'One line.\nThe page is told of it. `told`')).toEqual([
    'README.md:2: "told": write reported, sent, passed.',
  ]);
  const links =
    '[a](protocol.md#record-queues) [b](https://example.org/x)\n[c](protocol.md#no-such)';
  expect(problemsOf('docs/guide.md', links)).toEqual([
    'docs/guide.md:2: the link protocol.md#no-such leads nowhere.',
  ]);
  // Only the site and the package have the reference.
  expect(problemsOf('docs/guide.md', '[a](api/world.md#createworld)')).toEqual([]);
  expect(problemsOf('README.md', '[a](docs/api/world.md)')).toEqual([
    'README.md:1: the link docs/api/world.md leads nowhere.',
  ]);
});

test('a file that the architecture names and that is gone is reported', () => {
  const text = '`memory/mailbox.ts` and\n`memory/letterbox.ts`';
  expect(problemsOf('docs/architecture.md', text)).toEqual([
    'docs/architecture.md:2: there is no file memory/letterbox.ts.',
  ]);
  expect(problemsOf('docs/guide.md', text)).toEqual([]);
});

/** Messages of browsers, three.js, compilers and the engine. */
const FOREIGN = [
  'Cannot use import statement outside a module …',
  'THREE.WebGLRenderer: Context Lost.',
  "Index signature for type 'string' is missing in type 'Look'",
  'THREE.Clock: This module has been deprecated …',
  `Property 'RigidBodyDesc' does not exist on type 'RapierNotInstalled<"simd">'`,
  'null pointer passed to rust',
  'recursive use of an object detected …',
  'Cannot read properties of undefined',
];

/** The code of the library without comments, with texts in one piece, and a line break in place of each value. */
const librarySource = (): string =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => read(join('src', path)))
    .join('\n')
    .replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
    .replaceAll(/['"`]\s*\+\s*['"`]/g, '')
    .replaceAll(/\$\{[^}]*\}+/g, '\n')
    .replaceAll(/\\(['"`])/g, '$1');

/** Whether a text consists of pieces of a source, with single words between them: values. */
function isMadeOf(words: readonly string[], source: string, wasValue = false): boolean {
  if (words.length === 0) return true;
  for (let end = words.length; end > 1; end--) {
    const piece = words.slice(0, end).join(' ');
    if (source.includes(piece) && isMadeOf(words.slice(end), source)) return true;
  }
  return !wasValue && isMadeOf(words.slice(1), source, true);
}

/** @returns The parts of messages in the tables of a document that are not of a source. `N`, `URL` and `…` stand for values. */
function unknownMessages(document: string, source: string): string[] {
  const cells = [...document.matchAll(/^\| (.*?) \| /gm)].map(([, cell = '']) => cell);
  const messages = cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+ [^`]+)`/g)));
  return messages
    .map(([, message = '']) => message)
    .filter((message) => !FOREIGN.includes(message))
    .flatMap((message) => message.split(/\b(?:N|URL)\b|…/))
    .map((part) => part.trim())
    .filter((part) => !isMadeOf(part.split(' '), source));
}

test('each message that the troubleshooting quotes is one of the library, or of another', () => {
  const document = read('docs/troubleshooting.md');
  const source = librarySource();
  expect(unknownMessages(document, source)).toEqual([]);
  expect(FOREIGN.filter((message) => !document.includes(`\`${message}\``))).toEqual([]);
  const gone = '| `the worker has slept for N s` | x |';
  expect(unknownMessages(gone, source)).toEqual(['the worker has slept for']);
});

test('markers that a merge has left are reported, also in styles and comments', () => {
  const folder = mkdtempSync(join(tmpdir(), 'betwixt-conflicts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a.ts'), `/**\n${'<'.repeat(7)} HEAD\n */\n`);
  writeFileSync(join(folder, 'b.css'), `b {}\n${'>'.repeat(7)} other\n`);
  writeFileSync(join(folder, 'c.md'), 'Title\n=======\n\n>>> quoted\n');
  expect(conflictsIn(folder)).toEqual(['a.ts:2:<<<<<<< HEAD', 'b.css:2:>>>>>>> other']);
});

test('dead links of the site are found, and those that lead somewhere are not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'betwixt-links-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = {
    'lab.html': '<h1>Lab</h1>',
    'docs/index.html':
      '<a href="guide.html#the%20end">a</a><a class="x" href="./api/">b</a><a href="#top">c</a><i id="top">' +
      '<a href="none.html">d</a><a href="guide.html#none">e</a><a href="#none">f</a>',
    'docs/guide.html': '<h2 id="the end"></h2><a href="https://example.org/none.html#x">g</a>',
    'docs/api/index.html':
      '<a href="../../lab.html?loop=fixed">h</a><a href="../../none.html?x">i</a><img src="none.webp">',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  expect(deadLinksIn(join(folder, 'docs')).toSorted()).toEqual([
    'api/index.html: ../../none.html?x',
    'api/index.html: none.webp',
    'index.html: #none',
    'index.html: guide.html#none',
    'index.html: none.html',
  ]);
});

test('an entry of the reference has the headings of the documents that link to it, once each', () => {
  const texts = {
    'world.md':
      '# Worlds\n[a](api/world.md#world)\n## To ask\n[b](api/world.md#world) [c](api/world.md#world)',
    'guide.md': '## Code\n```sh\n# a comment\n```\n[d](api/world.md#world) [e](api/three.md)',
  };
  expect([...readGuides(new Map(Object.entries(texts)))]).toEqual([
    [
      'world.md#world',
      [
        { title: 'Worlds', address: '../world.md' },
        { title: 'To ask', address: '../world.md#to-ask' },
        { title: 'Code', address: '../guide.md#code' },
      ],
    ],
  ]);
});

test('the site lists every document once', () => {
  const documents = readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => (rewrites[name] ?? name).replace(/\.md$/, ''));
  const listed = groups.flatMap(({ pages }) => pages).filter((page) => !page.startsWith('api/'));
  expect(listed.toSorted()).toEqual(documents.toSorted());
});

test('the addresses of pages that were merged lead to pages', () => {
  const pages = new Set(groups.flatMap((group) => group.pages));
  expect(Object.keys(redirects).filter((from) => pages.has(from))).toEqual([]);
  expect(Object.values(redirects).filter((to) => !pages.has(to))).toEqual([]);
});

test.each(snippetDocuments)(
  '%s shows its snippets as they are compiled, and no other code',
  (path) => {
    expect(read(path), 'run npm run docs:snippets').toBe(withSnippets(read(path)));
    expect(looseCode(read(path)), 'make it a snippet: see scripts/snippets.ts').toEqual([]);
  },
);

test('a part of a file is shown without its indentation, and replaces what was shown', () => {
  const comment =
    '<!-- snippet: scripts/cli/errors.ts from "export function firstLineOf" to "}" -->\n';
  const shown = withSnippets(comment);
  expect(shown).toMatch(/\n```ts\nexport function firstLineOf[^]*\n\}\n```\n/);
  expect(withSnippets(shown.replace('firstLineOf(', 'old('))).toBe(shown);
  expect(() => withSnippets(comment.replace('firstLineOf', 'nothing'))).toThrow('no part from');
  expect(looseCode(`${shown}\n\`\`\`ts\nloose();\n\`\`\`\n`)).toEqual(['loose();']);
});

test('docs/protocol.md has every message, call and record', () => {
  const page = read('docs/protocol.md');
  const sources =
    read('src/shared/protocol/control-protocol.ts') + read('src/shared/protocol/transport.ts');
  const messages = [...sources.matchAll(/type: '(betwixt:[\w-]+)'/g)].map(([, type = '']) => type);
  const [, control = ''] = /interface WorkerControl \{(.*?)\n\}/s.exec(sources) ?? [];
  const calls = [...control.matchAll(/^ {2}(\w+)\(/gm)].map(([, name = '']) => name);
  expect(messages.length).toBeGreaterThan(7);
  expect(calls.length).toBeGreaterThan(10);
  const needed = [
    ...messages.map((type) => `\`${type}\``),
    ...calls.map((name) => `\`${name}(`),
    ...Object.entries({ ...INPUT_RECORD, ...EVENT_RECORD }).map(
      ([name, type]) => `${name} (${type})`,
    ),
  ];
  expect(needed.filter((text) => !page.includes(text))).toEqual([]);
});
