/** The address of the page that shows the source of an example. */

/** @param name Of a card, relative to the gallery. */
export const sourceOf = (name: string): string => `./source.html?example=${name}`;
