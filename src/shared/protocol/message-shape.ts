/**
 * The required fields of a message. Messages from the other side are checked on arrival, so the code that uses them need
 * not.
 */

/** Names of fields, each with the tags that its value may have. */
export type MessageShape = readonly (readonly [name: string, tags: readonly string[]])[];

/**
 * Parsed once, because a message may have thousands of items.
 *
 * @param fields The fields, each with the tags that its value may have, as from `Object.prototype.toString`; NaN and
 *   infinities have separate tags. `'tick:Number error:Object|Undefined'`.
 */
export const shapeOf = (fields: string): MessageShape =>
  fields.split(' ').map((field) => {
    const [name = '', tags = ''] = field.split(':');
    return [name, tags.split('|')];
  });

/** Describes the first wrong field of a message; undefined: all are right. */
export function wrongFields(value: object, shape: MessageShape): string | undefined {
  for (const [name, tags] of shape) {
    const held = (value as Readonly<Record<string, unknown>>)[name];
    const isNumber = typeof held === 'number' && !Number.isFinite(held);
    const tag = isNumber ? `${held}` : Object.prototype.toString.call(held).slice(8, -1);
    if (!tags.includes(tag)) return `${name} is ${tag}, and not ${tags.join('|')}`;
  }
  return undefined;
}
