import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { readArguments } from '../../../create/arguments.js';
import {
  packageNameOf,
  packageSource,
  requireEmptyFolder,
  requireOwnName,
} from '../../../create/checks.js';
import { AbandonedError, askFolder, askTemplate } from '../../../create/questions.js';
import { TEMPLATE_NAMES, createApp } from '../../../create/templates.js';

const root = mkdtempSync(join(tmpdir(), 'betwixt-create-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
/** A folder that no other test uses. It does not exist yet. */
const newFolder = (name = 'app'): string => {
  folders += 1;
  return join(root, String(folders), name);
};

describe('arguments', () => {
  test('omitted arguments are undefined, and no arguments ask for help', () => {
    expect(readArguments(['create'])).toEqual({
      folder: undefined,
      template: undefined,
      package: undefined,
    });
    expect(readArguments([])).toBeUndefined();
    expect(readArguments(['create', 'x', '-h'])).toBeUndefined();
  });

  test('all of them', () => {
    expect(readArguments(['create', 'x', '--template', 'custom', '--package', '^1.0.0'])).toEqual({
      folder: 'x',
      template: 'custom',
      package: '^1.0.0',
    });
  });

  test.each([
    [['make', 'x'], /must be create, and "make" is given/],
    [['create', 'x', 'y'], /one folder is needed, and 2 are given/],
    [['create', ''], /must have a name/],
    [['create', 'x', '--template', 'blue'], /of vanilla, react, custom, but is "blue"/],
    [['create', 'x', '--tempalte', 'custom'], /Unknown option '--tempalte'/],
    [['create', 'x', '--template'], /'--template <value>' argument missing/],
  ])('%j is refused in one line', (args, message) => {
    expect(() => readArguments(args)).toThrow(message);
    expect(() => readArguments(args)).toThrow(/^[^\n]+$/);
  });
});

describe('the folder', () => {
  test('may be new, empty, or under git', () => {
    const folder = newFolder();
    expect(() => requireEmptyFolder(folder)).not.toThrow();
    mkdirSync(folder, { recursive: true });
    expect(() => requireEmptyFolder(folder)).not.toThrow();
    mkdirSync(join(folder, '.git'));
    expect(() => requireEmptyFolder(folder)).not.toThrow();
  });

  test('is refused when it is not empty, or when it is a file', () => {
    const folder = newFolder();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '.env'), '');
    expect(() => requireEmptyFolder(folder)).toThrow(/is not empty/);
    expect(() => requireEmptyFolder(join(folder, '.env'))).toThrow(/is a file/);
  });

  test.each(['my-app', 'app.2', '9_lives'])('may be named %s', (name) => {
    expect(packageNameOf(newFolder(name))).toBe(name);
  });

  test.each(['MyApp', 'my app', '.app', '_app', 'äpp', 'a'.repeat(215), 'node_modules'])(
    'may not be named %s',
    (name) => {
      expect(() => packageNameOf(newFolder(name))).toThrow(/is no name for a package/);
    },
  );

  test('may not have the name of a package that the app imports', () => {
    expect(() => requireOwnName('three', 'custom')).toThrow(/that the app uses/);
    expect(() => requireOwnName('betwixt', 'custom')).toThrow(/that the app uses/);
    expect(() => requireOwnName('three-bodies', 'custom')).not.toThrow();
  });
});

describe('the source of betwixt', () => {
  test.each(['1.2.3', '^0.1.0', 'latest', '>=1 <3'])('the version %s', (version) => {
    expect(packageSource(version, newFolder())).toBe(version);
  });

  test('is a packed file, relative to the app', () => {
    const folder = newFolder();
    const packed = join(root, 'betwixt-0.0.1.tgz');
    writeFileSync(packed, '');
    expect(packageSource(packed, folder)).toBe('file:../../betwixt-0.0.1.tgz');
  });

  test.each([
    ['./missing.tgz', /there is no file \.\/missing\.tgz/],
    ['!', /must be a version or a packed file, but is "!"/],
    ['', /must be a version or a packed file, but is ""/],
    [root, /is a folder: run "npm pack/],
  ])('%j is refused', (given, message) => {
    expect(() => packageSource(given, newFolder())).toThrow(message);
  });
});

describe.each(TEMPLATE_NAMES)('an app of the template %s', (template) => {
  const folder = newFolder();
  createApp({ folder, name: 'my-game', template, betwixt: '^9.8.7' });
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });

  test('has its name, and betwixt from the given source', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'my-game', dependencies: { betwixt: '^9.8.7' } });
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toMatch(/^# my-game\n/);
  });

  test('has all files under their own names, and nothing of the repository', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        '.gitignore',
        'package.json',
        'playwright.config.ts',
        expect.stringMatching(/^src\/main\.tsx?$/),
        'tests/app.spec.ts',
        'tsconfig.json',
        'vite.config.ts',
      ]),
    );
    expect(files.filter((file) => /(?:^|\/)_|node_modules|common/.test(file))).toEqual([]);
  });

  test('uses the releases that this repository is tested with', () => {
    const ours = JSON.parse(readFileSync('package.json', 'utf8'));
    const theirs = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const { betwixt: _, ...packages } = { ...theirs.dependencies, ...theirs.devDependencies };
    expect({ ...ours.dependencies, ...ours.devDependencies }).toMatchObject(packages);
    expect(theirs.engines).toEqual(ours.engines);
  });
});

/** A terminal with a user who types. */
function typing(...lines: string[]) {
  const input = new PassThrough();
  for (const line of lines) input.write(line);
  return { input, output: new PassThrough() };
}

describe('questions', () => {
  test('accept an answer, or the default', async () => {
    const folder = newFolder();
    expect(await askFolder(typing(`${folder}\n`))).toBe(folder);
    expect(await askTemplate(typing('\n'))).toBe('vanilla');
    expect(await askTemplate(typing('2\n'))).toBe('react');
    expect(await askTemplate(typing('custom\n'))).toBe('custom');
  });

  test('are repeated after an answer that is refused', async () => {
    const terminal = typing();
    const answers = ['4\n', 'blue\n', '3\n'];
    const said: string[] = [];
    terminal.output.on('data', (text: Buffer) => {
      said.push(String(text));
      if (String(text).includes('Template')) terminal.input.write(answers.shift() ?? '');
    });
    expect(await askTemplate(terminal)).toBe('custom');
    expect(said.join('').match(/must be a number from 1 to 3 or a name/g)).toHaveLength(2);
  });

  test('are cancelled when the input ends', async () => {
    const terminal = typing();
    terminal.input.end();
    await expect(askFolder(terminal)).rejects.toThrow(AbandonedError);
  });
});
