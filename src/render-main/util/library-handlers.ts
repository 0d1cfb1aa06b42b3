/** Handlers of the library: an application that has none of its own still learns of a failure. */
import type { Json } from '../../shared/util/json.js';

/** What an application calls a body with a tag. */
export type NameOfBody = (tag: Json) => string | undefined;

/**
 * Marks a handler.
 *
 * @param nameOf For warnings of a body.
 * @returns The same one.
 */
export const ofLibrary = <Handler extends object>(handler: Handler, nameOf?: NameOfBody): Handler =>
  Object.assign(handler, { isOfLibrary: true, nameOf });

export const isOfLibrary = (
  handler: object,
): handler is { readonly nameOf: NameOfBody | undefined } => 'isOfLibrary' in handler;
