import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHost, openSources, ts } from '../../scripts/api/api-compiler.js';
import { brokenRules } from '../../scripts/api/api-rules.js';
import { repositoryRoot } from '../../scripts/child-process.js';

const SOURCE = 'src/example.ts';
const PATH = join(repositoryRoot, SOURCE);

const disk = createHost();
/** The language's own declarations, which take longer to read than the examples. */
const parsed = new Map<string, ReturnType<typeof disk.getSourceFile>>();

/** The violations in a module with this text, without their positions: `name: rule`. */
function brokenIn(text: string): string[] {
  const host: typeof disk = {
    ...disk,
    fileExists: (path) => path === PATH || disk.fileExists(path),
    readFile: (path) => (path === PATH ? text : disk.readFile(path)),
    getSourceFile: (path, target) => {
      if (path === PATH) return ts.createSourceFile(path, text, target, true);
      if (!parsed.has(path)) parsed.set(path, disk.getSourceFile(path, target));
      return parsed.get(path);
    },
  };
  const sources = openSources([{ specifier: 'example', source: SOURCE }], host);
  return brokenRules(sources).map((line) => line.replace(/^\S+ /, '').replace(/, .*$/, ''));
}

const option = (comment: string, property = 'readonly label?: string'): string =>
  `export interface BoxOptions {\n/** ${comment} */\n${property}; }`;

const width = (comment: string): string => option(comment, 'readonly width?: number');

const member = (comment: string, property: string): string =>
  `export interface Box {\n/** ${comment} */\n${property}; }`;

const declared = (comment: string, code: string): string => `/** ${comment} */\nexport ${code}`;

/** A function `open` and what it may call. */
const opening = (
  body: string,
  comment = '',
  head = 'function open(given?: unknown): void',
): string =>
  `${declared(`Opens it. ${comment}`, `${head} { ${body} }`)}
   function requireBox(given: unknown): void { if (given === 1) throw new TypeError('no box'); }
   function resolveBox(given: unknown): void { requireBox(given); }
   function parseNothing(given: unknown): void { void given; }
   function look(given: unknown): void { requireBox(given); }
   void [requireBox, resolveBox, parseNothing, look];`;

const METRES = 'Moves it, in metres.';
const MOVE = 'function move(x: number, y: number): void {}';
const WIDTH = 'function width() { return Math.random(); }';
const ROWS = '/** Rows, as `boxes`. Default 2. */\nrows?: number';
const OPEN = ['open: throws'];
const CHECK = 'requireBox(given);';
const PROMISED = 'async function open(given?: unknown): Promise<void>';
const OVERLOADS = `function open(given: string): void;
  export function open(given: unknown): void { if (given === 1) throw new Error(); }`;

/** The library itself has the counterparts, which the rules must let pass. */
test.each<[what: string, text: string, expected: readonly string[]]>([
  ['an option without its default', option('The text on it.'), ['BoxOptions.label: default']],
  ['an option with a unit only', width('In metres. Default 1.'), ['BoxOptions.width: range']],
  [
    'an option with the range of none',
    option('Crates, 1 to 9. Default 1.', `crates?: number;\n${ROWS}`),
    ['BoxOptions.rows: range', 'BoxOptions.rows: unit'],
  ],
  ['a number without a unit', member('How wide.', 'width: number'), ['Box.width: unit']],
  ['a number whose name only looks so', member('How long.', 'items: number'), ['Box.items: unit']],
  [
    'a number with a genitive instead of a unit',
    member("The box's width.", 'width: number'),
    ['Box.width: unit'],
  ],
  ['a number with another second', member('Second value.', 'width: number'), ['Box.width: unit']],
  ['a number or a word', member('How wide.', "width: number | 'auto'"), ['Box.width: unit']],
  ['a list of numbers', member('How wide.', 'widths: readonly number[]'), ['Box.widths: unit']],
  [
    'a number in a part',
    member('Its size.', 'size: { readonly width: number }'),
    ['Box.size.width: unit'],
  ],
  ['a function of a number', member('When.', 'now: () => number'), ['Box.now(): unit']],
  [
    'the promise of a number',
    member('How wide.', 'width(): Promise<number>'),
    ['Box.width(): unit'],
  ],
  [
    'a list next to one whose type describes it',
    `/** In metres. */ export type Place = readonly [number, number];
     ${member('Where.', 'place?: Place; at?: readonly [number, number]')}`,
    ['Box.at: unit'],
  ],
  ['a result', declared('Measures.', WIDTH), ['width(): unit']],
  ['parameters', declared(METRES, MOVE), ['move(x): unit', 'move(y): unit']],
  ['the last of a group', declared(`${METRES}\n * @param y In metres.`, MOVE), ['move(x): unit']],
  [
    'a parameter of another type than the one described',
    declared(
      `${METRES}\n * @param x In metres.`,
      'function move(x: number, by: number | undefined): void {}',
    ),
    ['move(by): unit'],
  ],
  [
    'a parameter that the comment does not name',
    declared('From `a`, in metres.', 'const grow = (a: number, b: number): void => {};'),
    ['grow(b): unit'],
  ],
  [
    'the public members of a class',
    `/** A box. */ export class Box {
      #width = 1;
      private depth = 1;
      /** How wide. */
      constructor(width: number) { this.#width = width; }
      /** How wide. */
      get width(): number { return this.#width * this.depth; }
    }`,
    ['Box.constructor(width): unit', 'Box.width(): unit'],
  ],
  ['a function that throws', opening('if (given) throw new Error();'), OPEN],
  ['a function with a check of a check', opening('resolveBox(given);'), OPEN],
  ['a rejected promise', opening('return void Promise.reject(new Error());'), OPEN],
  [
    'an error thrown while another is handled',
    opening('try { look(given); } catch { throw new Error(); }'),
    OPEN,
  ],
  ['an empty @throws', opening(CHECK, '\n * @throws'), OPEN],
  ['a promise that rejects in silence', opening(CHECK, '', PROMISED), OPEN],
  ['no promise that is said to reject', opening(CHECK, 'Rejects with a TypeError.'), OPEN],
  [
    'a constructor, and a method with a private check',
    `/** A box. */ export class Box {
      /** Made here. */
      constructor() { if (Math.random() > 2) throw new Error(); }
      /** Opens it. */
      open(): void { this.#requireOpen(); }
      #requireOpen(): void { throw new Error(); }
    }`,
    ['Box.constructor: throws', 'Box.open: throws'],
  ],
  ['overloads', declared('Opens it.', OVERLOADS), OPEN],
])('the rules refuse %s', (_, text, expected) => {
  expect(brokenIn(text)).toEqual(expected);
});
