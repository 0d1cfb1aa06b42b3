import { betwixt } from 'betwixt/vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Sends the headers that let the page and its worker share memory, and has `*.worker.ts` built as ES modules.
  plugins: [betwixt()],
  // Relative addresses: the built app works from any folder of any host.
  base: './',
  // three's renderer alone is over the usual limit, and cannot be split.
  build: { chunkSizeWarningLimit: 1000 },
  // Minutes: for machines that have something else to do.
  test: { include: ['tests/**/*.test.ts'], testTimeout: 120_000 },
});
