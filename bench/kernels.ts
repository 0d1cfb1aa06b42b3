/**
 * `npm run bench:kernels`: what the inner loops cost on this machine.
 *
 * Prints a table against the project's limits. A figure over its limit is marked; the command does
 * not fail, because a busy machine is not a defect of the code.
 */
import { cpus } from 'node:os';
import { Worker } from 'node:worker_threads';
import { requireNoArguments } from '../scripts/cli/run-command.js';
import { printTable } from '../scripts/cli/table.js';
import { typescriptThread } from '../scripts/typescript-thread.js';
import { fromNodeWorker } from '../src/render-main/index.js';
import { attachAndDetach, updateObjects } from './binding-cases.js';
import { emptyWorldPassUs } from './empty-world.js';
import {
  bytesPerFrame,
  drawValues,
  publishAll,
  publishAsleep,
  publishValues,
  sampleAll,
  samplePoses,
} from './kernel-cases.js';
import type { Measurement } from './measure.js';

const BODIES = 10_000;

function row(what: string, value: number, unit: string, limit?: number, spread = ''): string[] {
  const limits =
    limit === undefined ? [] : [`${limit} ${unit}`, value <= limit ? 'within' : 'OVER'];
  return [what, `${value.toPrecision(3)} ${unit}`, spread, ...limits];
}

function perBody(what: string, measured: ReturnType<typeof sampleAll>, limitNs?: number): string[] {
  const [low, high] = measured.quartilesNs;
  return row(
    what,
    measured.medianNs,
    'ns',
    limitNs,
    `${low.toPrecision(3)} to ${high.toPrecision(3)}`,
  );
}

const perState = (what: string, { medianNs, quartilesNs }: Measurement, limitUs?: number) =>
  row(
    what,
    medianNs / 1000,
    'µs',
    limitUs,
    quartilesNs.map((ns) => (ns / 1000).toPrecision(3)).join(' to '),
  );

await requireNoArguments('bench:kernels');
const [cpu] = cpus();
console.log(
  `${cpu?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`,
);
console.log(`${BODIES} bodies; times are per body unless named otherwise\n`);
const rows = [
  ['', 'median', 'quartiles', 'limit', ''],
  perBody('sample tumbling bodies into matrices (slerp)', sampleAll(BODIES, 'tumbling'), 30),
  perBody('sample resting bodies into matrices', sampleAll(BODIES, 'resting')),
  perBody('sample one pose at a time', samplePoses(BODIES)),
  row('garbage of a frame, bytes', bytesPerFrame(BODIES), 'B', 0),
  perBody('write and publish, all awake', publishAll(BODIES), 15),
  perBody('publish, all asleep', publishAsleep(BODIES)),
  perBody('move attached objects, tumbling', updateObjects(BODIES, 'tumbling', 'scene')),
  perBody('move attached objects, resting', updateObjects(BODIES, 'resting', 'scene')),
  perBody('move attached objects in a turned parent', updateObjects(BODIES, 'tumbling', 'parent')),
  perBody('detach and attach an object among 100', attachAndDetach(100)),
  perBody('detach and attach an object among 10,000', attachAndDetach(BODIES)),
];
for (const count of [0, 10, 1000, 30_000]) {
  rows.push(perState(`write and publish ${count} values in a state`, publishValues(count, true)));
}
for (const count of [10, 1000, 30_000]) {
  rows.push(perState(`publish ${count} values that do not change`, publishValues(count, false)));
}
for (const count of [10, 1000, 10_000, 30_000]) {
  const limitUs = count === 10_000 ? 100 : undefined;
  rows.push(perState(`blend ${count} values in a frame`, drawValues(count), limitUs));
}
const emptyWorld = new URL('./empty-world-node.worker.ts', import.meta.url);
const passUs = await emptyWorldPassUs(() =>
  fromNodeWorker(new Worker(emptyWorld, typescriptThread)),
);
rows.push(row('a tick of an empty world, with its turn, in Node', passUs, 'µs', 30));
printTable(rows);
