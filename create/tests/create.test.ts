/** The command that creates an app: its arguments, its questions, and what it writes. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { readArguments } from '../arguments.js';
import { packageNameOf, packageSource, requireEmptyFolder, requireOwnName } from '../checks.js';
import { AbandonedError, askFolder, askTemplate } from '../questions.js';
import { EXAMPLE_NAMES, createExample } from '../examples.js';
import { TEMPLATE_NAMES, createApp } from '../templates.js';

const root = mkdtempSync(join(tmpdir(), 'betwixt-create-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
/** A folder that no other test uses. It does not exist yet. */
const newFolder = (name = 'app'): string => join(root, String((folders += 1)), name);

test('the arguments of create are a folder, a template and a package', () => {
  const none = { folder: undefined, template: undefined, package: undefined };
  expect(readArguments(['create'])).toEqual(none);
  const line = 'create x --template custom --package ^1.0.0';
  expect(readArguments(line.split(' '))).toEqual({
    folder: 'x',
    template: 'custom',
    package: '^1.0.0',
  });
});

test.each([
  [['make', 'x'], /must be create, and "make" is given/],
  [['create', 'x', 'y'], /one folder is needed, and 2 are given/],
  [['create', ''], /must have a name/],
  [
    ['create', 'x', '--template', 'blue'],
    /of vanilla, react, next, custom, basic, .*, but is "blue"/,
  ],
])('create refuses %j', (args, message) => {
  expect(() => readArguments(args)).toThrow(message);
});

test('the folder of an app may be new, empty or under git, and nothing else', () => {
  const folder = newFolder();
  expect(() => requireEmptyFolder(folder)).not.toThrow();
  mkdirSync(join(folder, '.git'), { recursive: true });
  expect(() => requireEmptyFolder(folder)).not.toThrow();
  writeFileSync(join(folder, '.env'), '');
  expect(() => requireEmptyFolder(folder)).toThrow(/is not empty/);
  expect(() => requireEmptyFolder(join(folder, '.env'))).toThrow(/is a file/);
});

test('the folder of an app has a name for a package, which the app does not import', () => {
  for (const name of ['my-app', 'app.2', '9_lives'])
    expect(packageNameOf(newFolder(name))).toBe(name);
  for (const name of ['MyApp', 'my app', '.app', '_app', 'äpp', 'a'.repeat(215), 'node_modules']) {
    expect(() => packageNameOf(newFolder(name))).toThrow(/is no name for a package/);
  }
  expect(() => requireOwnName('three', 'custom')).toThrow(/that the app uses/);
  expect(() => requireOwnName('three-bodies', 'custom')).not.toThrow();
});

test('betwixt comes from a version or from a packed file, relative to the app', () => {
  for (const version of ['1.2.3', '^0.1.0', 'latest', '>=1 <3']) {
    expect(packageSource(version, newFolder())).toBe(version);
  }
  const packed = join(root, 'betwixt-0.0.1.tgz');
  writeFileSync(packed, '');
  expect(packageSource(packed, newFolder())).toBe('file:../../betwixt-0.0.1.tgz');
  for (const [given, message] of [
    ['./missing.tgz', /there is no file \.\/missing\.tgz/],
    ['!', /must be a version or a packed file, but is "!"/],
    [root, /is a folder: run "npm pack/],
  ] as const) {
    expect(() => packageSource(given, newFolder())).toThrow(message);
  }
});

test.each(TEMPLATE_NAMES)(
  'an app of the template %s has its files, its name and our releases',
  (template) => {
    const folder = newFolder();
    createApp({ folder, name: 'my-game', template, betwixt: '^9.8.7' });
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const ofBundler =
      template === 'next' ? ['next.config.ts'] : ['tests/app.spec.ts', 'vite.config.ts'];
    expect(files).toEqual(
      expect.arrayContaining([
        '.codesandbox/tasks.json',
        '.gitignore',
        'tsconfig.json',
        ...ofBundler,
      ]),
    );
    // Nothing of the repository.
    expect(files.filter((file) => /(?:^|\/)_|node_modules|common/.test(file))).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'my-game', dependencies: { betwixt: '^9.8.7' } });
    const ours = JSON.parse(readFileSync('package.json', 'utf8'));
    const { betwixt: _, ...packages } = { ...manifest.dependencies, ...manifest.devDependencies };
    // Next.js, which is not installed here, needs the older compiler.
    if (template === 'next') for (const name of ['next', 'typescript']) delete packages[name];
    expect({ ...ours.dependencies, ...ours.devDependencies }).toMatchObject(packages);
    expect(manifest.engines).toEqual(ours.engines);
    const page = join(folder, 'index.html');
    const title = existsSync(page) ? /<title>.*/.exec(readFileSync(page, 'utf8'))?.[0] : undefined;
    expect(title).toBe(template === 'next' ? undefined : '<title>my-game</title>');
  },
);

/** Names of packages, and paths, that a file of an app imports or loads. */
const IMPORTED = /(?:from |import\(|import |href=|src=)['"]([^'":?][^'":]*)['"]/g;

test('no example has the name of a template', () => {
  const names = [...TEMPLATE_NAMES, ...EXAMPLE_NAMES];
  expect(new Set(names).size).toBe(names.length);
});

test.each(EXAMPLE_NAMES)('an app of the example %s has all that it imports', (template) => {
  const folder = newFolder();
  createExample({ folder, name: 'my-game', template, betwixt: '^9.8.7' });
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { betwixt, ...packages } = { ...manifest.dependencies, ...manifest.devDependencies };
  expect([manifest.name, betwixt]).toEqual(['my-game', '^9.8.7']);
  const ours = JSON.parse(readFileSync('package.json', 'utf8'));
  expect({ ...ours.dependencies, ...ours.devDependencies }).toMatchObject(packages);

  const missing = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:html|jsx?|tsx?)$/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(IMPORTED)].flatMap(([, name = '']) => {
        const path = join(folder, dirname(file), name.split('?')[0] ?? '').replace(/\.js$/, '');
        const isThere = name.startsWith('.')
          ? ['', '.js', '.jsx', '.ts', '.tsx'].some((ending) => existsSync(path + ending))
          : ['betwixt', ...Object.keys(packages)].some((known) =>
              `${name}/`.startsWith(`${known}/`),
            );
        return isThere ? [] : [`${file} imports ${name}`];
      }),
    );
  expect(missing).toEqual([]);
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).not.toMatch(/repository|\.\.\//);
});

/** A terminal with a user who types. */
function typing(...lines: string[]) {
  const input = new PassThrough();
  for (const line of lines) input.write(line);
  return { input, output: new PassThrough() };
}

test('questions accept an answer or the default, and are cancelled when the input ends', async () => {
  const folder = newFolder();
  expect(await askFolder(typing(`${folder}\n`))).toBe(folder);
  expect(await askTemplate(typing('\n'))).toBe('vanilla');
  expect(await askTemplate(typing('2\n'))).toBe('react');
  expect(await askTemplate(typing('custom\n'))).toBe('custom');
  const terminal = typing();
  terminal.input.end();
  await expect(askFolder(terminal)).rejects.toThrow(AbandonedError);
});

test('a question is repeated after an answer that is refused', async () => {
  const terminal = typing();
  const answers = ['5\n', 'blue\n', '4\n'];
  terminal.output.on('data', (text: Buffer) => {
    if (String(text).includes('Template')) terminal.input.write(answers.shift() ?? '');
  });
  expect(await askTemplate(terminal)).toBe('custom');
  expect(answers).toEqual([]);
});
