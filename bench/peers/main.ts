/** Measures betwixt and the peers: `npm run bench:peers`. */
import { choice, integer, list, number } from '../../scripts/cli/arguments.js';
import { defineCommand, parseCommand } from '../../scripts/cli/command.js';
import { firstLineOf } from '../../scripts/cli/errors.js';
import { EXIT_CODES } from '../../scripts/cli/exit-codes.js';
import { runCommand } from '../../scripts/cli/run-command.js';
import { requireWritable } from '../cli/result-files.js';
import { alternately, tableOf, type Metric } from '../tables/figures.js';
import { TableOutput } from '../tables/output.js';
import { thisMachine } from '../tables/this-machine.js';
import { CONTESTANTS, CONTESTANT_NAMES, comparedOf, labelOf } from './engine/contestants.js';
import { FAULT_METRICS, METRICS, type FaultRepeat, type PeerRepeat } from './engine/figures.js';
import { PEERS_PAGE, measureFaults, measureMotion } from './measure-contestant.js';
import type { RunRequest } from './page/peers.js';
import { openProductionBrowser } from './production-browser.js';
import { settledScene } from './scene/settled-scene.js';

const DEFAULTS = {
  bodies: '0,200,400,1000,2000',
  hz: '60,144',
  seconds: '5',
  'warm-up': '1',
  repeats: '3',
};
/** Rough figures. */
const QUICK = { bodies: '400,1000', hz: '144', seconds: '2', 'warm-up': '0.5', repeats: '3' };
/** The number of bodies that the heap's pit is built for. */
const MAX_BODIES = 10_000;
/** Few: the faults do not depend on their number. */
const FAULT_BODIES = 50;

const COMMAND = defineCommand({
  name: 'bench:peers',
  about: `Compares betwixt with alternatives: same engine, scene, step and frames, alternately.

  npm run bench:peers
  npm run bench:peers -- --bodies 400,1000 --hz 144 --repeats 5 --json peers.json
  npm run bench:peers -- --quick --contestants betwixt-cannon,cannon-worker-api`,
  flags: {
    bodies: { value: 'COUNTS', about: `boxes in the heap (default ${DEFAULTS.bodies})` },
    hz: {
      value: 'RATES',
      about: `display rates; the page itself paces the frames (default ${DEFAULTS.hz})`,
    },
    contestants: { value: 'NAMES', about: '(default: all)' },
    repeats: {
      value: 'N',
      about: `runs of each, alternately; their differences are the spread (default ${DEFAULTS.repeats})`,
    },
    seconds: { value: 'S', about: `duration of each run (default ${DEFAULTS.seconds})` },
    'warm-up': { value: 'S', about: `warm-up before each run (default ${DEFAULTS['warm-up']})` },
    seed: { value: 'N', about: 'seed of the scene (default 1)' },
    quick: {
      about: `${QUICK.bodies} bodies, ${QUICK.hz} Hz, ${QUICK.repeats} × ${QUICK.seconds} s: rough figures`,
    },
    json: { value: 'FILE', about: 'all values, for scripts' },
  },
  more: `Contestants:
${CONTESTANT_NAMES.map((name) => `  ${name.padEnd(30)}${CONTESTANTS[name].about}`).join('\n')}

Tables are printed and written as they are measured, also when Ctrl-C ends the rest.
Exit codes: 0; 1 when runs failed; 2 for wrong arguments.`,
});

process.exit(await runCommand(COMMAND, main));

async function main(args: readonly string[]): Promise<number> {
  const { json, ...options } = readArguments(args);
  const browser = await openProductionBrowser(PEERS_PAGE);
  let areAllDone = true;
  try {
    const output = new TableOutput(thisMachine(browser.version), options, json);
    const { names, bodies, displayHz, repeats, seed, length } = options;
    const compare = async <T>(
      what: string,
      metrics: readonly Metric<T>[],
      measure: (contestant: (typeof names)[number]) => Promise<T>,
    ): Promise<void> => {
      const measured = await alternately(names, repeats, async (contestant, turn) => {
        process.stderr.write(`${what}, turn ${turn + 1}, ${labelOf(contestant)}\n`);
        try {
          return await measure(contestant);
        } catch (error) {
          areAllDone = false;
          process.stderr.write(`failed: ${firstLineOf(error)}\n`);
          return undefined;
        }
      });
      const turnsOf = (name: (typeof names)[number]) => measured[names.indexOf(name)] ?? [];
      for (const [ours, theirs] of comparedOf(names)) {
        const head = {
          title: what,
          ours: labelOf(ours),
          ...(theirs && { theirs: labelOf(theirs) }),
        };
        const turns = theirs === undefined ? [turnsOf(ours)] : [turnsOf(ours), turnsOf(theirs)];
        output.add(tableOf(head, turns, metrics));
      }
    };
    const requestFor = async (count: number, hz: number) => {
      const scene = await settledScene(count, seed);
      return (contestant: RunRequest['contestant']): RunRequest => ({
        contestant,
        displayHz: hz,
        scene,
      });
    };
    const toFaults = await requestFor(FAULT_BODIES, Math.max(...displayHz));
    await compare<FaultRepeat>('teleports and an error', FAULT_METRICS, (contestant) =>
      browser.visit((page) => measureFaults(page, toFaults(contestant))),
    );
    for (const count of bodies) {
      for (const hz of displayHz) {
        const toMotion = await requestFor(count, hz);
        await compare<PeerRepeat>(`${count} boxes, ${hz} Hz`, METRICS, (contestant) =>
          browser.visit((page) => measureMotion(page, toMotion(contestant), length)),
        );
      }
    }
  } finally {
    await browser.close();
  }
  return areAllDone ? EXIT_CODES.done : EXIT_CODES.failed;
}

/** @throws RefusedError with one line that says what is wrong. */
function readArguments(args: readonly string[]) {
  const { values } = parseCommand(COMMAND, args);
  requireWritable({ json: values.json });
  const defaults = values.quick ? QUICK : DEFAULTS;
  const chosen = list('--contestants', values.contestants ?? CONTESTANT_NAMES.join(','), (text) =>
    choice('--contestants', text, CONTESTANT_NAMES),
  );
  return {
    names: CONTESTANT_NAMES.filter((name) => chosen.includes(name)),
    bodies: list('--bodies', values.bodies ?? defaults.bodies, (text) =>
      integer('--bodies', text, 0, MAX_BODIES),
    ),
    displayHz: list('--hz', values.hz ?? defaults.hz, (text) => number('--hz', text, 10, 1000)),
    repeats: integer('--repeats', values.repeats ?? defaults.repeats, 1, 100),
    length: {
      seconds: number('--seconds', values.seconds ?? defaults.seconds, 0.5, 60),
      warmUpSeconds: number('--warm-up', values['warm-up'] ?? defaults['warm-up'], 0, 60),
    },
    seed: integer('--seed', values.seed ?? '1', 0, 2 ** 32 - 1),
    json: values.json,
  };
}
