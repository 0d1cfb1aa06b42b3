/** Entry point for `vite.config.ts`: `betwixt/vite`. */
export { betwixt, type BetwixtPluginOptions } from './plugin.js';
export { isolationHeaders } from './isolation-headers.js';
