/** What the page shows before its own result: a real one, of `npm run bench` on a virtual machine with two cores. */
import type { SharedResult } from './result-link.js';

export const EXAMPLE: SharedResult = {
  ended: 'found',
  measurements: [
    { bodies: 100, p10Ms: 0.26, p90Ms: 2.04 },
    { bodies: 400, p10Ms: 1.05, p90Ms: 10.2 },
    { bodies: 4700, p10Ms: 31.6, p90Ms: 120 },
    { bodies: 4700, p10Ms: 31.6, p90Ms: 120 },
    { bodies: 3000, p10Ms: 9.91, p90Ms: 59.6 },
  ],
};
