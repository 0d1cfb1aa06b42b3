/** Waiting for a replay to begin. */
import type { Recording } from '../../src/render-main/index.js';
import type { DemoSimulation } from './simulation-session.js';

const LOOK_MS = 8;

/**
 * Shows a recording. The simulation must be paused, so that the replay stands at its start.
 *
 * @returns When it stands there: `replay` itself resolves at the replay's end.
 * @throws Error if it cannot be shown, such as one of another engine.
 */
export async function replayShown(simulation: DemoSimulation, recording: Recording): Promise<void> {
  let isOver = false;
  const ended = simulation.replay(recording).finally(() => {
    isOver = true;
  });
  const begun = async (): Promise<void> => {
    while (!isOver && simulation.shownRecording !== recording) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  };
  await Promise.race([ended, begun()]);
  // It rejects with the end of the worker, which is told of by itself.
  ended.catch(() => {});
}
