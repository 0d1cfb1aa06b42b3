import type { AttackPart } from '../part.js';
import { churn } from './churn.js';
import { messages } from './messages.js';
import { packets } from './packets.js';
import { queues, snapshots } from './races.js';
import { recordingFiles } from './recordings.js';
import { rooms } from './rooms.js';
import { soak } from './soak.js';
import { savedStates } from './states.js';
import { gone, walk } from './walk.js';
import { worlds } from './worlds.js';

export const PARTS: readonly AttackPart[] = [
  snapshots,
  queues,
  recordingFiles,
  savedStates,
  churn,
  walk,
  gone,
  worlds,
  messages,
  packets,
  rooms,
  soak,
];
