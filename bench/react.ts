/**
 * `npm run bench:react`: an application of React Three Fiber on `betwixt/react` and on `@react-three/rapier`, in one browser,
 * alternately. A goal that is missed is marked; the command does not fail, because a busy machine is not a defect of the
 * code.
 */
import { writeFileSync } from 'node:fs';
import { parseFlags, integer, list, number } from '../scripts/cli/arguments.js';
import { EXIT_CODES } from '../scripts/cli/exit-codes.js';
import { runCommand } from '../scripts/cli/run-command.js';
import { printTable } from '../scripts/cli/table.js';
import { requireWritable } from './cli/result-files.js';
import { machineLines } from './engine/summary.js';
import { thisMachine } from './peers/cli/this-machine.js';
import type { PeerScene } from './peers/scene/peer-scene.js';
import { settledScene } from './peers/scene/settled-scene.js';
import {
  LIBRARIES,
  rowsOf,
  type LibraryName,
  type Row,
  type RunFigures,
  type Subject,
  type SubjectResult,
} from './react/figures.js';
import { openBenchBrowser, type BenchBrowser } from './react/run-in-browser.js';

const HELP = `Compares an application on betwixt/react with the same on @react-three/rapier.

  npm run bench:react -- --json react.json

  --meshes COUNTS     boxes with a component and a mesh each (default 1000,2000)
  --instances COUNTS  boxes as instances of one mesh (default 2000)
  --rays COUNTS       rays that each frame casts into a heap of 1,000 moving boxes (default 0,1,10,100); with 0, betwixt
                      has <Physics queries={false}>
  --repeats N         runs of each, alternately (default 5)
  --seconds S         how long frames are measured in each run (default 4)
  --warm-up S         before that, until browsers have compiled all (default 8)
  --mounts N          mounts and unmounts for the heap (default 10)
  --json FILE         the result, for scripts

Frames and the page's thread are measured in processor time of the page's main thread. A frame is its animation callback,
with what it runs in microtasks; the thread's share is of all that it does, with messages and garbage collections between
frames. Other work on the machine changes them little; but after a stall, @react-three/rapier computes several steps in a
frame, so goals are for a quiet machine. Mounts are elapsed times.
`;

const BOXES_WITH_RAYS = 1000;

const OPTIONS = {
  meshes: { type: 'string' },
  instances: { type: 'string' },
  rays: { type: 'string' },
  repeats: { type: 'string' },
  seconds: { type: 'string' },
  'warm-up': { type: 'string' },
  mounts: { type: 'string' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseFlags({ args: [...args], options: OPTIONS, strict: true });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT_CODES.done;
  }
  requireWritable({ json: values.json });
  const subjects = [
    ...subjectsOf('meshes', values.meshes ?? '1000,2000'),
    ...subjectsOf('instances', values.instances ?? '2000'),
    ...counts('rays', values.rays ?? '0,1,10,100', 0).map((rays): Subject => ({
      kind: 'rays',
      bodies: BOXES_WITH_RAYS,
      rays,
    })),
  ];
  const repeats = integer('--repeats', values.repeats ?? '5', 1, 100);
  const options = {
    seconds: number('--seconds', values.seconds ?? '4', 0.1, 60),
    warmUpSeconds: number('--warm-up', values['warm-up'] ?? '8', 0, 60),
    mounts: integer('--mounts', values.mounts ?? '10', 1, 100),
  };
  const browser = await openBenchBrowser(options);
  try {
    const machine = thisMachine(browser.version);
    process.stdout.write(`${machineLines(machine).join('\n')}\n`);
    const results: SubjectResult[] = [];
    for (const subject of subjects) {
      const result = await measure(browser, subject, repeats);
      results.push(result);
      print(subject, rowsOf(result));
      if (values.json === undefined) continue;
      const written = { made: new Date().toISOString(), machine, repeats, options, results };
      writeFileSync(values.json, `${JSON.stringify(written, undefined, 1)}\n`);
    }
  } finally {
    await browser.close();
  }
  return EXIT_CODES.done;
}

const subjectsOf = (kind: 'meshes' | 'instances', text: string): Subject[] =>
  counts(kind, text, 1).map((bodies) => ({ kind, bodies }));

const counts = (option: string, text: string, least: number): number[] =>
  text === ''
    ? []
    : list(`--${option}`, text, (each) => integer(`--${option}`, each, least, 10_000));

/** Both libraries alternately, so that other load on the machine affects them alike. */
async function measure(
  browser: BenchBrowser,
  subject: Subject,
  repeats: number,
): Promise<SubjectResult> {
  const scene: PeerScene = await settledScene(subject.bodies, 1);
  const runs: Record<LibraryName, RunFigures[]> = { betwixt: [], rapier: [] };
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const library of LIBRARIES) {
      process.stderr.write(`${nameOf(subject)}, ${library}, run ${repeat + 1}\n`);
      runs[library].push(await browser.run({ ...subject, library, scene }));
    }
  }
  return { ...subject, runs };
}

const nameOf = ({ kind, bodies, rays }: Subject): string =>
  rays === undefined ? `${bodies} ${kind}` : `${rays} rays, ${bodies} boxes`;

function print(subject: Subject, rows: readonly Row[]): void {
  process.stdout.write('\n');
  printTable([
    [nameOf(subject), 'betwixt/react', '@react-three/rapier', 'ratio', 'goal'],
    ...rows.map(({ what, betwixt, rapier, ratio, goal }) => [what, betwixt, rapier, ratio, goal]),
  ]);
}

process.exit(await runCommand('bench:react', main));
