/**
 * Builds the site and serves it as `npm run preview` does, for the tests that use it as people do.
 */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, preview } from 'vite';
import { build as buildDocumentation } from 'vitepress';
import {
  blankPage,
  endWithRunner,
  siteBlankPath,
  sitePreview,
  testRunVariable,
} from './test-server.js';

endWithRunner();
// Not `dist`: a test must not replace a developer's build.
const outDir = 'node_modules/.site-test';
// Several parts of one test run use the same site.
const marker = join(outDir, '.test-run');
const testRun = process.env[testRunVariable];
const isBuilt =
  testRun !== undefined && existsSync(marker) && readFileSync(marker, 'utf8') === testRun;
if (!isBuilt) {
  await build({ logLevel: 'error', build: { outDir, emptyOutDir: true } });
  // After the other pages: it looks for those that it shows.
  await buildDocumentation('docs', { outDir: join(outDir, 'docs') });
  copyFileSync(blankPage, join(outDir, siteBlankPath));
  if (testRun !== undefined) writeFileSync(marker, testRun);
}
const { httpServer } = await preview({
  logLevel: 'error',
  build: { outDir },
  preview: sitePreview,
});
// By itself, Node closes a connection that is idle for five seconds. Playwright's own requests (`route.fetch`), unlike the
// browser's, fail if they are sent in that moment, which a busy machine makes long.
if ('keepAliveTimeout' in httpServer) httpServer.keepAliveTimeout = 0;
