/**
 * `npm run bench:peers`: measures ours beside the peers and prints what came out; see help.ts.
 *
 * Exit codes: 0; 1 when runs failed; 2 for wrong arguments, with one line on stderr that says what is wrong;
 * 130 after Ctrl-C, with what was done until then.
 */
import { writeFileSync } from 'node:fs';
import { ArgumentError } from '../../cli/flags.js';
import { requireWritable } from '../../cli/result-files.js';
import { listenForStop } from '../../cli/stop.js';
import type { PeersResult } from '../engine/result.js';
import type { PlannedRun } from '../engine/plan.js';
import { peersSummary } from '../engine/summary.js';
import type { RunRequest } from '../page/peers.js';
import { peersReportHtml } from '../report/index.js';
import type { PeerScene } from '../scene/peer-scene.js';
import { settledScene } from '../scene/settled-scene.js';
import { readArguments, type PeersArguments } from './arguments.js';
import { HELP } from './help.js';
import { openPeersBrowser } from './peers-browser.js';
import { PeersProgressLine } from './progress-line.js';
import { runPeers } from './run-peers.js';
import { thisMachine } from './this-machine.js';

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', () => process.exit(0));
process.exit(await main(process.argv.slice(2)));

async function main(args: readonly string[]): Promise<number> {
  let given: PeersArguments;
  try {
    given = readArguments(args);
    if (given.help) {
      process.stdout.write(HELP);
      return 0;
    }
    requireWritable(given);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    process.stderr.write(`bench:peers: ${error.message}\n`);
    return 2;
  }
  return measure(given);
}

async function measure(given: PeersArguments): Promise<number> {
  const { options } = given;
  const stop = listenForStop();
  const browser = await openPeersBrowser(stop.now);
  const progress = new PeersProgressLine(process.stderr);
  try {
    const requestOf = requestsFor(given);
    const result = await runPeers({
      options,
      machine: thisMachine(browser.version),
      motion: async (run) => browser.motion(await requestOf(run), options),
      faults: async (run) => browser.faults(await requestOf(run)),
      isStopRequested: () => stop.isRequested,
      onProgress: (now) => progress.tell(now),
      onPart: (part) => writeFiles(given, part),
      now: () => performance.now(),
    });
    progress.end();
    writeFiles(given, result);
    process.stdout.write(`${peersSummary(result)}\n`);
    for (const file of [given.json, given.html]) {
      if (file !== undefined) process.stdout.write(`\nwritten: ${file}`);
    }
    if (given.json !== undefined || given.html !== undefined) process.stdout.write('\n');
    if (stop.isRequested) return 130;
    return result.failures.length > 0 ? 1 : 0;
  } finally {
    progress.end();
    await browser.close();
  }
}

/** Scenes are built once: everybody is given the same one. */
function requestsFor({ options }: PeersArguments): (run: PlannedRun) => Promise<RunRequest> {
  const scenes = new Map<number, Promise<PeerScene>>();
  return async ({ contestant, displayHz, bodies }) => {
    const building = scenes.get(bodies) ?? settledScene(bodies, options.seed);
    scenes.set(bodies, building);
    return { contestant, displayHz, scene: await building };
  };
}

function writeFiles({ json, html }: PeersArguments, result: PeersResult): void {
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(result, undefined, 1)}\n`);
  if (html !== undefined) writeFileSync(html, peersReportHtml(result));
}
