/** The command's arguments, checked. */
import { parseArgs } from 'node:util';
import { RefusedError } from './refused-error.js';
import { TEMPLATES, TEMPLATE_NAMES, type TemplateName } from './templates.js';

/** What was given; the rest is asked for, or left as usual. */
export interface CreateArguments {
  readonly folder: string | undefined;
  readonly template: TemplateName | undefined;
  /** Where betwixt comes from: a version, or the path of a packed file. */
  readonly package: string | undefined;
}

const TEMPLATE_LINES = TEMPLATE_NAMES.map((name) => `    ${name.padEnd(9)}${TEMPLATES[name]}`);

export const HELP = `usage: npx betwixt create FOLDER [--template NAME] [--package VERSION|FILE]
       npm run create -- FOLDER …          in a clone of betwixt's repository

Makes an app that starts: a simulation in a worker of its own, a page that draws it, and tests of both.

  FOLDER           a new or an empty folder; its name becomes the app's
  --template NAME  (default vanilla)
${TEMPLATE_LINES.join('\n')}
  --package FROM   where betwixt comes from: a version, or a file that \`npm pack\` made
                   (default: the release that this command is part of; in a clone, the clone, packed)
  --help, -h       prints this

What is left out is asked for on a terminal, and nowhere else.
Exit codes: 0; 1 when files cannot be written; 2 for what is refused, with one line that says why; 130 after Ctrl-C.
`;

const SEE_HELP = '--help says how it is used';

/** @returns Undefined when help is asked for. @throws RefusedError. */
export function readArguments(args: readonly string[]): CreateArguments | undefined {
  const { values, positionals } = parse(args);
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
  return { folder, template: readTemplate(values.template), package: values.package };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        template: { type: 'string' },
        package: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    // Node's message may go on with advice about other kinds of arguments.
    const [line = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new RefusedError(`${line.replace(/(?:\. To specify .*|\.)$/, '')}: ${SEE_HELP}`);
  }
}

function readTemplate(text: string | undefined): TemplateName | undefined {
  if (text === undefined) return undefined;
  const found = TEMPLATE_NAMES.find((name) => name === text);
  if (found !== undefined) return found;
  throw new RefusedError(`--template must be of ${TEMPLATE_NAMES.join(', ')}, and is "${text}"`);
}
