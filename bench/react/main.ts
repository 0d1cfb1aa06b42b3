/** An application of React Three Fiber on both libraries: `npm run bench:react`. */
import { integer, list, number } from '../../scripts/cli/arguments.js';
import { defineCommand, parseCommand } from '../../scripts/cli/command.js';
import { EXIT_CODES } from '../../scripts/cli/exit-codes.js';
import { runCommand } from '../../scripts/cli/run-command.js';
import { requireWritable } from '../cli/result-files.js';
import { openProductionBrowser } from '../peers/production-browser.js';
import { settledScene } from '../peers/scene/settled-scene.js';
import { alternately, tableOf } from '../tables/figures.js';
import { TableOutput } from '../tables/output.js';
import { thisMachine } from '../tables/this-machine.js';
import { LIBRARIES, metricsOf, type Subject } from './figures.js';
import { REACT_PAGE, runOnPage } from './run-in-browser.js';

const BOXES_WITH_RAYS = 1000;

const COMMAND = defineCommand({
  name: 'bench:react',
  about: 'Compares an application on betwixt/react with the same on @react-three/rapier.',
  flags: {
    meshes: {
      value: 'COUNTS',
      about: 'boxes with a component and a mesh each (default 1000,2000)',
    },
    instances: { value: 'COUNTS', about: 'boxes as instances of one mesh (default 2000)' },
    rays: {
      value: 'COUNTS',
      about: `rays that each frame casts into a heap of ${BOXES_WITH_RAYS} moving boxes (default 0,1,10,100); with 0, betwixt has <Physics queries={false}>`,
    },
    repeats: { value: 'N', about: 'runs of each, alternately (default 5)' },
    seconds: { value: 'S', about: 'how long frames are measured in each run (default 4)' },
    'warm-up': {
      value: 'S',
      about: 'before that, until browsers have compiled all (default 8)',
    },
    mounts: { value: 'N', about: 'mounts and unmounts for the heap (default 10)' },
    json: { value: 'FILE', about: 'all values, for scripts' },
  },
  more: `Frames and the page's thread are measured in processor time of the page's main thread. A frame is its animation callback,
with what it runs in microtasks; the thread's share is of all that it does, with messages and garbage collections between
frames. Other work on the machine changes them little; but after a stall, @react-three/rapier computes several steps in a
frame, so goals are for a quiet machine. Mounts are elapsed times.`,
});

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseCommand(COMMAND, args);
  requireWritable({ json: values.json });
  const subjects: readonly Subject[] = [
    ...counts('meshes', values.meshes ?? '1000,2000', 1).map(
      (bodies) => ({ kind: 'meshes', bodies }) as const,
    ),
    ...counts('instances', values.instances ?? '2000', 1).map(
      (bodies) => ({ kind: 'instances', bodies }) as const,
    ),
    ...counts('rays', values.rays ?? '0,1,10,100', 0).map(
      (rays) => ({ kind: 'rays', bodies: BOXES_WITH_RAYS, rays }) as const,
    ),
  ];
  const options = {
    repeats: integer('--repeats', values.repeats ?? '5', 1, 100),
    seconds: number('--seconds', values.seconds ?? '4', 0.1, 60),
    warmUpSeconds: number('--warm-up', values['warm-up'] ?? '8', 0, 60),
    mounts: integer('--mounts', values.mounts ?? '10', 1, 100),
  };
  const browser = await openProductionBrowser(REACT_PAGE);
  try {
    const output = new TableOutput(thisMachine(browser.version), options, values.json);
    for (const subject of subjects) {
      const title = nameOf(subject);
      const scene = await settledScene(subject.bodies, 1);
      const measured = await alternately(LIBRARIES, options.repeats, (library, turn) => {
        process.stderr.write(`${title}, ${library}, run ${turn + 1}\n`);
        return browser.visit((page) => runOnPage(page, { ...subject, library, scene }, options));
      });
      const head = { title, ours: 'betwixt/react', theirs: '@react-three/rapier' };
      output.add(tableOf(head, measured, metricsOf(subject.kind)));
    }
  } finally {
    await browser.close();
  }
  return EXIT_CODES.done;
}

const counts = (option: string, text: string, least: number): number[] =>
  text === ''
    ? []
    : list(`--${option}`, text, (each) => integer(`--${option}`, each, least, 10_000));

const nameOf = ({ kind, bodies, rays }: Subject): string =>
  rays === undefined ? `${bodies} ${kind}` : `${rays} rays, ${bodies} boxes`;

process.exit(await runCommand(COMMAND, main));
