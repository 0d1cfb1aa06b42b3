import { canInstallPackages, installPackages } from './debian-packages.js';
import { windowVariable } from './driven-browsers.js';
import { missingXorgPackages, startDummyDisplay } from './xorg-dummy.js';

/** A display of 144 Hz for windows that are not seen. */
export interface VirtualDisplay {
  /** Environment variables for the test run. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens one; on Debian, what it needs is installed if permitted. Undefined: there is none, and browsers have no window. */
export async function openVirtualDisplay(): Promise<VirtualDisplay | undefined> {
  if (process.platform !== 'linux') return undefined;
  if (missingXorgPackages().length > 0 && canInstallPackages()) {
    await installPackages(...missingXorgPackages());
  }
  if (missingXorgPackages().length > 0) return undefined;
  try {
    const { name, stop } = await startDummyDisplay();
    return { env: { DISPLAY: name, [windowVariable]: '1' }, close: stop };
  } catch (error) {
    console.log(`No virtual display: ${String(error)}`);
    return undefined;
  }
}
