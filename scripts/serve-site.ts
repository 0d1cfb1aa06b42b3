/** Builds the site and serves it as `npm run preview` does, for the tests that use it as people do. */
import { build, preview } from 'vite';
import { endWithRunner, sitePreview } from './test-server.js';

endWithRunner();
// Not `dist`: a test must not replace what somebody has built.
const outDir = 'node_modules/.site-test';
await build({ logLevel: 'error', build: { outDir, emptyOutDir: true } });
await preview({ logLevel: 'error', build: { outDir }, preview: sitePreview });
