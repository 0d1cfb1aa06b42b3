/** The arguments of `npm run rooms`, checked. */
import { integer, number } from '../../../scripts/cli/arguments.js';
import { defineCommand, parseCommand } from '../../../scripts/cli/command.js';
import { RefusedError } from '../../../scripts/cli/errors.js';

export interface RoomsArguments {
  /** Port of the page; 0: one that is free. */
  readonly port: number;
  readonly host: string;
  /** Folder for the recordings of the rooms; undefined: none are made. */
  readonly recordings: string | undefined;
  /** For how long a lost player keeps the seat, in s. */
  readonly keepSeconds: number;
  /** How many processes run rooms. */
  readonly processes: number;
  /** Where processes find each other's rooms: a URL, or the path of a socket. Undefined: there is one process. */
  readonly redis: string | undefined;
}

const DEFAULT_PORT = 5180;
const MAX_PROCESSES = 64;

export const ROOMS = defineCommand({
  name: 'rooms',
  about:
    'Starts the example for rooms: a page, and a server that runs the simulation for all who open it. Ctrl-C ends it.',
  flags: {
    port: {
      value: 'PORT',
      about: `of the page, 0 to 65535; 0 takes one that is free (default ${DEFAULT_PORT})`,
    },
    host: {
      value: 'HOST',
      about:
        'the address to listen at; 0.0.0.0 lets others in your network play, too (default 127.0.0.1)',
    },
    recordings: {
      value: 'FOLDER',
      about: 'where rooms record their runs (default: they do not)',
    },
    'keep-seats': {
      value: 'SECONDS',
      about: 'how long a lost player keeps the seat, 0 to 3600 (default 10)',
    },
    processes: {
      value: 'N',
      about:
        'how many processes run rooms (default 1). More than one need --redis; each takes new rooms in its turn. Another ' +
        'one takes the place of one that ends',
    },
    redis: {
      value: 'URL',
      about:
        "a Redis server, such as redis://127.0.0.1:6379, or the path of its socket: processes find each other's rooms there",
    },
  },
  more: `Exit codes: 1 a process of rooms does not start; 2 wrong arguments, the port is in use, or Redis does not answer; 130
interrupted.`,
});

/** @throws RefusedError. */
export function readArguments(args: readonly string[]): RoomsArguments {
  const { values } = parseCommand(ROOMS, args);
  const processes = integer('--processes', values.processes ?? '1', 1, MAX_PROCESSES);
  if (processes > 1 && values.redis === undefined) {
    throw new RefusedError(
      `${processes} processes find each other's rooms by Redis: add --redis redis://127.0.0.1:6379, or where yours is`,
    );
  }
  return {
    port: values.port === undefined ? DEFAULT_PORT : integer('--port', values.port, 0, 65_535),
    host: values.host ?? '127.0.0.1',
    recordings: values.recordings,
    keepSeconds: number('--keep-seats', values['keep-seats'] ?? '10', 0, 3600),
    processes,
    redis: values.redis,
  };
}
