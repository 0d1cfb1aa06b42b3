/** Stands at the end of `src/main.ts`, which puts `sim` on the page. */
import type {} from '../../../templates/custom/src/main.js';
// #region show
import { decodeRecording, encodeRecording } from 'betwixt/shared';

addEventListener('keydown', async ({ code }) => {
  if (code !== 'KeyR' || sim.shownRecording !== undefined) return;
  const file = encodeRecording(sim.recording()); // bytes, to be kept and sent
  const { differsAt } = await sim.replay(decodeRecording(file));
  console.log(differsAt === undefined ? 'the very same' : `differs at tick ${differsAt}`);
  // The player goes on from its end.
  await sim.endReplay();
  await sim.resume();
});
// #endregion
