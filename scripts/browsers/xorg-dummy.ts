import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/* A 144 Hz display without a screen: the X server Xorg with its "dummy" driver, which keeps the
   timing of a mode line and discards the frames. Headless Chromium and Xvfb know 60 Hz only. */

const serverPaths = ['/usr/bin/Xorg', '/usr/lib/xorg/Xorg', '/usr/libexec/Xorg', '/usr/bin/X'];

const driverPaths = [
  '/usr/lib/xorg/modules/drivers/dummy_drv.so',
  '/usr/lib64/xorg/modules/drivers/dummy_drv.so',
];

const startTimeoutMs = 20_000;
const stopTimeoutMs = 5_000;

/**
 * 193.12 MHz / (1744 x 769 dots) = 144.00 Hz. The ranges of the monitor allow it, and the server
 * is kept away from this machine's keyboards, graphics cards and consoles.
 */
const configuration = `
Section "ServerFlags"
  Option "AutoAddDevices" "false"
  Option "AutoEnableDevices" "false"
  Option "AutoAddGPU" "false"
  Option "DontVTSwitch" "true"
EndSection
Section "Device"
  Identifier "card"
  Driver "dummy"
  VideoRam 256000
EndSection
Section "Monitor"
  Identifier "monitor"
  HorizSync 5-1000
  VertRefresh 5-400
  ModeLine "1280x720" 193.12 1280 1376 1512 1744 720 721 724 769
EndSection
Section "Screen"
  Identifier "screen"
  Device "card"
  Monitor "monitor"
  DefaultDepth 24
  SubSection "Display"
    Depth 24
    Modes "1280x720"
    Virtual 1280 720
  EndSubSection
EndSection
`;

/** A running X server. */
export interface DummyDisplay {
  /** The display's name for the environment variable `DISPLAY`, such as `:7`. */
  readonly name: string;
  /** Ends the server and deletes its files. */
  stop(): Promise<void>;
}

/** The Debian packages of which something is missing here. */
export function missingXorgPackages(): string[] {
  const missing: string[] = [];
  if (findServer() === undefined) missing.push('xserver-xorg-core');
  if (!driverPaths.some((path) => existsSync(path))) missing.push('xserver-xorg-video-dummy');
  return missing;
}

/**
 * Starts a server on a free display number.
 *
 * @throws {Error} if it does not start, with the end of its log.
 */
export async function startDummyDisplay(): Promise<DummyDisplay> {
  const folder = await mkdtemp(join(tmpdir(), 'betwixt-display-'));
  const configFile = join(folder, 'xorg.conf');
  const logFile = join(folder, 'xorg.log');
  await writeFile(configFile, configuration);

  const server = spawn(
    findServer() ?? 'Xorg',
    [
      // The server picks the number itself and writes it here as soon as it accepts clients.
      '-displayfd',
      '3',
      '-config',
      configFile,
      // A folder without settings: those of this machine must not interfere.
      '-configdir',
      folder,
      '-logfile',
      logFile,
      '-nolisten',
      'tcp',
      // Stay up between two browsers, and never blank the screen.
      '-noreset',
      '-s',
      '0',
    ],
    // Detached, so that a Ctrl-C does not end it before the browsers that draw on it.
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'], detached: true },
  );
  const stop = async (): Promise<void> => {
    await endProcess(server);
    await rm(folder, { recursive: true, force: true });
  };

  try {
    const number = await readDisplayNumber(server);
    return { name: `:${number}`, stop };
  } catch (error) {
    const log = await readFile(logFile, 'utf8').catch(() => '(no log)');
    await stop();
    const end = log.trimEnd().split('\n').slice(-10).join('\n');
    throw new Error(`Xorg did not start. The end of its log:\n${end}`, { cause: error });
  }
}

function findServer(): string | undefined {
  return serverPaths.find((path) => existsSync(path));
}

function readDisplayNumber(server: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Xorg took too long.')), startTimeoutMs);
    const settle = (action: () => void): void => {
      clearTimeout(timer);
      action();
    };
    let text = '';
    const pipe = server.stdio[3] as Readable;
    pipe.setEncoding('utf8');
    pipe.on('data', (chunk: string) => {
      text += chunk;
      if (text.endsWith('\n')) settle(() => resolve(Number(text)));
    });
    server.once('error', (error) => settle(() => reject(error)));
    server.once('exit', (code) => settle(() => reject(new Error(`Xorg ended with ${code}.`))));
  });
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  await ended;
  clearTimeout(timer);
}
