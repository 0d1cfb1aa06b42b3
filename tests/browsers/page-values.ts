/**
 * Calls between a test and its page as text, for protocols that carry no more than JSON: arguments
 * and results keep `undefined` at the top, NaN, the infinities and −0, and errors keep name,
 * message and stack.
 */

/** A call that ended in the page. */
interface Answer {
  readonly value?: unknown;
  readonly error?: { readonly name: string; readonly message: string; readonly stack: string };
}

/** The source of an expression: a promise of the text that `answerOf` reads. */
export function callSource(pageFunction: unknown, arg: unknown): string {
  // The two helpers are included as source: nothing has to be prepared in the page.
  return `(async () => {
    const toText = ${toText.toString()};
    const fromText = ${fromText.toString()};
    try {
      const { value: arg } = fromText(${JSON.stringify(toText({ value: arg }))});
      return toText({ value: await (${String(pageFunction)})(arg) });
    } catch (error) {
      const { name = 'Error', message = String(error), stack = '' } = error ?? {};
      return toText({ error: { name, message, stack } });
    }
  })()`;
}

/** @throws {Error} what was thrown in the page. */
export function answerOf(text: string): unknown {
  const { value, error } = fromText(text) as Answer;
  if (error === undefined) return value;
  throw new Error(`In the page: ${error.name}: ${error.message}\n${error.stack}`);
}

function toText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    const isPlain = typeof part !== 'number' || (Number.isFinite(part) && !Object.is(part, -0));
    return isPlain ? part : { '#number': Object.is(part, -0) ? '-0' : String(part) };
  });
}

function fromText(text: string): unknown {
  return JSON.parse(text, (_key, part: unknown) => {
    const isNumber = typeof part === 'object' && part !== null && '#number' in part;
    return isNumber ? Number(part['#number']) : part;
  });
}
