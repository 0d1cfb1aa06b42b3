/** Which Chromium the tests use, on imaginary machines. */
import { expect, test } from 'vitest';
import { detectChromium } from '../../../scripts/browsers/find-chromium.js';

const FOLDERS = new Set(['/opt/chromium', '/bin/chromium-browser']);

/** On a machine with these files. */
const detectOn = (files: readonly string[], chosen?: string): string | undefined =>
  detectChromium({
    chosen,
    playwrights: () => '/cache/playwright/chrome',
    systems: () => ['/usr/bin/chromium', '/bin/chromium-browser', '/usr/bin/google-chrome'],
    kindOf: (path) => {
      if (FOLDERS.has(path)) return 'folder';
      return files.includes(path) ? 'file' : undefined;
    },
  });

const ALL = [
  '/my/chrome',
  '/cache/playwright/chrome',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
];

test("the variable's goes first, then Playwright's own, then the system's in their order", () => {
  expect(detectOn(ALL, '/my/chrome')).toBe('/my/chrome');
  expect(detectOn(ALL)).toBe('/cache/playwright/chrome');
  expect(detectOn(ALL, '')).toBe('/cache/playwright/chrome');
  expect(detectOn(ALL.slice(2))).toBe('/usr/bin/chromium');
  expect(detectOn(ALL.slice(3))).toBe('/usr/bin/google-chrome');
  expect(detectOn([])).toBeUndefined();
});

test('a variable that names no file is an error, whatever else exists', () => {
  expect(() => detectOn(ALL, '/not/there')).toThrow(/"\/not\/there", but there is no such file/);
  expect(() => detectOn(ALL, '/opt/chromium')).toThrow(/"\/opt\/chromium", which is a folder/);
});

test('of this machine, a folder is distinguished from a file', () => {
  const before = process.env.CHROMIUM_PATH;
  try {
    process.env.CHROMIUM_PATH = import.meta.dirname;
    expect(() => detectChromium()).toThrow(/which is a folder: set it to the executable/);
    process.env.CHROMIUM_PATH = import.meta.filename;
    expect(detectChromium()).toBe(import.meta.filename);
  } finally {
    if (before === undefined) delete process.env.CHROMIUM_PATH;
    else process.env.CHROMIUM_PATH = before;
  }
});
