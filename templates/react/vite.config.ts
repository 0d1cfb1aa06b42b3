import react from '@vitejs/plugin-react';
import { betwixt } from 'betwixt/vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The second one sends the headers that shared memory needs, and builds `*.worker.ts` as ES modules.
  plugins: [react(), betwixt()],
  // Relative URLs: the built app works in any folder of any host.
  base: './',
  // Rapier with its WebAssembly is one file, which the worker loads.
  build: { chunkSizeWarningLimit: 5000 },
  // Minutes, for busy machines.
  test: { include: ['tests/**/*.test.tsx'], testTimeout: 120_000 },
});
