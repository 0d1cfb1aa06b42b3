import type { SimulationHandle } from 'betwixt';
import type { AssetName } from 'betwixt/shared';

type Hills = SimulationHandle<{ build: (heights: AssetName) => void }>;

export async function buildHills(sim: Hills, heights: Float32Array): Promise<void> {
  const assets = await sim.openAssets();
  await sim.commands.build(assets.add(heights));
}
