/** Another test server, like a host that does not send a header. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

export interface PoorServer {
  /** Without a slash at its end. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Passes everything on except one header of the responses.
 *
 * @param header Its name in lower case.
 */
export async function serveWithout(header: string, origin: string): Promise<PoorServer> {
  const server = createServer((asked, answer) => {
    const { method = 'GET', url = '/', headers } = asked;
    const passedOn = request(new URL(url, origin), { method, headers }, (got) => {
      const kept = Object.entries(got.headers).filter(([name]) => name !== header);
      // The next such server may have the same port, and lack another header.
      const uncached = { ...Object.fromEntries(kept), 'cache-control': 'no-store' };
      answer.writeHead(got.statusCode ?? 502, uncached);
      got.pipe(answer);
    });
    passedOn.once('error', () => answer.destroy());
    asked.pipe(passedOn);
  });
  // The development server's own socket: without it the page would complain.
  const upgraded = new Set<Duplex>();
  server.on('upgrade', ({ method, url, rawHeaders }, socket, head) => {
    upgraded.add(socket);
    const { hostname, port } = new URL(origin);
    const passedOn = connect(Number(port), hostname, () => {
      const headers = rawHeaders.map((text, at) => `${text}${at % 2 === 0 ? ': ' : '\r\n'}`);
      passedOn.write(`${method} ${url} HTTP/1.1\r\n${headers.join('')}\r\n`);
      passedOn.write(head);
      passedOn.pipe(socket).pipe(passedOn);
    });
    socket.once('error', () => passedOn.destroy()).once('close', () => passedOn.destroy());
    passedOn.once('error', () => socket.destroy()).once('close', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
