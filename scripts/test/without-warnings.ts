/**
 * For Vite's `resolve`: the library without the warnings for developers, which Vite otherwise includes in everything but a
 * production build. They wait for seconds and look at every body, so tests and measurements go without.
 */
import { fileURLToPath } from 'node:url';

const off = (folder: string): string =>
  fileURLToPath(new URL(`../../src/${folder}/development/off.ts`, import.meta.url));

export const withoutWarnings = {
  alias: {
    '#page-development': off('render-main'),
    '#world-development': off('render-main/world'),
    '#worker-development': off('sim-worker'),
  },
};
