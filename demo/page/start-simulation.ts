/** The demo's simulation, as the page has it in hand. */
import { connect, type SimulationHandle } from '../../src/render-main/index.js';
import type { DemoCommands, DemoEvents, DemoQueries } from '../contract/scene-contract.js';
import { connectOptionsOf } from './connect-options.js';
import type { Settings } from './settings.js';
import { createWorker, runOnThisPage } from './simulation-worker.js';

export type DemoSimulation = SimulationHandle<DemoCommands, DemoEvents, DemoQueries>;

declare global {
  /** For the console: `betwixt.stats()`. There from when the worker runs; a restart replaces it. */
  var betwixt: DemoSimulation;
}

/**
 * Starts it, without a scene.
 *
 * @param onEngine Called when the first worker's script runs: the engine is what loads now.
 */
export function startSimulation(settings: Settings, onEngine: () => void): Promise<DemoSimulation> {
  let isFirst = true;
  return connect<{ commands: DemoCommands; events: DemoEvents; queries: DemoQueries }>(
    (transport) => {
      if (transport === 'local') {
        onEngine();
        return runOnThisPage(settings.engine);
      }
      // One that takes the place of a worker that failed: the page goes on as it is.
      const onScript = isFirst ? onEngine : undefined;
      isFirst = false;
      return createWorker(settings.engine, onScript);
    },
    connectOptionsOf(settings),
  );
}

/** Whatever is shown is not shown any more: the run goes on from there. */
export async function closeReplay({ replay }: DemoSimulation): Promise<void> {
  try {
    await replay?.close();
  } catch (error) {
    // It may have ended otherwise meanwhile.
    if (replay?.state !== 'closed') throw error;
  }
}
