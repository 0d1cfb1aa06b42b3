/**
 * Builds the site and serves it as `npm run preview` does, for the tests that use it as people do.
 * The pages of the tests in browsers are built with it: they share its engines, which take the time.
 * Built, a worker starts in a tenth of the processor time that its forty modules would take.
 *
 * Arguments: the port, and `docs` if the documentation is needed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, preview } from 'vite';
import { build as buildDocumentation } from 'vitepress';
import { endWithRunner, host, testRunVariable } from './test-server.js';

endWithRunner();
const [port, docs] = process.argv.slice(2);
// Not `dist`: a test must not replace a developer's build.
const outDir = 'node_modules/.site-test';

const htmlIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.html'))
    .map((name) => join(folder, name));

const buildPages = () =>
  build({
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: true,
      rolldownOptions: {
        // Besides those of the site.
        input: [
          ...htmlIn('tests/browser/pages'),
          ...htmlIn('tests/real-time/pages'),
          'lab/real/real.html',
        ],
      },
    },
  });

function buildDocs(): Promise<void> {
  // In its own process, so that this one, which stays, does not keep the compiler's memory.
  const args = ['--import', 'tsx', 'scripts/api/api-reference.ts'];
  execFileSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  return buildDocumentation('docs', {
    outDir: join(outDir, 'docs'),
    onAfterConfigResolve(config) {
      // Without colors in code, which would take more than half of the time.
      config.markdown = { ...config.markdown, highlight: plainCode };
    },
  });
}

const plainCode = (code: string): string => {
  const text = code.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  // Reachable by keys, as code with colors is.
  return `<pre v-pre tabindex="0"><code>${text}</code></pre>`;
};

/** Several parts of one test run use the same site. */
async function buildOnce(markerName: string, make: () => Promise<unknown>): Promise<void> {
  const marker = join(outDir, markerName);
  const testRun = process.env[testRunVariable];
  if (testRun !== undefined && existsSync(marker) && readFileSync(marker, 'utf8') === testRun)
    return;
  await make();
  if (testRun !== undefined) writeFileSync(marker, testRun);
}

await buildOnce('.test-run', buildPages);
// After the other pages: it looks for those that it shows.
if (docs !== undefined) {
  await buildOnce('.test-run-docs', buildDocs);
}
const { httpServer } = await preview({
  logLevel: 'error',
  build: { outDir },
  preview: { host, port: Number(port), strictPort: true },
});
// By itself, Node closes a connection that is idle for five seconds. Playwright's own requests (`route.fetch`), unlike the
// browser's, fail if they are sent in that moment, which a busy machine makes long.
if ('keepAliveTimeout' in httpServer) httpServer.keepAliveTimeout = 0;
