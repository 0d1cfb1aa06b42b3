/** Words that are hard to understand, and the standard terms to use instead: words.json. */
import { readFileSync } from 'node:fs';

/** @typedef {{ readonly index: number, readonly message: string }} Finding */

/** @type {readonly { readonly pattern: string, readonly use: string, readonly isCased?: boolean }[]} */
const entries = JSON.parse(readFileSync(new URL('words.json', import.meta.url), 'utf8'));
const words = entries.map(({ pattern, use, isCased = false }) => ({
  pattern: new RegExp(pattern, isCased ? 'gm' : 'gim'),
  use,
}));

/**
 * Finds such words in a text. Code in backticks is skipped.
 *
 * @param {string} text
 * @returns {readonly Finding[]} In the order of words.json.
 */
export function findWords(text) {
  const prose = text.replaceAll(/`[^`\n]*`/g, (code) => '`'.repeat(code.length));
  return words.flatMap(({ pattern, use }) =>
    [...prose.matchAll(pattern)].map(({ index, 0: found }) => ({
      index,
      message: `"${found.trim()}": write ${use}.`,
    })),
  );
}
