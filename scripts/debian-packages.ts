import { existsSync } from 'node:fs';
import { run } from './child-process.js';

/** Whether this process may install packages: it runs as root on Debian or a relative of it. */
export function canInstallPackages(): boolean {
  return (
    process.platform === 'linux' &&
    process.getuid?.() === 0 &&
    existsSync('/etc/debian_version') &&
    existsSync('/usr/bin/apt-get')
  );
}

/** Installs Debian packages with as little beside them as possible; resolves to whether it did. */
export async function installPackages(...packages: string[]): Promise<boolean> {
  console.log(`Installing ${packages.join(' ')} with apt-get.`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  // A failed update is no reason to give up: the lists that are there may do.
  await run('apt-get', ['update', '-q'], env);
  const args = ['install', '-q', '-y', '--no-install-recommends', ...packages];
  return (await run('apt-get', args, env)) === 0;
}
