/** Entry point for `vite.config.ts`: `betwixt/vite`. */
export { betwixt, type BetwixtPluginOptions } from './plugin.js';
export {
  isolationHeaders,
  type EmbedderPolicy,
  type IsolationHeaders,
} from './isolation-headers.js';
