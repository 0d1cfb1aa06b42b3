import { expect, test } from 'vitest';
import { documentFiles, problemsOf } from '../../../scripts/lint/documents.js';

test('the documents and pages that are checked include all kinds, but not generated ones', () => {
  const files = documentFiles();
  expect(files).toEqual(
    expect.arrayContaining([
      'README.md',
      'docs/guide.md',
      'lab.html',
      'templates/custom/README.md',
      'templates/vanilla/index.html',
    ]),
  );
  expect(files.filter((path) => path.startsWith('docs/api'))).toEqual([]);
});

test('a listed word is reported with its line and a replacement', () => {
  expect(problemsOf('README.md', 'One line.\nThe page is told of it.')).toEqual([
    'README.md:2: "told": write reported, sent, passed.',
  ]);
  expect(problemsOf('lab.html', '<p id="told">fine</p>\n<p aria-label="for ever">')).toEqual([
    'lab.html:2: "for ever": write forever, permanently.',
  ]);
});

test('code is not checked', () => {
  const text = 'The call `orders.told()`:\n\n```ts\n// told\n```\n\nand told';
  expect(problemsOf('README.md', text)).toEqual([
    'README.md:7: "told": write reported, sent, passed.',
  ]);
});

test('links to missing files and headings are reported, others are not', () => {
  expect(
    links(['protocol.md#record-queues', '../README.md', 'https://example.org/x', '#the-handle']),
  ).toEqual([]);
  expect(links(['protocol.md#no-such', 'no-such.md'])).toEqual([
    'docs/guide.md:1: the link protocol.md#no-such leads nowhere.',
    'docs/guide.md:2: the link no-such.md leads nowhere.',
  ]);
});

function links(targets: readonly string[]): readonly string[] {
  return problemsOf('docs/guide.md', targets.map((target) => `[text](${target})`).join('\n'));
}
