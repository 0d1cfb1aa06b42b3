/** A module of the page and of the worker. */
export const SHARED = 1;
