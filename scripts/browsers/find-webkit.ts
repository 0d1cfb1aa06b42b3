import { existsSync } from 'node:fs';
import { canInstallPackages, installPackages } from './debian-packages.js';
import { onPath } from './find-firefox.js';
import { missingXorgPackages, startDummyDisplay } from './xorg-dummy.js';

/** A WebKit that can be driven, and the display that it draws on. */
export interface WebKitOnDisplay {
  /** Command of `WebKitWebDriver`, which finds its browser itself. */
  readonly driverPath: string;
  /** Environment variables for the test run. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * WebKitGTK's driver, on a separate virtual display: this WebKit has no headless mode. Both are
 * installed on Debian if permitted.
 *
 * @returns A reason if there is none.
 */
export async function openWebKit(): Promise<WebKitOnDisplay | { readonly reason: string }> {
  if (process.platform !== 'linux') {
    return { reason: 'Only WebKitGTK can be driven so far, which is a browser of Linux.' };
  }
  const wanted = [...(detect() === undefined ? [driverPackage] : []), ...missingXorgPackages()];
  if (wanted.length > 0 && canInstallPackages()) await installPackages(...wanted);
  const driverPath = detect();
  if (driverPath === undefined) {
    return { reason: `WebKitWebDriver is not there (Debian's package ${driverPackage}).` };
  }
  if (missingXorgPackages().length > 0) {
    return { reason: `It needs a virtual display (${missingXorgPackages().join(', ')}).` };
  }
  try {
    const { name, stop } = await startDummyDisplay();
    return { driverPath, env: { DISPLAY: name }, close: stop };
  } catch (error) {
    return { reason: String(error) };
  }
}

const driverPackage = 'webkit2gtk-driver';

function detect(): string | undefined {
  return onPath('WebKitWebDriver').find((path) => existsSync(path));
}
