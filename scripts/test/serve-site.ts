/**
 * Builds the site and serves it as `npm run preview` does, for the tests that use it as people do.
 */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, preview } from 'vite';
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
  copyFileSync(blankPage, join(outDir, siteBlankPath));
  if (testRun !== undefined) writeFileSync(marker, testRun);
}
await preview({ logLevel: 'error', build: { outDir }, preview: sitePreview });
