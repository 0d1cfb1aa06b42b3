/** The arguments of `npm run rooms`, checked. */
import { integer, parseFlags } from '../../../scripts/cli/arguments.js';

export interface RoomsArguments {
  /** Of the page; 0: one that is free. */
  readonly port: number;
  readonly host: string;
  /** Folder for the recordings of the rooms; undefined: none are made. */
  readonly recordings: string | undefined;
}

const DEFAULT_PORT = 5180;

export const HELP = `usage: npm run rooms -- [--port PORT] [--host HOST] [--recordings FOLDER]

Starts the example for rooms: a page, and a server that runs the simulation for all who open it. Ctrl-C ends it.

  --port PORT          of the page, 0 to 65535; 0 takes one that is free. Default ${DEFAULT_PORT}
  --host HOST          the address to listen at. 0.0.0.0 lets others in your network play, too. Default 127.0.0.1
  --recordings FOLDER  where rooms record their runs, for npm run verify. Default: they do not
  --help, -h           prints this

Exit codes: 1 the server of the rooms ended; 2 wrong arguments, or the port is in use; 130 interrupted.
`;

const SEE_HELP = 'npm run rooms -- --help says how it is used';

/** @returns Undefined when help is asked for. @throws RefusedError. */
export function readArguments(args: readonly string[]): RoomsArguments | undefined {
  const { values } = parseFlags(
    {
      args: [...args],
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        recordings: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    },
    SEE_HELP,
  );
  if (values.help === true) return undefined;
  return {
    port: values.port === undefined ? DEFAULT_PORT : integer('--port', values.port, 0, 65_535),
    host: values.host ?? '127.0.0.1',
    recordings: values.recordings,
  };
}
