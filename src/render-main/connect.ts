/** Starts a simulation in a worker and resolves with the page's grip on it. */
import { createBuffer } from '../shared/buffer.js';
import type { CommandMap } from '../shared/control-protocol.js';
import { SnapshotFormatError, WorkerFailedError } from '../shared/errors.js';
import { alignClock } from './clock-alignment.js';
import { ControlClient } from './control-client.js';
import { requireIsolation } from './isolation.js';
import { resolveOptions, type ConnectOptions } from './options.js';
import { pauseWhileHidden } from './page-visibility.js';
import { SimulationHandle } from './simulation-handle.js';
import type { WorkerLike } from './worker-like.js';

/** The commands of a simulation: `connect<typeof simulation>(…)` has them typed. */
type CommandsOf<S> = S extends { readonly commands?: infer C extends CommandMap } ? C : CommandMap;

/**
 * Creates the worker, shares memory with it, aligns the clocks and lets it tick.
 *
 * @typeParam S Type of the simulation that the worker runs, for the types of its commands.
 * @param createWorker Makes the worker. `new URL` has to stand inside `new Worker` for bundlers to see it:
 *   `() => new Worker(new URL('./sim.worker.js', import.meta.url), { type: 'module' })`.
 * @throws TypeError or RangeError for a wrong option, before anything is started.
 * @throws NotIsolatedError if the page may not share memory; the message names the missing header.
 * @throws WorkerFailedError if the worker does not load, does not answer, or its `init` throws.
 * @throws SnapshotFormatError if the worker was built with another release of this library.
 */
export async function connect<S = { commands?: CommandMap }>(
  createWorker: () => WorkerLike | Promise<WorkerLike>,
  options?: ConnectOptions,
): Promise<SimulationHandle<CommandsOf<S>>> {
  const resolved = resolveOptions(options);
  if (typeof createWorker !== 'function') {
    throw new TypeError('createWorker must be a function that returns a Worker');
  }
  await requireIsolation();
  const shared = createBuffer(resolved.capacity, resolved.history);
  const worker = await createWorker();
  let isStarted = false;
  const client = new ControlClient(worker, shared.control, (error) => {
    // Before the start the error rejects `connect` itself.
    if (isStarted) resolved.onFailure(error);
  });
  try {
    const commandNames = await withinTime(resolved.startTimeoutMs, () =>
      client.call((remote) =>
        remote.initialize(shared.buffer, {
          tickRateHz: resolved.tickRateHz,
          timeScale: resolved.timeScale,
          maxCatchUpTicks: resolved.maxCatchUpTicks,
          stepper: resolved.stepper,
          startPaused: resolved.startPaused,
        }),
      ),
    );
    const clock = await alignClock(client, shared);
    await client.call((remote) => remote.start());
    isStarted = true;
    const handle = new SimulationHandle<CommandsOf<S>>({
      worker,
      client,
      views: shared,
      options: resolved,
      clock,
      commandNames,
    });
    if (resolved.whenHidden === 'pause') pauseWhileHidden(handle);
    return handle;
  } catch (error) {
    const failure = asWorkerFailure(error);
    client.end(failure);
    client.release();
    worker.terminate();
    throw failure;
  }
}

async function withinTime<T>(limitMs: number, start: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new WorkerFailedError(
          `the worker did not answer within ${limitMs} ms: does its script call runSimulation ` +
            'while it is first evaluated?',
          'load',
        ),
      );
    }, limitMs);
  });
  try {
    return await Promise.race([start(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** What `init` threw arrives as an error with the worker's message and stack. */
function asWorkerFailure(error: unknown): Error {
  if (error instanceof WorkerFailedError || error instanceof SnapshotFormatError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? error.stack : undefined;
  return new WorkerFailedError(`the simulation threw in init: ${message}`, 'init', stack);
}
