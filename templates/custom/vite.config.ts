import { betwixt } from 'betwixt/vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Sends the headers that let the page and its worker share memory.
  plugins: [betwixt()],
  // Relative addresses: the built app works from any folder of any host.
  base: './',
  // Vite looks for dependencies in pages, but not in the workers that they start; one that it found late would
  // make it reload the page.
  optimizeDeps: { entries: ['index.html', 'src/**/*.ts'] },
  // three's renderer alone is over the usual limit, and cannot be split.
  build: { chunkSizeWarningLimit: 1000 },
  test: { include: ['tests/**/*.test.ts'] },
});
