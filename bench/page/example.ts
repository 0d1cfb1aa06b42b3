/** The page shows this before its own result: measured on a virtual machine with two cores. */
import type { SharedResult } from './result-link.js';

export const EXAMPLE: SharedResult = {
  ended: 'time',
  measurements: [
    { bodies: 100, p25Ms: 0.385, p90Ms: 0.842 },
    { bodies: 800, p25Ms: 2.86, p90Ms: 3.62 },
    { bodies: 5100, p25Ms: 28.2, p90Ms: 32.5 },
    { bodies: 2900, p25Ms: 14, p90Ms: 16.6 },
    { bodies: 3300, p25Ms: 17.5, p90Ms: 21.4 },
    { bodies: 3000, p25Ms: 14.5, p90Ms: 17.5 },
    { bodies: 3200, p25Ms: 21.4, p90Ms: 26.5 },
    { bodies: 3200, p25Ms: 15.1, p90Ms: 17.7 },
    { bodies: 3000, p25Ms: 14.2, p90Ms: 16.7 },
  ],
};
