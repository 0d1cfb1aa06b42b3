import type { SimulationHandle } from 'betwixt';

/** What is held at the tick of a jump need not be held any more. */
export function releaseAfterJumps(sim: SimulationHandle<{ releaseInputs(): void }>): void {
  const release = (): void => {
    sim.commands.releaseInputs().catch((error: unknown) => console.error(error));
  };
  sim.on('status', ({ kind }) => {
    if (kind === 'jumped' && sim.replay === undefined) release();
  });
}

/** Continues the run at the tick of the replay that is shown. */
export async function playFromHere(
  sim: SimulationHandle<{ releaseInputs(): void }>,
): Promise<void> {
  await sim.replay?.close();
  sim.commands.releaseInputs().catch((error: unknown) => console.error(error));
  await sim.resume();
}
