/** The lint rule that checks the words of comments and messages. */
import { findWords } from './words.js';

/** A string without a space is a name or a key. */
const MESSAGE = /\S \S/;

export default {
  meta: { name: 'plain' },
  rules: {
    words: {
      /** @param {{ sourceCode: { getAllComments: () => { value: string }[] }, report: (problem: object) => void }} context */
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
            for (const comment of sourceCode.getAllComments()) check(comment, comment.value);
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
