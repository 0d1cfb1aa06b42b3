/** Where a server of the tests listens, and how it is started. */
export interface TestServer {
  readonly url: string;
  /** A file on it that always exists: shows that the server is up. */
  readonly readyUrl: string;
  readonly command: string;
}

/** Environment variable with the first of the two ports: another one lets two clones run their tests at once. */
export const testPortVariable = 'BETWIXT_TEST_PORT';

/**
 * The ports are fixed so that a forgotten server is a clear error, and they are not Vite's defaults so that
 * `npm start` and `npm run preview` may run at the same time.
 */
export const host = '127.0.0.1';
const firstPort = Number(process.env[testPortVariable] ?? 5190);
const ports = { pages: firstPort, site: firstPort + 1 } as const;

/** The pages of the tests in browsers, built. */
export const testServer: TestServer = {
  url: `http://${host}:${ports.pages}`,
  readyUrl: `http://${host}:${ports.pages}/_headers`,
  // Not `npx`: a shell and npm in between are two more processes to stop.
  command: `node --import tsx scripts/test/serve-site.ts ${ports.pages}`,
};

/** The same with the documentation: the whole built site, as users get it. */
export const siteServer: TestServer = {
  url: `http://${host}:${ports.site}`,
  readyUrl: `http://${host}:${ports.site}/_headers`,
  command: `node --import tsx scripts/test/serve-site.ts ${ports.site} docs`,
};

/**
 * The page between two tests. It names an icon: otherwise Chromium requests one, and reports on the
 * console that there is none.
 */
export const blankPage = 'tests/browser/pages/blank.html';

/** Environment variable that identifies one run of the tests, in which the site is built once. */
export const testRunVariable = 'BETWIXT_TEST_RUN';

/**
 * Ends this process when its standard input ends, which happens when the test runner that started
 * it is gone. A killed runner cannot stop it, and the next run would find its port in use.
 */
export function endWithRunner(): void {
  process.stdin.once('end', () => process.exit()).resume();
}
