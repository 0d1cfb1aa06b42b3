import { betwixt } from 'betwixt/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [betwixt()],
});
