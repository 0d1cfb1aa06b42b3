import { betwixt } from 'betwixt/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  // Relative URLs, so that the site works in any folder.
  base: './',
  plugins: [betwixt({ serviceWorker: true })],
});
