/** The demo's simulation, as the page uses it. */
import { connect, type Replay, type SimulationHandle } from '../../src/render-main/index.js';
import type { InputSink } from '../../src/render-main/inputs/index.js';
import type { InspectedSimulation } from '../../src/render-main/inspector/index.js';
import type { Recording } from '../../src/shared/index.js';
import type { DemoCommands, DemoEvents, DemoQueries } from '../contract/scene-contract.js';
import { connectOptionsOf } from './connect-options.js';
import type { Settings } from './settings.js';
import { createWorker, runOnThisPage } from './simulation-worker.js';

/** With all that drawing needs. */
export type DrawnSimulation = SimulationHandle<DemoCommands, DemoEvents, DemoQueries>;

/** A replay, also of a simulation that a worker draws. */
export type DemoReplay = Pick<Replay, 'recording' | 'state' | 'report' | 'seek' | 'close'>;

/** What the page uses of it, also of one that a worker draws. */
export interface DemoSimulation
  extends
    Pick<
      DrawnSimulation,
      | 'commands'
      | 'queries'
      | 'setInterpolation'
      | 'setTickRate'
      | 'transport'
      | 'save'
      | 'restore'
      | 'resetStats'
      | 'dispose'
    >,
    Omit<InspectedSimulation, 'latest' | 'recording' | 'openReplay' | 'replay'> {
  readonly inputs: InputSink;
  readonly latest: { readonly alpha: number };
  readonly replay: DemoReplay | undefined;
  recording(): Recording | Promise<Recording>;
  openReplay(recording: Recording, options?: { readonly tick: number }): Promise<DemoReplay>;
}

declare global {
  /**
   * For the console: `betwixt.stats()`. Set when the worker runs; a restart replaces it. If a worker draws, it has only
   * what a {@link DemoSimulation} has.
   */
  var betwixt: DrawnSimulation;
}

/**
 * Starts it, without a scene.
 *
 * @param onEngine Called when the first worker's script runs: the engine is what loads now.
 */
export function startSimulation(
  settings: Settings,
  onEngine: () => void,
): Promise<DrawnSimulation> {
  let isFirst = true;
  return connect<{ commands: DemoCommands; events: DemoEvents; queries: DemoQueries }>(
    (transport) => {
      if (transport === 'local') {
        onEngine();
        return runOnThisPage(settings.engine);
      }
      // A worker replaced one that failed: the page continues unchanged.
      const onScript = isFirst ? onEngine : undefined;
      isFirst = false;
      return createWorker(settings.engine, onScript);
    },
    connectOptionsOf(settings),
  );
}

/** A replay that is shown ends: the run continues from there. */
export async function closeReplay({ replay }: DemoSimulation): Promise<void> {
  try {
    await replay?.close();
  } catch (error) {
    // It may have ended in the meantime.
    if (replay?.state !== 'closed') throw error;
  }
}
