/** Replays one file. */
import type { Recording } from '../../../src/shared/index.js';
import type { Simulation } from '../../../src/sim-worker/index.js';
import { requireTicks } from '../recording-file.js';
import { replayRecording } from '../replay-recording.js';
import { fieldsOf } from '../verdict.js';
import { stoppedBy, type FileResult } from './file-result.js';
import { readUpload } from './read-upload.js';

/** A new simulation for the recording of a file. Throws to refuse the recording. */
export type CreateSimulation = (
  recording: Recording,
  path: string,
) => Simulation | Promise<Simulation>;

export interface FileLimits {
  readonly maxTicks: number;
  readonly maxBytes: number;
}

export interface VerifiedFile {
  readonly result: FileResult;
  /** A run was ended by an error, which may have left the engine's memory in any state. */
  readonly isSpent: boolean;
}

/**
 * Never rejects, whatever the file contains.
 *
 * @param onTick Called after every tick.
 */
export async function verifyFile(
  path: string,
  createSimulation: CreateSimulation,
  { maxTicks, maxBytes }: FileLimits,
  onTick: () => void,
): Promise<VerifiedFile> {
  let isRunning = false;
  try {
    const recording = await readUpload(path, maxBytes);
    requireTicks(recording, maxTicks);
    const simulation = await createSimulation(recording, path);
    isRunning = true;
    const outcome = await replayRecording(simulation, recording, { maxTicks, onTick });
    return { result: fieldsOf(outcome), isSpent: false };
  } catch (error) {
    return { result: stoppedBy('refused', error), isSpent: isRunning };
  }
}
