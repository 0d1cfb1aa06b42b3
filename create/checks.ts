/** Checks of the arguments. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packedFileOf } from './installed-from.js';
import { packRepository } from './pack-repository.js';
import { RefusedError } from '../scripts/cli/errors.js';
import { isExample, packagesOfExample, type ExampleName } from './examples.js';
import { isEmpty, packagesOf, type TemplateName } from './templates.js';

const root = fileURLToPath(new URL('../', import.meta.url));

/** npm's rules for new packages. */
const PACKAGE_NAME = /^[a-z0-9~-][a-z0-9._~-]*$/;
const MAX_NAME = 214;
const NAMES_TAKEN: ReadonlySet<string> = new Set(['node_modules', 'favicon.ico']);

/** A release, a range of them, or a tag such as `latest`. */
const VERSION = /^[\w.^~<>=*+-]+(?: [\w.^~<>=*+|-]+)*$/;

/** @throws RefusedError if the folder is not empty, or not a folder. */
export function requireEmptyFolder(folder: string): void {
  const info = statSync(folder, { throwIfNoEntry: false });
  if (info === undefined) return;
  if (!info.isDirectory()) throw new RefusedError(`${folder} is a file: name a new folder`);
  if (!isEmpty(folder)) {
    throw new RefusedError(`${folder} is not empty: name a new folder, or empty this one`);
  }
}

/** The name of the app in a folder. @throws RefusedError if npm does not allow it. */
export function packageNameOf(folder: string): string {
  const name = basename(resolve(folder));
  if (PACKAGE_NAME.test(name) && name.length <= MAX_NAME && !NAMES_TAKEN.has(name)) return name;
  throw new RefusedError(
    `"${name}" is no name for a package: name a folder of lower case letters, digits, "-", "_" and ".", ` +
      'with none of the last two at the start',
  );
}

/** @throws RefusedError if the app would have the name of a package that it imports. */
export function requireOwnName(name: string, template: TemplateName | ExampleName): void {
  const packages = isExample(template) ? packagesOfExample(template) : packagesOf(template);
  if (!packages.includes(name)) return;
  throw new RefusedError(
    `"${name}" is the name of a package that the app uses: name the folder otherwise`,
  );
}

/**
 * The dependency on betwixt for an app's package.json.
 *
 * @param given A version or a packed file. When left out: the release of this command, or the packed file from which npm
 * installed it.
 * @param folder Of the app. In a clone of the repository, the packed file is put into it.
 * @throws RefusedError.
 */
export function packageSource(given: string | undefined, folder: string): string {
  if (given === undefined) return usualSource(folder);
  const isPath = /[/\\]/.test(given) || given.endsWith('.tgz') || existsSync(given);
  if (isPath) return fileSource(given, folder);
  if (VERSION.test(given)) return given;
  throw new RefusedError(`--package must be a version or a packed file, but is "${given}"`);
}

/** The source that this command is part of: a release, the packed file that it was installed from, or a clone of the repository. */
function usualSource(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly private?: boolean;
  };
  if (manifest.private === true) return `file:${packRepository(root, folder)}`;
  const packedFile = packedFileOf(resolve(root));
  if (packedFile === undefined) return `^${manifest.version}`;
  if (existsSync(packedFile)) return fileSource(packedFile, folder);
  throw new RefusedError(
    `betwixt was installed from ${packedFile}, which is no longer there: say by --package where the app gets it from`,
  );
}

function fileSource(path: string, folder: string): string {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined) throw new RefusedError(`--package: there is no file ${path}`);
  if (info.isDirectory()) {
    // npm would link to it, and resolve its imports from its own folder, not from the app's.
    throw new RefusedError(
      `--package: ${path} is a folder: run "npm pack ${path}" and give the file that it makes`,
    );
  }
  return `file:${relative(folder, resolve(path)).replaceAll('\\', '/')}`;
}
