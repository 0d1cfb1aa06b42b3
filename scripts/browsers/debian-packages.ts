import { existsSync } from 'node:fs';
import { run } from '../child-process.js';

/** Whether this process may install packages: it runs as root on Debian or a relative of it. */
export function canInstallPackages(): boolean {
  return (
    process.platform === 'linux' &&
    process.getuid?.() === 0 &&
    existsSync('/etc/debian_version') &&
    existsSync('/usr/bin/apt-get')
  );
}

/** The latest installation: apt-get refuses to run while another one runs. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Installs Debian packages with as few dependencies as possible, and says so first. The output of
 * apt-get is shown if it fails.
 *
 * @returns Whether they were installed.
 */
export function installPackages(...packages: string[]): Promise<boolean> {
  const installation = last.then(() => install(packages));
  last = installation.catch(() => {});
  return installation;
}

async function install(packages: readonly string[]): Promise<boolean> {
  console.log(`Installing ${packages.join(', ')} with apt-get.`);
  let output = '';
  const options = {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
    onOutput: (text: string) => {
      output += text;
    },
  };
  // Not an error yet: the existing lists may suffice.
  await run('apt-get', ['update', '-q'], options);
  const args = ['install', '-q', '-y', '--no-install-recommends', ...packages];
  const isInstalled = (await run('apt-get', args, options)) === 0;
  if (!isInstalled) console.error(`apt-get failed:\n${output}`);
  return isInstalled;
}
