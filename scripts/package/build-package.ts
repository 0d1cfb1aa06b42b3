/**
 * Builds the packages that users install. `build/package` is betwixt: every module of `src` compiled
 * separately, with its types. `build/create-betwixt` is what `npm create betwixt` runs.
 * `npm pack ./build/package` makes a tarball.
 *
 * Not bundled, so that `new Worker(new URL(…))` still works in an application's bundler, that a
 * bundler leaves out what is not used, and that an error's stack names its source file. Only the
 * command is one file: it shares modules with other commands of the repository, which are not in
 * the package.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { writeApi } from '../api/api-reference.js';
import { repositoryRoot, run } from '../child-process.js';
import { defineCommand, parseCommand } from '../cli/command.js';
import { EXIT_CODES } from '../cli/exit-codes.js';
import { runCommand } from '../cli/run-command.js';
import { installRooms } from '../rooms/install.js';
import { createPackageFolder, entryPoints, packageFolder, readManifest } from './package-layout.js';
import { createPackageManifest, packageManifest } from './package-manifest.js';

/** Files and folders of the repository that are copied to the package. */
const COPIED = ['README.md', 'LICENSE', 'CHANGELOG.md', 'docs', 'examples', 'src', 'templates'];

/** Not needed there. */
const NOT_COPIED =
  /\/(?:tsconfig[^/]*\.json|node_modules|dist|test-results|docs\/(?:snippets|\.vitepress|api)|demo\.webp|docs\/town\.webp)$/;

/** Templates keep their own configuration, but not the one that typechecks them here. */
const NOT_COPIED_OF_TEMPLATES = /\/(?:[^/]+\.tsconfig\.json|node_modules|dist|test-results)$/;

/** Examples that `npm create betwixt` makes apps of: neither those of the documentation nor the one with a server. */
const NOT_COPIED_OF_EXAMPLES =
  /\/(?:[^/]*tsconfig\.json|tests|examples\/(?:gallery|rooms|snippets|index\.html|source\.html))$/;

/** A project of the typecheck: its configuration, the folders of `src` that it compiles, and the projects whose types it uses. */
interface Project {
  readonly config: string;
  readonly folders: readonly string[];
  readonly uses: readonly string[];
}

const byThread = (name: string, uses: readonly string[]): Project => {
  const config = `src/tsconfig.${name}.json`;
  const { include } = JSON.parse(readFileSync(join(repositoryRoot, config), 'utf8')) as {
    readonly include: readonly string[];
  };
  const folders = include.map((pattern) => pattern.replace(/^\.\/|\/\*\*\/.*$/g, ''));
  return { config, folders: [...new Set(folders)], uses };
};

const PROJECTS: Readonly<Record<string, Project>> = {
  shared: byThread('shared', []),
  worker: byThread('worker', ['shared']),
  // A world in the page's own thread.
  page: byThread('page', ['shared', 'worker']),
  server: {
    config: 'src/rooms/server/tsconfig.json',
    folders: ['rooms/server'],
    uses: ['shared', 'worker'],
  },
  vite: { config: 'src/vite/tsconfig.json', folders: ['vite'], uses: ['shared'] },
};

/**
 * Builds betwixt.
 *
 * @param target The folder to build, in the repository, so that the compiler finds the
 * dependencies.
 * @throws Error if something does not compile; the compiler has printed why.
 */
export function buildPackage(target = packageFolder): Promise<void> {
  return buildInto(target, async (built, workFolder) => {
    // The compiler needs its types.
    await installRooms();
    const manifest = readManifest();
    copyFiles(built, COPIED);
    writeApi(join(built, 'docs/api'));
    // For the compiler.
    writeJson(join(built, 'package.json'), { type: 'module' });
    const projects = Object.entries(PROJECTS).map(([name, project]) =>
      writeProject(workFolder, name, project),
    );
    await compile(projects);
    copyBrowserScripts(built);
    await bundleCommand('create/cli.ts', join(built, 'bin'));
    writeJson(join(built, 'package.json'), packageManifest(manifest, entryPoints(manifest)));
  });
}

/** Builds create-betwixt. */
export function buildCreatePackage(target = createPackageFolder): Promise<void> {
  return buildInto(target, async (built) => {
    copyFiles(built, ['LICENSE']);
    cpSync(join(repositoryRoot, 'create/README.md'), join(built, 'README.md'));
    await bundleCommand('create/create-betwixt.ts', join(built, 'bin'));
    writeJson(join(built, 'package.json'), createPackageManifest(readManifest()));
  });
}

/** Builds into a temporary folder and then moves it, so that there is a complete package at any time. */
async function buildInto(
  target: string,
  fill: (built: string, workFolder: string) => Promise<void>,
): Promise<void> {
  const workFolder = `${target}.${process.pid}`;
  const built = join(workFolder, 'package');
  try {
    await fill(built, workFolder);
    rmSync(target, { recursive: true, force: true });
    renameSync(built, target);
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
  }
}

const UNWANTED: Readonly<Record<string, RegExp>> = {
  examples: NOT_COPIED_OF_EXAMPLES,
  templates: NOT_COPIED_OF_TEMPLATES,
};

function copyFiles(built: string, names: readonly string[]): void {
  for (const name of names) {
    const source = join(repositoryRoot, name);
    const unwanted = UNWANTED[name] ?? NOT_COPIED;
    const filter = (path: string) => !unwanted.test(path.replaceAll('\\', '/'));
    if (existsSync(source)) cpSync(source, join(built, name), { recursive: true, filter });
  }
}

/**
 * Compiles a project as the typecheck does, but writes JavaScript. It compiles the copies, so that the maps for debuggers and for
 * "go to definition" lead to files of the package.
 */
function writeProject(workFolder: string, name: string, project: Project): string {
  const { config, folders, uses } = project;
  return writeConfig(workFolder, name, {
    extends: relative(workFolder, join(repositoryRoot, config)),
    compilerOptions: {
      emitDeclarationOnly: false,
      declarationMap: true,
      sourceMap: true,
      rootDir: './package/src',
      outDir: './package/dist',
      tsBuildInfoFile: `./${name}.tsbuildinfo`,
    },
    include: folders.flatMap((folder) =>
      ['ts', 'tsx'].map((ending) => `./package/src/${folder}/**/*.${ending}`),
    ),
    references: uses.map((used) => ({ path: `./${used}.json` })),
  });
}

/** A command as one file that loads nothing but Node's own modules. The typecheck checks its types. */
async function bundleCommand(source: string, folder: string): Promise<void> {
  await build({
    root: repositoryRoot,
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: source,
      outDir: folder,
      target: 'node20',
      // Not minified: users may want to read it before they run it.
      minify: false,
    },
  });
  chmodSync(join(folder, basename(source).replace(/ts$/, 'js')), 0o755);
}

function writeConfig(workFolder: string, name: string, config: object): string {
  const file = join(workFolder, `${name}.json`);
  writeJson(file, config);
  return file;
}

async function compile(projects: readonly string[]): Promise<void> {
  const compiler = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
  const exitCode = await run(process.execPath, [compiler, '-b', ...projects]);
  if (exitCode !== 0) throw new Error('the package does not compile');
}

/** Copies scripts that are JavaScript already. */
function copyBrowserScripts(built: string): void {
  cpSync(join(built, 'src/vite/browser'), join(built, 'dist/vite/browser'), { recursive: true });
}

function writeJson(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

const COMMAND = defineCommand({
  name: 'build:package',
  about: 'Builds the packages that users install: build/package and build/create-betwixt.',
  flags: {},
});

async function buildBoth(args: readonly string[]): Promise<number> {
  parseCommand(COMMAND, args);
  await buildPackage();
  await buildCreatePackage();
  const [folder, creates] = [packageFolder, createPackageFolder].map(
    (path) => `./${relative(process.cwd(), path)}`,
  );
  console.log(`Built ${folder} and ${creates}; \`npm pack ${folder}\` makes a tarball.`);
  return EXIT_CODES.done;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await runCommand(COMMAND, buildBoth);
}
