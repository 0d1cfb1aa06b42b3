/** The command's arguments, checked. */
import { choice, integer, list, number } from '../../scripts/cli/arguments.js';
import { parseCommand } from '../../scripts/cli/command.js';
import { RefusedError } from '../../scripts/cli/errors.js';
import { ENGINE_NAMES } from '../engines/bench-world.js';
import { type BenchOptions, type Runtime } from '../engine/index.js';
import { SCENE_NAMES } from '../scenes/bench-scene.js';
import { DEFAULTS } from '../runner/settings.js';
import { BENCH } from './help.js';
import {
  MAX_BODIES,
  OWN_ENGINE,
  SCRIPTED_ENGINE,
  isScripted,
  setupOf,
} from '../worker/bench-setup.js';

export interface BenchArguments {
  readonly options: BenchOptions;
  readonly seed: number;
  /**
   * Maximum number of bodies of `--worker`; undefined: `connect`'s default, or with `--bodies`
   * enough for all.
   */
  readonly capacity: number | undefined;
  /** A file to write. */
  readonly json: string | undefined;
  /** An earlier result to compare with. */
  readonly compare: string | undefined;
}

/** Runtimes that the command starts; a visitor's device may have others. */
const STARTED_RUNTIMES: readonly Runtime[] = ['chromium', 'node'];

type Values = ReturnType<typeof parseCommand<typeof BENCH.flags>>['values'];

/** @throws RefusedError with one line that says what is wrong. */
export function readArguments(args: readonly string[]): BenchArguments {
  const { values } = parseCommand(BENCH, args);
  return {
    options: readOptions(values),
    seed: integer('--seed', values.seed ?? '1', 0, 2 ** 32 - 1),
    capacity: readCapacity(values),
    json: values.json,
    compare: values.compare,
  };
}

function readOptions(values: Values): BenchOptions {
  const shared = {
    tickRatesHz: list('--tick-hz', values['tick-hz'] ?? DEFAULTS.tickRatesHz.join(','), (text) =>
      number('--tick-hz', text, 1, 1000),
    ),
    seconds: number('--seconds', values.seconds ?? String(DEFAULTS.seconds), 0.1, 60),
    warmUpSeconds: number('--warm-up', values['warm-up'] ?? String(DEFAULTS.warmUpSeconds), 0, 60),
    repeats: integer('--repeats', values.repeats ?? String(DEFAULTS.repeats), 1, 100),
    bodies: values.bodies === undefined ? [] : list('--bodies', values.bodies, bodyCount),
  };
  return values.worker === undefined
    ? { ...shared, ...readBuiltIn(values), worker: null }
    : { ...shared, ...readWorker(values, values.worker) };
}

function readCapacity({ capacity, worker, bodies }: Values): number | undefined {
  if (capacity === undefined) return undefined;
  if (worker === undefined) {
    throw new RefusedError('--capacity must be left out without --worker: scenes have room enough');
  }
  const max = integer('--capacity', capacity, 1, 2 ** 20);
  const asked = bodies === undefined ? [] : list('--bodies', bodies, bodyCount);
  const largest = Math.max(0, ...asked);
  if (largest <= max) return max;
  throw new RefusedError(
    `--capacity must have room for --bodies, ${largest} or more, but is "${capacity}"`,
  );
}

function readBuiltIn(values: Values) {
  const scenes = list('--scene', values.scene ?? DEFAULTS.scenes.join(','), scene);
  const areScripted = scenes.map(isScripted);
  const engines = areScripted.every(Boolean)
    ? [SCRIPTED_ENGINE]
    : list('--engine', values.engine ?? DEFAULTS.engines.join(','), (text) =>
        choice('--engine', text, ENGINE_NAMES),
      );
  if (areScripted.includes(true) && areScripted.includes(false)) {
    throw new RefusedError('--scene must be all scripted or none, but is some of each');
  }
  return {
    scenes,
    engines,
    runtimes: list('--runtime', values.runtime ?? DEFAULTS.runtimes.join(','), (text) =>
      choice<Runtime>('--runtime', text, STARTED_RUNTIMES),
    ),
  };
}

/** The user's own worker runs in a browser. Its bodies vary only if their numbers are given. */
function readWorker(values: Values, worker: string) {
  for (const name of ['scene', 'engine'] as const) {
    if (values[name] !== undefined) {
      throw new RefusedError(`--${name} must be left out with --worker, which runs what it runs`);
    }
  }
  if (values.runtime !== undefined && values.runtime !== 'chromium') {
    throw new RefusedError(`--runtime must be chromium with --worker, but is "${values.runtime}"`);
  }
  return {
    scenes: [worker],
    engines: [OWN_ENGINE],
    runtimes: ['chromium'] as const,
    // 0: as many as it has.
    ...(values.bodies === undefined ? { bodies: [0] } : {}),
    worker,
  };
}

const bodyCount = (text: string): number => integer('--bodies', text, 1, MAX_BODIES);

function scene(text: string): string {
  if (!isScripted(text)) return choice('--scene', text, SCENE_NAMES);
  try {
    setupOf({ scene: text, engine: SCRIPTED_ENGINE, bodies: 1 }, 1);
  } catch {
    throw new RefusedError(
      `--scene must be scripted:constant|linear|noisy:MS when it is scripted, but is "${text}"`,
    );
  }
  return text;
}
