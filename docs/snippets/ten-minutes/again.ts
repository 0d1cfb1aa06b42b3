import type { WorldHandle } from 'betwixt/world';

/** Shows the last five seconds again, and continues from where the run was. */
export async function showAgain(sim: WorldHandle): Promise<void> {
  if (sim.replay !== undefined) return;
  await sim.pause();
  const recording = sim.recording();
  const replay = await sim.openReplay(recording);
  await replay.seek(Math.max(recording.lastTick - 300, recording.start?.tick ?? 0));
  await sim.resume(); // it plays
  await replay.ended;
  await replay.close();
  await sim.resume(); // the run continues
}
