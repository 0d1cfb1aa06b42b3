import type { AttackPart } from '../part.js';
import { messages } from './messages.js';
import { queues, snapshots } from './races.js';
import { recordingFiles } from './recordings.js';
import { savedStates } from './states.js';

export const PARTS: readonly AttackPart[] = [
  snapshots,
  queues,
  recordingFiles,
  savedStates,
  messages,
];
