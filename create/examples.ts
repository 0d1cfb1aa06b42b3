/**
 * Apps of one example each. `examples` has the example and the stage that all examples share, as in the repository; around
 * it is what Vite needs.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMMON, packagesOf, readManifest, templatesFolder, type AppOf } from './templates.js';

interface Example {
  /** In `examples`. Default: its name. */
  readonly folder?: string;
  /** Another folder of `examples`, of which it uses files. */
  readonly uses?: string;
  /** In `examples`, if it is not the `index.html` of the folder. */
  readonly page?: string;
  /** The template whose packages it has. */
  readonly like: 'vanilla' | 'react' | 'custom';
  /** And these. */
  readonly packages?: Readonly<Record<string, string>>;
  /** A plugin for Vite, and the file that has it. */
  readonly plugin?: readonly [name: string, file: string];
}

const PEER = {
  '@dimforge/rapier3d-compat': '^0.20.0 || ^0.21.0',
  '@react-three/rapier': '2.2.0',
};
const EXAMPLES = {
  basic: { like: 'vanilla' },
  boxes: { like: 'vanilla' },
  character: { like: 'vanilla' },
  ecctrl: {
    like: 'react',
    packages: { ...PEER, ecctrl: '2.0.2' },
    plugin: ['ecctrlLibraries', 'ecctrl/libraries.js'],
  },
  flag: { like: 'custom' },
  headset: { like: 'vanilla', packages: { iwer: '^2.5.0' } },
  joints: { like: 'vanilla' },
  jolt: { like: 'vanilla', packages: { 'jolt-physics': '^1.1.0' } },
  pool: { like: 'vanilla' },
  // The template has the name `react`.
  scenes: {
    folder: 'react',
    uses: 'town',
    page: 'react.html',
    like: 'react',
    packages: PEER,
    plugin: ['peerScenes', 'react/peer-scenes.js'],
  },
  town: { like: 'vanilla' },
  vehicle: { like: 'vanilla' },
} as const satisfies Readonly<Record<string, Example>>;
export type ExampleName = keyof typeof EXAMPLES;
export const EXAMPLE_NAMES = Object.keys(EXAMPLES) as readonly ExampleName[];

export const isExample = (name: string): name is ExampleName => name in EXAMPLES;

/** Names of the packages that an example uses. */
export function packagesOfExample(name: ExampleName): readonly string[] {
  const { like, packages = {} }: Example = EXAMPLES[name];
  return [...packagesOf(like), ...Object.keys(packages)];
}

const examplesFolder = fileURLToPath(new URL('../examples/', import.meta.url));
/** The ones needed of a template's tools: examples come without their tests. */
const NEEDED = /^(?:@types\/|typescript$|vite$)/;
/** Belongs to the repository. */
const NOT_COPIED = /[/\\](?:[^/\\]*tsconfig\.json|README\.md|index\.html|model|tests)$/;

/** Writes the app into its folder. */
export function createExample({ folder, name, template, betwixt }: AppOf<ExampleName>): void {
  const {
    folder: example = template,
    uses,
    page,
    like,
    packages,
    plugin,
  }: Example = EXAMPLES[template];
  const copy = (from: string, to: string): void =>
    cpSync(from, join(folder, to), {
      recursive: true,
      filter: (path) => !NOT_COPIED.test(path.slice(from.length)),
    });
  const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
  const writeJson = (path: string, value: object): void =>
    write(path, `${JSON.stringify(value, null, 2)}\n`);

  for (const part of ['stage', example, ...(uses === undefined ? [] : [uses])])
    copy(join(examplesFolder, part), `examples/${part}`);
  // The page is where the stage is below it, too: a server gives out nothing above its root.
  const html = readFileSync(join(examplesFolder, page ?? `${example}/index.html`), 'utf8');
  const moved = page === undefined ? html.replaceAll('="./', `="./${example}/`) : html;
  // The repository's pages get its mark.
  const icon = '<link rel="icon" href="data:," />\n    <title>';
  write('examples/index.html', moved.replaceAll('="../', '="./').replace('<title>', icon));
  const common = join(templatesFolder, COMMON);
  copy(join(common, '_gitignore'), '.gitignore');
  copy(join(common, '.codesandbox'), '.codesandbox');
  const tsconfig = JSON.parse(readFileSync(join(common, 'tsconfig.json'), 'utf8')) as object;
  writeJson('tsconfig.json', { ...tsconfig, include: ['examples', '*.config.ts'] });
  const manifest = readManifest(join(templatesFolder, like, '_package.json'));
  const { start = '', build = '', preview = '' } = manifest.scripts;
  writeJson('package.json', {
    ...manifest,
    name,
    scripts: { start, build, preview },
    devDependencies: Object.fromEntries(
      Object.entries(manifest.devDependencies).filter(([tool]) => NEEDED.test(tool)),
    ),
    dependencies: { ...manifest.dependencies, ...packages, betwixt },
  });
  write('vite.config.ts', viteConfig(plugin));
  const readme = readFileSync(join(examplesFolder, example, 'README.md'), 'utf8');
  write('README.md', forApp(readme).replaceAll('`src/', `\`examples/${example}/src/`));
}

const viteConfig = (plugin: Example['plugin']): string => {
  const [name, file] = plugin ?? [];
  const own = name === undefined ? '' : `import { ${name} } from './examples/${file}';\n`;
  return `import { betwixt } from 'betwixt/vite';
import { defineConfig } from 'vite';
${own}
export default defineConfig({
  root: 'examples',
  // Relative URLs: the built app works in any folder of any host.
  base: './',
  plugins: [betwixt()${name === undefined ? '' : `, ${name}()`}],
  // Rapier with its WebAssembly is one file, which the worker loads.
  build: { chunkSizeWarningLimit: 5000 },
});
`;
};

/** Adapts an example's README, which is about the repository, to an app. */
const forApp = (readme: string): string =>
  readme
    .replaceAll('../../docs/', 'node_modules/betwixt/docs/')
    .replace(/(`npm start`) in the repository (serves (?:it|them|the page)) at\s+`[^`]+`/, '$1 $2')
    .replaceAll(/^\| `(?:model|tests)\/.*\n/gm, '');
