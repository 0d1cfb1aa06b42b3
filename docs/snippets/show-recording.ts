/** Shows a recording that was kept, and gives the run to the player where it ends. */
import type { SimulationHandle } from 'betwixt';
import { decodeRecording } from 'betwixt/shared';

export async function show(simulation: SimulationHandle, bytes: Uint8Array): Promise<void> {
  // #region show
  const replay = await simulation.openReplay(decodeRecording(bytes));
  await simulation.resume();
  await replay.seek(600); // ten seconds on, without what is between
  const { hashes, differsAt } = await replay.ended;
  console.log(differsAt === undefined ? `${hashes} hashes are equal` : `differs at ${differsAt}`);
  await replay.close(); // the player goes on from its end
  await simulation.resume();
  // #endregion
}
