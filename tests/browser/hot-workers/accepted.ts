/** A module of the worker only, which accepts its changes. */
export const ACCEPTED = 1;
