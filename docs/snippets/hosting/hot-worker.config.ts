import { betwixt } from 'betwixt/vite';
import { defineConfig, type Plugin } from 'vite';

/** Tells the page when a module of the worker has changed, instead of reloading the page. */
const hotWorker: Plugin = {
  name: 'hot-worker',
  handleHotUpdate({ file, server }) {
    if (!/\.worker\.ts$|\/simulation\//.test(file)) return undefined;
    server.ws.send({ type: 'custom', event: 'worker-changed' });
    return [];
  },
};

export default defineConfig({ plugins: [betwixt(), hotWorker] });
