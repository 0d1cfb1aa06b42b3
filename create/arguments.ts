/** The command's arguments, checked. */
import { choice, parseFlags } from '../scripts/cli/arguments.js';
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

const TEMPLATE_LINES = TEMPLATE_NAMES.map((name) => `    ${name.padEnd(9)}${TEMPLATES[name]}`);

export const HELP = `usage: npm create betwixt@latest FOLDER -- [--template NAME] [--package VERSION|FILE]
       npx betwixt create FOLDER …         where betwixt is installed
       npm run create -- FOLDER …          in a clone of betwixt's repository

Creates a working app: a simulation in a separate worker, a page that draws it, and tests of both.

  FOLDER           a new or an empty folder; its name becomes the app's
  --template NAME  (default vanilla)
${TEMPLATE_LINES.join('\n')}
                   or an example: ${EXAMPLE_NAMES.join(', ')}
  --package FROM   the betwixt to install: a version, or a file that \`npm pack\` made
                   (default: the one that this command is part of: a release, the packed file that npx was given,
                   or a clone, which is packed)
  --help, -h       prints this

On a terminal, the command asks for missing arguments.
Exit codes: 0; 1 when files cannot be written; 2 for refused arguments, with one line that says why; 130 after Ctrl-C.
`;

const SEE_HELP = '--help says how it is used';

/** @returns Undefined when help is asked for. @throws RefusedError. */
export function readArguments(args: readonly string[]): CreateArguments | undefined {
  const { values, positionals } = parseFlags(
    {
      args: [...args],
      options: {
        template: { type: 'string' },
        package: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
      strict: true,
    },
    SEE_HELP,
  );
  if (values.help === true || args.length === 0) return undefined;
  const [command, folder, ...others] = positionals;
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
