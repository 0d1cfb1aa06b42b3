/**
 * The lint rule that a constructor has at most three parameters: of more, a call does not show which is which. A class that needs
 * more takes an object with names, or reads some from a neighbor that it has.
 */
import { posix } from 'node:path';

const MOST = 3;

/**
 * Classes whose constructors may have more.
 *
 * @type {readonly { readonly file: string; readonly classes: readonly string[]; readonly because: string }[]}
 */
const EXCEPTIONS = [
  {
    file: 'src/react/rapier-values.ts',
    classes: ['RapierQuaternion'],
    because: "it is Rapier's Quaternion, of x, y, z and w",
  },
  {
    file: 'src/world/page/shape-classes.ts',
    classes: ['RoundCuboid', 'Heightfield', 'RoundTriangle'],
    because: 'they are classes of Rapier, with its parameters',
  },
];

/**
 * @typedef {{ readonly params: readonly unknown[] }} Constructor
 *
 * @typedef {{ readonly kind: string, readonly value: Constructor, readonly parent: { readonly parent: { readonly id?: { readonly name: string } | null } } }} Method
 */

export default {
  meta: { name: 'constructors' },
  rules: {
    'few-parameters': {
      /** @param {{ filename: string, cwd: string, report: (fault: object) => void }} context */
      create({ filename, cwd, report }) {
        const path = posix.relative(cwd.replaceAll('\\', '/'), filename.replaceAll('\\', '/'));
        const excepted = EXCEPTIONS.filter(({ file }) => file === path);
        const unused = new Set(excepted.flatMap(({ classes }) => classes));
        return {
          /** @param {Method} node */
          MethodDefinition(node) {
            const { length } = node.value.params;
            if (node.kind !== 'constructor' || length <= MOST) return;
            if (unused.delete(node.parent.parent.id?.name ?? '')) return;
            const message = `A constructor has at most ${MOST} parameters, and this one has ${length}: name them in an object.`;
            report({ node, message });
          },
          /** @param {object} node */
          'Program:exit'(node) {
            for (const name of unused) {
              report({ node, message: `constructors.js: ${name} needs no exception.` });
            }
          },
        };
      },
    },
  },
};
