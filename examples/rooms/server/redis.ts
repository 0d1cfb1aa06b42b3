/** Whether there is a Redis server: its clients would try again and again, without a word. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { firstLineOf, RefusedError } from '../../../scripts/cli/errors.js';

const DEFAULT_PORT = 6379;

/** @param address A URL, or the path of a socket. @throws RefusedError if nothing answers there. */
export async function requireRedis(address: string): Promise<void> {
  const socket = connect(placeOf(address));
  try {
    await once(socket, 'connect');
  } catch (error) {
    throw new RefusedError(
      `no Redis answers at ${address} (${firstLineOf(error)}): start one, for example with redis-server`,
    );
  } finally {
    socket.destroy();
  }
}

function placeOf(address: string) {
  if (address.startsWith('/')) return { path: address };
  if (!URL.canParse(address) || !/^rediss?:$/.test(new URL(address).protocol)) {
    throw new RefusedError(
      `--redis must be a URL such as redis://127.0.0.1:${DEFAULT_PORT}, or the path of a socket, but is "${address}"`,
    );
  }
  const { hostname, port } = new URL(address);
  return { host: hostname, port: port === '' ? DEFAULT_PORT : Number(port) };
}
