import type { SimulationHandle } from 'betwixt';

export function releaseAfterJumps(sim: SimulationHandle<{ releaseInputs(): void }>): void {
  sim.on('status', ({ kind }) => {
    if (kind !== 'jumped' || sim.replay !== undefined) return;
    sim.commands.releaseInputs().catch((error: unknown) => console.error(error));
  });
}
