import type { SimulationHandle } from 'betwixt';

interface HotModule {
  on(event: string, handler: () => void): void;
}

/** `followChanges(sim, import.meta.hot)`: undefined in a production build. */
export function followChanges(sim: SimulationHandle, hot: HotModule | undefined): void {
  hot?.on('worker-changed', () => {
    sim.replaceWorker().catch((error: unknown) => console.error(error));
  });
}
