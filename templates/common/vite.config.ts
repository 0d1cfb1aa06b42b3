import { betwixt } from 'betwixt/vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Sends the headers that shared memory needs, and builds `*.worker.ts` as ES modules.
  plugins: [betwixt()],
  // Relative URLs: the built app works in any folder of any host.
  base: './',
  // The renderer of three.js exceeds the default limit and cannot be split.
  build: { chunkSizeWarningLimit: 1000 },
  // Minutes, for busy machines.
  test: { include: ['tests/**/*.test.ts'], testTimeout: 120_000 },
});
