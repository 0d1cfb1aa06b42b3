/** Asks on the terminal for missing arguments. */
import { createInterface, type Interface } from 'node:readline/promises';
import { packageNameOf, requireEmptyFolder } from './checks.js';
import { RefusedError } from '../scripts/cli/errors.js';
import { TEMPLATES, TEMPLATE_NAMES, type TemplateName } from './templates.js';

/** The terminal for questions. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** The question was cancelled by Ctrl-C or by the end of the input. */
export class AbandonedError extends Error {
  override readonly name = 'AbandonedError';
}

export function askFolder(terminal: Terminal): Promise<string> {
  return ask(terminal, 'Folder of the app (my-app): ', (answer) => {
    const folder = answer === '' ? 'my-app' : answer;
    requireEmptyFolder(folder);
    packageNameOf(folder);
    return folder;
  });
}

export function askTemplate(terminal: Terminal): Promise<TemplateName> {
  TEMPLATE_NAMES.forEach((name, index) => {
    terminal.output.write(`  ${index + 1}  ${name.padEnd(8)} ${TEMPLATES[name]}\n`);
  });
  return ask(terminal, 'Template (1): ', (answer) => {
    const index = answer === '' ? 0 : Number(answer) - 1;
    const found = TEMPLATE_NAMES[index] ?? TEMPLATE_NAMES.find((name) => name === answer);
    if (found !== undefined) return found;
    throw new RefusedError(`it must be a number from 1 to ${TEMPLATE_NAMES.length} or a name`);
  });
}

/** Asks until the answer is valid. */
async function ask<T>(
  { input, output }: Terminal,
  question: string,
  take: (answer: string) => T,
): Promise<T> {
  const lines = createInterface({ input, output });
  try {
    for (;;) {
      const answer = (await answerTo(lines, question)).trim();
      try {
        return take(answer);
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        output.write(`  ${error.message}\n`);
      }
    }
  } finally {
    lines.close();
  }
}

/** Without this, `question` would wait forever when the input ends. */
function answerTo(lines: Interface, question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const abandon = (): void => reject(new AbandonedError());
    lines.once('SIGINT', abandon);
    lines.once('close', abandon);
    lines.question(question).then(resolve, reject);
  });
}
