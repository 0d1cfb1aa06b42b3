import { betwixt } from 'betwixt/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  // Relative addresses, so that it does not matter in which folder the site is.
  base: './',
  plugins: [betwixt({ serviceWorker: true })],
});
