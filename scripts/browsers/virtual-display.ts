import { canInstallPackages, installPackages } from './debian-packages.js';
import {
  displayRateVariable,
  displayVariable,
  nativeDisplay,
  virtualDisplayHz,
} from './fast-display.js';
import { measureDisplayHz } from './frame-rate.js';
import { missingXorgPackages, startDummyDisplay } from './xorg-dummy.js';

/** Below this, a display cannot show what the display tests are about: drawing between ticks. */
const slowestUsefulHz = 100;

/** A display that draws faster than the simulation ticks. */
export interface FastDisplay {
  /** One line for the log. */
  readonly description: string;
  /** Environment variables for the test run. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Why this machine has no fast display and cannot get one. */
export interface NoFastDisplay {
  readonly reason: string;
}

/**
 * Opens a fast display for the tests.
 *
 * - The one that `BETWIXT_DISPLAY` names, at its measured rate.
 * - The machine's own display, if it has one and it is measured to be fast enough.
 * - On Linux a virtual one of 144 Hz. Installs the X server if permitted.
 *
 * @throws {Error} if the display that `BETWIXT_DISPLAY` names is not fast enough.
 */
export async function openFastDisplay(chromiumPath: string): Promise<FastDisplay | NoFastDisplay> {
  const chosen = process.env[displayVariable];
  if (chosen !== undefined && chosen !== '') {
    const display = await useExistingDisplay(chromiumPath, chosen);
    if ('reason' in display) throw new Error(`${displayVariable}=${chosen}: ${display.reason}`);
    return display;
  }

  const reasons: string[] = [];
  if (process.platform !== 'linux' || process.env.DISPLAY !== undefined) {
    const display = await useExistingDisplay(chromiumPath, process.env.DISPLAY ?? nativeDisplay);
    if (!('reason' in display)) return display;
    reasons.push(display.reason);
  }
  if (process.platform === 'linux') {
    const display = await openVirtualDisplay();
    if (!('reason' in display)) return display;
    reasons.push(display.reason);
  }
  return { reason: reasons.join('\n') };
}

async function openVirtualDisplay(): Promise<FastDisplay | NoFastDisplay> {
  if (missingXorgPackages().length > 0 && canInstallPackages()) {
    await installPackages(...missingXorgPackages());
  }
  const missing = missingXorgPackages();
  if (missing.length > 0) {
    return { reason: `A virtual display needs Xorg and its dummy driver (${missing.join(', ')}).` };
  }
  try {
    const { name, stop } = await startDummyDisplay();
    return fastDisplay(name, virtualDisplayHz, `virtual display ${name}`, stop);
  } catch (error) {
    return { reason: String(error) };
  }
}

async function useExistingDisplay(
  chromiumPath: string,
  name: string,
): Promise<FastDisplay | NoFastDisplay> {
  let hz: number;
  try {
    hz = await measureDisplayHz(chromiumPath, { ...process.env, [displayVariable]: name });
  } catch (error) {
    return { reason: `No window opens on display ${name}: ${firstLine(error)}` };
  }
  if (hz < slowestUsefulHz) {
    return { reason: `The display runs at ${hz.toFixed(1)} Hz, below ${slowestUsefulHz} Hz.` };
  }
  return fastDisplay(name, Math.round(hz), `display ${name}`, () => Promise.resolve());
}

/** Playwright appends pages of log to its messages. */
function firstLine(error: unknown): string {
  return String(error).split('\n', 1)[0] ?? '';
}

function fastDisplay(
  name: string,
  hz: number,
  kind: string,
  close: () => Promise<void>,
): FastDisplay {
  return {
    description: `${kind} at ${hz} Hz`,
    env: { [displayVariable]: name, [displayRateVariable]: String(hz) },
    close,
  };
}
