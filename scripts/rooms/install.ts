/**
 * Installs what only rooms need, from the `package.json` next to this file: Colyseus asks for Node 22, and those who only want a
 * simulation need neither. It is then found from the whole repository. Does nothing if it is installed.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryRoot, runNpm } from '../child-process.js';

const folder = join(repositoryRoot, 'scripts/rooms');
const installed = join(folder, 'node_modules/@colyseus');
/** Where Node and the compiler find it from `src`, too. */
const link = join(repositoryRoot, 'node_modules/@colyseus');
/** The lock file that was installed. */
const mark = join(folder, 'node_modules/.installed');

/**
 * @param onOutput Receives what npm prints. Undefined: it is printed.
 * @throws Error if npm fails.
 */
export async function installRooms(onOutput?: (text: string) => void): Promise<void> {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  // `npm install` in the repository empties what the link leads to.
  const isThere = existsSync(mark) && existsSync(join(installed, 'core'));
  if (!isThere || readFileSync(mark, 'utf8') !== lock) {
    const exitCode = await runNpm(['ci', '--prefix', folder], onOutput ? { onOutput } : {});
    if (exitCode !== 0) throw new Error(`npm could not install ${folder}/package.json`);
    writeFileSync(mark, lock);
  }
  if (existsSync(link)) return;
  // A link whose target was removed.
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(installed, link, 'junction');
}
