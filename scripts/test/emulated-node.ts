/** Node for 64-bit ARM on a machine with another processor, which Debian's qemu emulates. */
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canInstallPackages, installPackages } from '../browsers/debian-packages.js';
import { installNode } from './install-node.js';

/** Pinned: docs/recordings.md names what was compared. */
const VERSION = '20.20.2';

const QEMU = '/usr/bin/qemu-aarch64-static';
/** Debian's folder of libraries for ARM on other machines. */
const LIBRARIES = '/usr/aarch64-linux-gnu';

/** The emulator, and the libraries that Node is linked with, each with a file of it. */
const PACKAGES: Readonly<Record<string, string>> = {
  'qemu-user-static': QEMU,
  'libc6-arm64-cross': `${LIBRARIES}/lib/libc.so.6`,
  'libstdc++6-arm64-cross': `${LIBRARIES}/lib/libstdc++.so.6`,
  'libatomic1-arm64-cross': `${LIBRARIES}/lib/libatomic.so.1`,
};

const missing = (): string[] =>
  Object.keys(PACKAGES).filter((name) => !existsSync(PACKAGES[name] ?? ''));

/**
 * Installs what is missing, as far as this process may.
 *
 * @param onOutput Receives what npm prints. Undefined: it is printed.
 * @returns The path of a command that takes the arguments of Node, or why there is none.
 */
export async function installArmNode(
  onOutput: ((text: string) => void) | undefined,
): Promise<{ readonly path: string } | { readonly reason: string }> {
  if (missing().length > 0 && canInstallPackages()) await installPackages(...missing());
  if (missing().length > 0) {
    const names = Object.keys(PACKAGES).join(' ');
    return { reason: `no emulator of ARM: install it, on Debian with "apt-get install ${names}"` };
  }
  const node = await installNode(VERSION, onOutput, 'arm64');
  if (node === undefined) return { reason: `npm could not install Node ${VERSION} for arm64` };
  const path = join(dirname(node), 'emulated-node');
  const command = `#!/bin/sh\nexec ${QEMU} -L ${LIBRARIES} '${node}' "$@"\n`;
  writeFileSync(path, command, { mode: 0o755 });
  return { path };
}
