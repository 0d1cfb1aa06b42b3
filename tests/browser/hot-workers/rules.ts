/** A module of the worker only. Changed by the tests. */
export const RULES = 1;
