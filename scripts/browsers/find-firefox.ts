import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstallPackages, installPackages } from './debian-packages.js';

const commandNames = ['firefox-esr', 'firefox'];

const installedApplications: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
  win32: [String.raw`C:\Program Files\Mozilla Firefox\firefox.exe`],
};

/**
 * The Firefox to test with: the one that the environment variable `FIREFOX_PATH` names, or the
 * system's, which is installed on Debian if permitted. `undefined` if there is none.
 *
 * @throws {Error} if `FIREFOX_PATH` names no file.
 */
export async function findOrInstallFirefox(): Promise<string | undefined> {
  const chosen = process.env.FIREFOX_PATH;
  if (chosen !== undefined && chosen !== '') {
    if (existsSync(chosen)) return chosen;
    throw new Error(`FIREFOX_PATH is "${chosen}", but there is no such file.`);
  }
  const found = detect();
  if (found !== undefined || !canInstallPackages()) return found;
  console.log('This machine has no Firefox.');
  await installPackages('firefox-esr');
  return detect();
}

function detect(): string | undefined {
  return [...commandNames.flatMap(onPath), ...(installedApplications[process.platform] ?? [])].find(
    (path) => existsSync(path),
  );
}

/** Candidates for a command, in the order of `PATH`. */
export function onPath(command: string): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, command));
}
