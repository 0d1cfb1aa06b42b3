/** Stands at the end of `src/main.ts`, which puts `sim` on the page. */
import type {} from '../../../templates/custom/src/main.js';
// #region show
import { decodeRecording, encodeRecording } from 'betwixt/shared';

addEventListener('keydown', async ({ code }) => {
  if (code !== 'KeyR' || sim.replay !== undefined) return;
  const file = encodeRecording(sim.recording()); // bytes, to be kept and sent
  const replay = await sim.openReplay(decodeRecording(file));
  const { differsAt } = await replay.ended;
  console.log(differsAt === undefined ? 'the very same' : `differs at tick ${differsAt}`);
  // The player goes on from its end.
  await replay.close();
  await sim.resume();
});
// #endregion
