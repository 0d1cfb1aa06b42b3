/** The page shows this before its own result: measured on a virtual machine with two cores. */
import type { SharedResult } from './result-link.js';

export const EXAMPLE: SharedResult = {
  ended: 'time',
  measurements: [
    { bodies: 100, p25Ms: 0.546, p90Ms: 0.912 },
    { bodies: 800, p25Ms: 3.52, p90Ms: 5.06 },
    { bodies: 4200, p25Ms: 33.5, p90Ms: 44.1 },
    { bodies: 2000, p25Ms: 11.9, p90Ms: 14.8 },
    { bodies: 2400, p25Ms: 12.3, p90Ms: 14.4 },
    { bodies: 2750, p25Ms: 11.4, p90Ms: 13 },
    { bodies: 3100, p25Ms: 13.3, p90Ms: 15.1 },
    { bodies: 3300, p25Ms: 14.1, p90Ms: 16.6 },
    { bodies: 3500, p25Ms: 14.4, p90Ms: 16.2 },
    { bodies: 3700, p25Ms: 14.8, p90Ms: 16.2 },
    { bodies: 3800, p25Ms: 16, p90Ms: 18.5 },
    { bodies: 3900, p25Ms: 17.6, p90Ms: 19.8 },
  ],
};
