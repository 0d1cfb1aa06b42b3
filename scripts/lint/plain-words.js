/** The lint rule that checks the words of comments and messages. */
import { findWords } from './words.js';

/** A comment has to be understood alone, and nothing before it says what they mean. */
const PRONOUN = /^[\s*]*(?:It|Its|They|Their|Them|He|She|His|Her|This|These|Those|That|Of)\b/;
/** A string without a space is a name or a key. */
const MESSAGE = /\S \S/;

/** @typedef {{ type: 'Line' | 'Block', value: string, loc: { start: { line: number }, end: { line: number } } }} Comment */

export default {
  meta: { name: 'plain' },
  rules: {
    words: {
      /** @param {{ sourceCode: { getAllComments: () => Comment[] }, report: (problem: object) => void }} context */
      create({ sourceCode, report }) {
        /**
         * @param {object} node
         * @param {unknown} text
         */
        const check = (node, text) => {
          if (typeof text !== 'string') return;
          for (const { message } of findWords(text)) report({ node, message });
        };
        return {
          Program() {
            let end = -1;
            for (const comment of sourceCode.getAllComments()) {
              check(comment, comment.value);
              const { start } = comment.loc;
              const [pronoun] = PRONOUN.exec(comment.value) ?? [];
              // Not the second line of a comment.
              if (pronoun && !(comment.type === 'Line' && start.line === end)) {
                report({
                  node: comment,
                  message: `"${pronoun.replaceAll(/[\s*]/g, '')}": begin with a noun.`,
                });
              }
              end = comment.loc.end.line + 1;
            }
          },
          /** @param {{ value: unknown }} node */
          Literal(node) {
            if (typeof node.value === 'string' && MESSAGE.test(node.value)) check(node, node.value);
          },
          /** @param {{ value: { cooked?: string } }} node */
          TemplateElement(node) {
            if (MESSAGE.test(node.value.cooked ?? '')) check(node, node.value.cooked);
          },
        };
      },
    },
  },
};
