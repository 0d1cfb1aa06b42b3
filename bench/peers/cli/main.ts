/**
 * `npm run bench:peers`: measures betwixt and the peers and prints the results; see help.ts.
 *
 * Exit codes: 0; 1 when runs failed; 2 for wrong arguments, with one line on stderr that says what
 * is wrong; 130 after Ctrl-C, with the results until then.
 */
import { writeFileSync } from 'node:fs';
import { EXIT_CODES } from '../../../scripts/cli/exit-codes.js';
import { ProgressLine } from '../../../scripts/cli/progress-line.js';
import { runCommand } from '../../../scripts/cli/run-command.js';
import { requireWritable } from '../../cli/result-files.js';
import { listenForStop } from '../../cli/stop.js';
import { durationText } from '../../engine/index.js';
import type { PeersResult } from '../engine/result.js';
import type { PlannedRun } from '../engine/plan.js';
import { peersSummary } from '../engine/summary.js';
import type { RunRequest } from '../page/peers.js';
import type { PeerScene } from '../scene/peer-scene.js';
import { settledScene } from '../scene/settled-scene.js';
import { readArguments, type PeersArguments } from './arguments.js';
import { HELP } from './help.js';
import { openPeersBrowser } from './peers-browser.js';
import { runText } from './run-text.js';
import { runPeers } from './run-peers.js';
import { thisMachine } from './this-machine.js';

process.exit(await runCommand('bench:peers', main));

async function main(args: readonly string[]): Promise<number> {
  const given = readArguments(args);
  if (given.help) {
    process.stdout.write(HELP);
    return EXIT_CODES.done;
  }
  requireWritable(given);
  return measure(given);
}

async function measure(given: PeersArguments): Promise<number> {
  const { options } = given;
  const stop = listenForStop();
  const browser = await openPeersBrowser(stop.now);
  const progress = new ProgressLine(process.stderr, durationText);
  try {
    const requestOf = requestsFor(given);
    const result = await runPeers({
      options,
      machine: thisMachine(browser.version),
      motion: async (run) => browser.motion(await requestOf(run), options),
      faults: async (run) => browser.faults(await requestOf(run)),
      isStopRequested: () => stop.isRequested,
      onProgress: ({ run, ...now }) => progress.report({ ...now, work: runText(run) }),
      onPart: (part) => writeFile(given, part),
      now: () => performance.now(),
    });
    progress.end();
    writeFile(given, result);
    process.stdout.write(`${peersSummary(result)}\n`);
    if (given.json !== undefined) process.stdout.write(`\nwritten: ${given.json}\n`);
    if (stop.isRequested) return EXIT_CODES.interrupted;
    return result.failures.length > 0 ? EXIT_CODES.failed : EXIT_CODES.done;
  } finally {
    progress.end();
    await browser.close();
  }
}

/** Scenes are built once: all contestants get the same one. */
function requestsFor({ options }: PeersArguments): (run: PlannedRun) => Promise<RunRequest> {
  const scenes = new Map<number, Promise<PeerScene>>();
  return async ({ contestant, displayHz, bodies }) => {
    const building = scenes.get(bodies) ?? settledScene(bodies, options.seed);
    scenes.set(bodies, building);
    return { contestant, displayHz, scene: await building };
  };
}

function writeFile({ json }: PeersArguments, result: PeersResult): void {
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(result, undefined, 1)}\n`);
}
