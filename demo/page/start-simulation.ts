/** The demo's simulation, as the page uses it. */
import { connect, type SimulationHandle } from '../../src/render-main/index.js';
import type { DemoCommands, DemoQueries } from '../contract/scene-contract.js';
import { connectOptionsOf } from './connect-options.js';
import type { Settings } from './settings.js';
import { createWorker, runOnThisPage } from './simulation-worker.js';

export type DemoSimulation = SimulationHandle<DemoCommands, Record<string, never>, DemoQueries>;

declare global {
  /** For the console: `betwixt.stats()`. Set when the worker runs; a restart replaces it. */
  var betwixt: DemoSimulation;
}

/**
 * Starts it, without a scene.
 *
 * @param onEngine Called when the first worker's script runs: the engine is what loads now.
 */
export function startSimulation(settings: Settings, onEngine: () => void): Promise<DemoSimulation> {
  let isFirst = true;
  return connect<{ commands: DemoCommands; queries: DemoQueries }>((transport) => {
    if (transport === 'local') {
      onEngine();
      return runOnThisPage(settings.engine);
    }
    // A worker replaced one that failed: the page continues unchanged.
    const onScript = isFirst ? onEngine : undefined;
    isFirst = false;
    return createWorker(settings.engine, onScript);
  }, connectOptionsOf(settings));
}

/** A replay that is shown ends: the run continues from there. */
export async function closeReplay({ replay }: DemoSimulation): Promise<void> {
  try {
    await replay?.close();
  } catch (error) {
    // The replay may have ended in the meantime.
    if (replay?.state !== 'closed') throw error;
  }
}
