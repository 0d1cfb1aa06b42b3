import type { SimulationHandle } from 'betwixt';

interface HotModule {
  on(event: string, handler: () => void): void;
}

/** `followChanges(sim, import.meta.hot)`: undefined in a production build. */
export function followChanges(sim: SimulationHandle, hot: HotModule | undefined): void {
  hot?.on('worker-changed', () => {
    sim.replaceWorker().catch((error: unknown) => {
      // The page's module may have been replaced in the meantime, and have disposed of it.
      if (sim.state !== 'disposed') console.error(error);
    });
  });
}
