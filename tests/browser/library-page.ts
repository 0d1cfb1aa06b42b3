/** Opens the library's test page. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testServer } from '../../scripts/test/test-server.js';
import { expect, test as base } from '../browsers/test.js';

const UNCOMPRESSED = { 'accept-encoding': 'identity' };

/** The test server, like a host that does not send a header. */
async function serveWithout(header: string) {
  const server = createServer(async ({ url = '/' }, answer) => {
    const got = await fetch(new URL(url, testServer.url), { headers: UNCOMPRESSED });
    const headers = new Headers(got.headers);
    headers.delete(header);
    // The next such server may have the same port, and lack another header.
    headers.set('cache-control', 'no-store');
    answer.writeHead(got.status, Object.fromEntries(headers));
    answer.end(new Uint8Array(await got.arrayBuffer()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export const test = base.extend<{
  /** A header that is missing from the page's and its workers' responses. */
  readonly missingHeader: string | undefined;
}>({
  missingHeader: [undefined, { option: true }],
  page: async ({ page, missingHeader }, use) => {
    const server = missingHeader === undefined ? undefined : await serveWithout(missingHeader);
    await page.goto(`${server?.address ?? ''}/tests/browser/pages/library.html`);
    await page.waitForFunction(() => 'library' in globalThis);
    await use(page);
    if (server === undefined) return;
    // First the page: it would complain of a server that is gone.
    await page.goto('about:blank');
    server.close();
  },
});
export { expect };
