/** Replays a stored recording, and continues from its last tick. */
import type { SimulationHandle } from 'betwixt';
import { decodeRecording } from 'betwixt/shared';

export async function show(simulation: SimulationHandle, bytes: Uint8Array): Promise<void> {
  // #region show
  const replay = await simulation.openReplay(decodeRecording(bytes));
  await simulation.resume();
  await replay.seek(600); // skip to the state after ten seconds
  const { hashes, differsAt } = await replay.ended;
  console.log(differsAt === undefined ? `${hashes} hashes are equal` : `differs at ${differsAt}`);
  await replay.close(); // continue from its last tick
  await simulation.resume();
  // #endregion
}
