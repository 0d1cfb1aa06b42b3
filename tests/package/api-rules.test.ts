import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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

describe('an optional property of an options interface', () => {
  test.each([
    ['nothing of its default', option('The text on it.'), ['BoxOptions.label: default']],
    ['its default', option('The text on it. Default: nothing.'), []],
    ['what holds when it is left out', option('The text on it; nothing when left out.'), []],
    ['the default in a tag', option('The text on it.\n * @default nothing'), []],
  ])('that says %s', (_, text, expected) => {
    expect(brokenIn(text)).toEqual(expected);
  });

  test('that is required needs no default', () => {
    expect(brokenIn(option('The text on it.', 'readonly label: string'))).toEqual([]);
  });

  test('of another interface needs no default', () => {
    expect(brokenIn(member('The text on it.', 'readonly label?: string'))).toEqual([]);
  });

  test.each([
    ['a unit only', 'Width in metres. Default 1.', ['BoxOptions.width: range']],
    ['neither', 'How wide. Default 1.', ['BoxOptions.width: range', 'BoxOptions.width: unit']],
    ['both ends', 'Width in metres, 0.1 to 1,000. Default 1.', []],
    ['the lower end', 'Width in metres, from 0. Default 1.', []],
    ['an interval', 'Share of the width, in (0, 1]. Default 1.', []],
  ])('that is a number and says %s', (_, comment, expected) => {
    expect(brokenIn(option(comment, 'readonly width?: number'))).toEqual(expected);
  });

  test('may refer to another one for its range', () => {
    const rows = '/** Rows, as `boxes`. Default 2. */\nrows?: number';
    const [first, other] = ['boxes', 'crates'].map((name) => `${name}?: number;\n${rows}`);
    expect(brokenIn(option('Boxes, 1 to 9. Default 1.', first))).toEqual([]);
    expect(brokenIn(option('Boxes, 1 to 9. Default 1.', other))).toEqual([
      'BoxOptions.rows: range',
      'BoxOptions.rows: unit',
    ]);
  });
});

describe('a number', () => {
  test.each([
    ['without a unit', 'How wide.', 'width: number', ['Box.width: unit']],
    ['in a unit', 'How wide, in metres.', 'width: number', []],
    ['with a unit in its name', 'How long.', 'fadeMs: number', []],
    ['whose name only looks like it', 'How long.', 'items: number', ['Box.items: unit']],
    ['that counts', 'Bodies in it.', 'content: number', []],
    ['with a genitive and no unit', "The box's width.", 'width: number', ['Box.width: unit']],
    ['with another second', 'Second value.', 'width: number', ['Box.width: unit']],
    ['that may be undefined', 'How wide.', 'width: number | undefined', ['Box.width: unit']],
    ['or a word', 'How wide.', "width: number | 'auto'", ['Box.width: unit']],
    ['in an array', 'How wide.', 'widths: readonly number[]', ['Box.widths: unit']],
    ['in a part', 'Its size.', 'size: { readonly width: number }', ['Box.size.width: unit']],
    ['in a part of what has a unit', 'In metres.', 'size: { readonly width: number }', []],
    ['that is documented', 'When.', 'now: () => number', ['Box.now(): unit']],
    ['that is promised', 'How wide.', 'width(): Promise<number>', ['Box.width(): unit']],
  ])('%s', (_, comment, property, expected) => {
    expect(brokenIn(member(comment, property))).toEqual(expected);
  });

  test.each([
    ['an id with its own type', 'number & { readonly __id: unique symbol }'],
    ['one of two literals', '1 | 2'],
    ['a text', 'string'],
  ])('is not %s', (_, type) => {
    expect(brokenIn(member('Which.', `readonly which: ${type}`))).toEqual([]);
  });

  test('is not an array with its own name, whose comment describes it', () => {
    const text = '/** In metres. */ export type Place = readonly [number, number];';
    const box = member('Where.', 'place?: Place; at?: readonly [number, number]');
    expect(brokenIn(`${text}\n${box}`)).toEqual(['Box.at: unit']);
  });

  test('of a result is described by the comment or by @returns', () => {
    const code = 'function width() { return Math.random(); }';
    expect(brokenIn(declared('Measures.', code))).toEqual(['width(): unit']);
    expect(brokenIn(declared('Measures, in metres.', code))).toEqual([]);
    expect(brokenIn(declared('Measures.\n * @returns The width in metres.', code))).toEqual([]);
  });

  test('of a parameter is described by its @param, or by that of its group', () => {
    const code = 'function move(x: number, y: number): void {}';
    const comment = 'Moves it, in metres.';
    expect(brokenIn(declared(comment, code))).toEqual(['move(x): unit', 'move(y): unit']);
    expect(brokenIn(declared(`${comment}\n * @param y In metres.`, code))).toEqual([
      'move(x): unit',
    ]);
    expect(brokenIn(declared(`${comment}\n * @param x In metres.`, code))).toEqual([]);
  });

  test('of a parameter of another type is in no group', () => {
    const comment = 'Moves it.\n * @param x In metres.';
    const same = declared(comment, 'function move(x: number, by: number): void {}');
    expect(brokenIn(same)).toEqual([]);
    const other = declared(comment, 'function move(x: number, by: number | undefined): void {}');
    expect(brokenIn(other)).toEqual(['move(by): unit']);
  });

  test('of an implementation is not public: only its overloads are', () => {
    const text = `/** Opens it. */ export function open(given: string): void;
      export function open(given: unknown, depth = 0): void { void [given, depth]; }`;
    expect(brokenIn(text)).toEqual([]);
  });

  test('of a parameter may be described by the comment, if it is unambiguous', () => {
    const one = 'const grow = (by: number): void => {};';
    expect(brokenIn(declared('By this many metres.', one))).toEqual([]);
    const two = 'const grow = (a: number, b: number): void => {};';
    expect(brokenIn(declared('From `a` to `b`, in metres.', two))).toEqual([]);
    expect(brokenIn(declared('From `a`, in metres.', two))).toEqual(['grow(b): unit']);
  });

  test('of a class is described there; private ones do not count', () => {
    const text = `/** A box. */ export class Box {
      #width = 1;
      private depth = 1;
      /** How wide. */
      constructor(width: number) { this.#width = width; }
      /** How wide. */
      get width(): number { return this.#width * this.depth; }
    }`;
    expect(brokenIn(text)).toEqual(['Box.constructor(width): unit', 'Box.width(): unit']);
  });
});

describe('a function that throws', () => {
  const broken = ['open: throws'];

  test.each([
    ['by itself', 'if (given) throw new Error();', broken],
    ['by a check', 'requireBox(given);', broken],
    ['by a check of a check', 'resolveBox(given);', broken],
    ['by a rejected promise', 'return void Promise.reject(new Error());', broken],
    ['while it handles an error', 'try { look(given); } catch { throw new Error(); }', broken],
    ['not, as what it calls does not', 'parseNothing(given);', []],
    ['not, as it catches it', 'try { requireBox(given); } catch {}', []],
    [
      'not, as a function in it does',
      'const inner = () => { throw new Error(); }; void inner;',
      [],
    ],
    ['not directly', 'look(given);', []],
    ['not for all we know', 'JSON.parse(String(given));', []],
  ])('%s', (_, body, expected) => {
    expect(brokenIn(opening(body))).toEqual(expected);
  });

  test('says so by @throws', () => {
    expect(
      brokenIn(opening('requireBox(given);', '\n * @throws TypeError if it is not one.')),
    ).toEqual([]);
  });

  test('is not documented by an empty one', () => {
    expect(brokenIn(opening('requireBox(given);', '\n * @throws'))).toEqual(broken);
  });

  test('may document that its promise rejects, if it has one', () => {
    const comment = 'Rejects with a TypeError.';
    const body = 'requireBox(given);';
    const promised = 'async function open(given?: unknown): Promise<void>';
    expect(brokenIn(opening(body, comment, promised))).toEqual([]);
    expect(brokenIn(opening(body, '', promised))).toEqual(broken);
    expect(brokenIn(opening(body, comment))).toEqual(broken);
  });

  test('may be a method with its own check, or a constructor', () => {
    const text = `/** A box. */ export class Box {
      /** Made here. */
      constructor() { if (Math.random() > 2) throw new Error(); }
      /** Opens it. */
      open(): void { this.#requireOpen(); }
      #requireOpen(): void { throw new Error(); }
    }`;
    expect(brokenIn(text)).toEqual(['Box.constructor: throws', 'Box.open: throws']);
  });

  test('may have overloads, of which one documents it', () => {
    const code = `function open(given: string): void;
      export function open(given: unknown): void { if (given === 1) throw new Error(); }`;
    expect(brokenIn(declared('Opens it.', code))).toEqual(broken);
    expect(brokenIn(declared('Opens it.\n * @throws Error if it is 1.', code))).toEqual([]);
  });
});
