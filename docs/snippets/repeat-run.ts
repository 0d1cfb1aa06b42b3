import { repeatRun, type SimulationHandle } from 'betwixt';

/** Repeats the newest three seconds while a button is held. */
export async function repeatWhile(sim: SimulationHandle, released: Promise<void>): Promise<void> {
  const repetition = await repeatRun(sim, { seconds: 3 });
  await released;
  await repetition.stop();
}
