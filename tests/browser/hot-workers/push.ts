/** Changed by the tests, in m/s. */
export const PUSH = 0;
