/** The end of `src/main.ts`, which puts `sim` on the page. */
import type {} from '../../../templates/custom/src/main.js';
// #region show
import { decodeRecording, encodeRecording } from 'betwixt/shared';

addEventListener('keydown', async ({ code }) => {
  if (code !== 'KeyR' || sim.replay !== undefined) return;
  const file = encodeRecording(sim.recording());
  const replay = await sim.openReplay(decodeRecording(file));
  const { differsAt } = await replay.ended;
  console.log(differsAt === undefined ? 'identical' : `differs at tick ${differsAt}`);
  // Leave the replay. The run continues from its last tick.
  await replay.close();
  await sim.resume();
});
// #endregion
