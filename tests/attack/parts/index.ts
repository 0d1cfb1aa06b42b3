import type { AttackPart } from '../part.js';
import { queues, snapshots } from './races.js';
import { recordingFiles } from './recordings.js';
import { soak } from './soak.js';
import { savedStates } from './states.js';

export const PARTS: readonly AttackPart[] = [snapshots, queues, recordingFiles, savedStates, soak];
