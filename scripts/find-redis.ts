/** The server of Redis, for the tests of rooms in several processes. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstallPackages, installPackages } from './browsers/debian-packages.js';

/** The advice if there is none. */
export const REDIS_ADVICE =
  'redis-server is missing: install it, on Debian with "apt-get install redis-server"';

/** Path of `redis-server`; undefined if there is none. */
export const findRedis = (): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'redis-server'))
    .find((file) => existsSync(file));

/** Installs it if it is missing and this process may. */
export async function findOrInstallRedis(): Promise<string | undefined> {
  if (findRedis() === undefined && canInstallPackages()) await installPackages('redis-server');
  return findRedis();
}
