/** Handlers of the library: an application that has none of its own still learns of a failure. */

/** Marks a handler. @returns The same one. */
export const ofLibrary = <Handler extends object>(handler: Handler): Handler =>
  Object.assign(handler, { isOfLibrary: true });

export const isOfLibrary = (handler: object): boolean => 'isOfLibrary' in handler;
