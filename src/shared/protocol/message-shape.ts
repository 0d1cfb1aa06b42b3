/**
 * Checks the required fields of a message. Messages from the other side are checked on arrival, so the code that uses
 * them need not.
 *
 * @param fields The fields, each with the tags that its value may have: those of `Object.prototype.toString`, except
 *   that NaN and infinities have their own. `'tick:Number error:Object|Undefined'`.
 * @returns What is wrong; undefined: nothing.
 */
export function wrongFields(value: object, fields: string): string | undefined {
  for (const field of fields === '' ? [] : fields.split(' ')) {
    const [name = '', tags = ''] = field.split(':');
    const held = (value as Readonly<Record<string, unknown>>)[name];
    const isNumber = typeof held === 'number' && !Number.isFinite(held);
    const tag = isNumber ? `${held}` : Object.prototype.toString.call(held).slice(8, -1);
    if (!tags.split('|').includes(tag)) return `${name} is ${tag}, and not ${tags}`;
  }
  return undefined;
}
