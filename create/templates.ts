/** The templates, and creating an app from one. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Short descriptions by name. */
export const TEMPLATES = {
  vanilla: 'physics made on the page, no worker script: Rapier, three.js',
  react: 'physics for React Three Fiber: components, hooks, no worker script',
  next: 'the same components in an app of Next.js, with the app router',
  custom: 'your own simulation in a worker script: a flock, three.js',
} as const;
export type TemplateName = keyof typeof TEMPLATES;
export const TEMPLATE_NAMES = Object.keys(TEMPLATES) as readonly TemplateName[];

/** In the repository and in the package alike, the templates are next to this file's folder. */
export const templatesFolder = fileURLToPath(new URL('../templates/', import.meta.url));
/** Next to them: the files of every app that Vite builds. */
export const COMMON = 'common';

/**
 * Templates have these files under other names: npm leaves a `.gitignore` out of what it packs, and
 * a `package.json` would make the template's folder a separate package.
 */
const RENAMED = { _gitignore: '.gitignore', '_package.json': 'package.json' } as const;

/** The fields of a manifest that are read or filled in. */
interface Manifest {
  name: string;
  readonly scripts: Readonly<Record<string, string>>;
  dependencies: Record<string, string>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

export interface AppOf<Name extends string> {
  readonly folder: string;
  /** Name of the app's package. */
  readonly name: string;
  readonly template: Name;
  /** The version of betwixt in the app's package.json. */
  readonly betwixt: string;
}

/** Names of the packages that a template uses: an app of the same name would shadow them. */
export function packagesOf(template: TemplateName): readonly string[] {
  const { dependencies, devDependencies } = readManifest(
    join(templatesFolder, template, '_package.json'),
  );
  return Object.keys({ ...dependencies, ...devDependencies });
}

/** Writes an app into a folder, which is created if necessary. */
export function createApp({ folder, name, template, betwixt }: AppOf<TemplateName>): void {
  mkdirSync(folder, { recursive: true });
  for (const source of template === 'next' ? [template] : [COMMON, template]) {
    cpSync(join(templatesFolder, source), folder, {
      recursive: true,
      // The template may have been run in its own folder.
      filter: (path) =>
        !/[/\\](?:node_modules|dist|test-results)$/.test(path.slice(templatesFolder.length)),
    });
  }
  for (const [from, to] of Object.entries(RENAMED))
    renameSync(join(folder, from), join(folder, to));
  const file = join(folder, 'package.json');
  const manifest = readManifest(file);
  manifest.name = name;
  manifest.dependencies = { ...manifest.dependencies, betwixt };
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  replaceIn(join(folder, 'README.md'), /^# .*/, `# ${name}`);
  const page = join(folder, 'index.html');
  // In the app of Next.js, the layout has the title.
  if (existsSync(page)) replaceIn(page, /<title>.*</, `<title>${name}<`);
}

function replaceIn(path: string, old: RegExp, text: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replace(old, text));
}

/** Whether nothing would be overwritten. A folder with a new git repository is empty too. */
export function isEmpty(folder: string): boolean {
  return readdirSync(folder).every((name) => name === '.git');
}

export function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}
