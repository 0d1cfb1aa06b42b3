import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { deadLinksIn } from '../../../docs/.vitepress/dead-links.js';

const root = mkdtempSync(join(tmpdir(), 'betwixt-links-'));
afterAll(() => rmSync(root, { recursive: true }));

function site(files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return join(root, 'docs');
}

test('links to pages, folders, anchors, files next to the site and other sites are alive', () => {
  const folder = site({
    'lab.html': '<h1>Lab</h1>',
    'docs/index.html':
      '<a href="guide.html#the%20end">a</a><a class="x" href="./api/">b</a><a href="#top">c</a><i id="top">',
    'docs/guide.html': '<h2 id="the end"></h2><a href="https://example.org/none.html#x">d</a>',
    'docs/api/index.html': '<a href="../../lab.html?loop=fixed">e</a><img src="../picture.webp">',
    'docs/picture.webp': '',
  });
  expect(deadLinksIn(folder)).toEqual([]);
});

test('links to a missing page, folder, anchor, picture or page next to the site are dead', () => {
  const folder = site({
    'docs/index.html':
      '<a href="none.html">a</a><a href="./none/">b</a><a href="guide.html#none">c</a><a href="#none">d</a>',
    'docs/api/index.html': '<a href="../../none.html?x">e</a><img src="none.webp" alt="">',
    'docs/guide.html': '',
  });
  expect(deadLinksIn(folder).toSorted()).toEqual([
    'api/index.html: ../../none.html?x',
    'api/index.html: none.webp',
    'index.html: #none',
    'index.html: ./none/',
    'index.html: guide.html#none',
    'index.html: none.html',
  ]);
});
