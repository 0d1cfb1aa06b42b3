/** The command's arguments, checked. */
import { choice } from '../scripts/cli/arguments.js';
import { defineCommand, parseCommand } from '../scripts/cli/command.js';
import { RefusedError } from '../scripts/cli/errors.js';
import { EXAMPLE_NAMES, type ExampleName } from './examples.js';
import { TEMPLATES, TEMPLATE_NAMES, type TemplateName } from './templates.js';

/** The given arguments; the command asks for the others, or uses defaults. */
export interface CreateArguments {
  readonly folder: string | undefined;
  readonly template: TemplateName | ExampleName | undefined;
  /** The source of betwixt: a version, or the path of a packed file. */
  readonly package: string | undefined;
}

const TEMPLATE_LINES = TEMPLATE_NAMES.map((name) => `  ${name.padEnd(9)}${TEMPLATES[name]}`);

export const CREATE = defineCommand({
  name: 'betwixt',
  usage: `npm create betwixt@latest FOLDER -- [options]
       npx betwixt create FOLDER [options]       where betwixt is installed
       npm run create -- FOLDER [options]        in a clone of betwixt's repository`,
  operands: 'create FOLDER',
  about:
    'Creates a working app: a simulation in a separate worker, a page that draws it, and tests of both. The folder is a\n' +
    "new or an empty one; its name becomes the app's. On a terminal, the command asks for missing arguments.",
  flags: {
    template: { value: 'NAME', about: 'a template or an example, as below (default vanilla)' },
    package: {
      value: 'FROM',
      about:
        'the betwixt to install: a version, or a file that `npm pack` made (default: the one that this command is part ' +
        'of: a release, the packed file that npx was given, or a clone, which is packed)',
    },
  },
  more: `Templates:
${TEMPLATE_LINES.join('\n')}

Examples: ${EXAMPLE_NAMES.join(', ')}

Exit codes: 0; 1 when files cannot be written; 2 for refused arguments, with one line that says why; 130 after Ctrl-C.`,
});

const SEE_HELP = '--help says how it is used';

/** @throws RefusedError. */
export function readArguments(args: readonly string[]): CreateArguments {
  const { values, operands } = parseCommand(CREATE, args);
  const [command, folder, ...others] = operands;
  if (command !== 'create') {
    const given = command === undefined ? 'none is given' : `"${command}" is given`;
    throw new RefusedError(`the command must be create, and ${given}: ${SEE_HELP}`);
  }
  if (others.length > 0) {
    throw new RefusedError(`one folder is needed, and ${others.length + 1} are given: ${SEE_HELP}`);
  }
  if (folder === '') throw new RefusedError(`the folder must have a name: ${SEE_HELP}`);
  const template =
    values.template === undefined
      ? undefined
      : choice('--template', values.template, [...TEMPLATE_NAMES, ...EXAMPLE_NAMES]);
  return { folder, template, package: values.package };
}
