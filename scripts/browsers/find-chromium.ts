import { statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { repositoryRoot, run } from '../child-process.js';
import { canInstallPackages, installPackages } from './debian-packages.js';

const commandNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const installedApplications: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  win32: [
    String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
    String.raw`C:\Program Files (x86)\Google\Chrome\Application\chrome.exe`,
  ],
};

/** Where to look: this machine, or a test's fake. */
export interface ChromiumLookups {
  /** The environment variable `CHROMIUM_PATH`. */
  readonly chosen: string | undefined;
  /** Where Playwright would install its own. */
  readonly playwrights: () => string;
  /** Candidates of the system, best first. */
  readonly systems: () => readonly string[];
  readonly kindOf: (path: string) => 'file' | 'folder' | undefined;
}

const thisMachine = (): ChromiumLookups => ({
  chosen: process.env.CHROMIUM_PATH,
  playwrights: () => chromium.executablePath(),
  systems: systemCandidates,
  kindOf: (path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    return found.isDirectory() ? 'folder' : 'file';
  },
});

/**
 * The Chromium to test with, or `undefined` if this machine has none. First the one that the
 * environment variable `CHROMIUM_PATH` names, then Playwright's own, then the system's.
 *
 * @throws {Error} if `CHROMIUM_PATH` names no file: testing with another browser than the one
 *   asked for would mislead.
 */
export function detectChromium(lookups: ChromiumLookups = thisMachine()): string | undefined {
  const { chosen, kindOf } = lookups;
  if (chosen !== undefined && chosen !== '') {
    const kind = kindOf(chosen);
    if (kind === 'file') return chosen;
    throw new Error(
      kind === 'folder'
        ? `CHROMIUM_PATH is "${chosen}", which is a folder: set it to the executable in it.`
        : `CHROMIUM_PATH is "${chosen}", but there is no such file.`,
    );
  }
  return [lookups.playwrights(), ...lookups.systems()].find((path) => kindOf(path) === 'file');
}

/**
 * The Chromium to test with, installed if this machine has none.
 *
 * @throws {Error} if `CHROMIUM_PATH` is wrong, or if none was found and none could be installed.
 */
export async function findOrInstallChromium(): Promise<string> {
  const found = detectChromium();
  if (found !== undefined) return found;

  console.log('This machine has no Chromium, which the tests in browsers need.');
  if (canInstallPackages()) await installPackages('chromium');
  if (detectChromium() === undefined) await installPlaywrights();

  const installed = detectChromium();
  if (installed !== undefined) return installed;
  throw new Error(
    'No Chromium was found and none could be installed. ' +
      'Install Chromium or Chrome, or set CHROMIUM_PATH to its executable.',
  );
}

/** Downloads the Chromium that Playwright keeps in its cache, which needs no root. */
async function installPlaywrights(): Promise<void> {
  console.log('Installing one with `playwright install chromium`.');
  let output = '';
  const cli = join(repositoryRoot, 'node_modules/@playwright/test/cli.js');
  const exitCode = await run(process.execPath, [cli, 'install', 'chromium'], {
    onOutput: (text) => {
      output += text;
    },
  });
  if (exitCode !== 0) console.error(`That failed:\n${output}`);
}

function systemCandidates(): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const commands = commandNames.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...commands, ...(installedApplications[process.platform] ?? [])];
}
