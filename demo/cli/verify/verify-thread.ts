/** A thread that replays files, one at a time: it holds one recording. */
import { parentPort, workerData } from 'node:worker_threads';
import { firstLineOf } from '../../../scripts/cli/errors.js';
import type { ThreadMessage } from './file-result.js';
import { verifyFile, type CreateSimulation, type FileLimits } from './verify-file.js';

export interface ThreadData extends FileLimits {
  /** Address of the module that makes simulations. */
  readonly simulation: string;
  /** Shared: the number of ticks that it has run. */
  readonly ticks: Uint32Array;
}

const { simulation, ticks, ...limits } = workerData as ThreadData;
const port = parentPort;
if (port === null) throw new Error('this file is run in a worker thread');
const send = (message: ThreadMessage): void => port.postMessage(message);

try {
  const createSimulation = await load(simulation);
  port.on('message', async (path: string) => {
    const verified = await verifyFile(path, createSimulation, limits, () => {
      Atomics.add(ticks, 0, 1);
    });
    send({ kind: 'result', ...verified });
  });
  send({ kind: 'ready' });
} catch (error) {
  send({ kind: 'failed', reason: firstLineOf(error) });
}

async function load(address: string): Promise<CreateSimulation> {
  const module = (await import(address)) as { readonly createSimulation?: unknown };
  if (typeof module.createSimulation !== 'function') {
    throw new Error('it exports no function createSimulation');
  }
  return module.createSimulation as CreateSimulation;
}
