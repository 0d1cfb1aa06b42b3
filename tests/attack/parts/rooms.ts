/** Random sessions of rooms and clients that predict them, over a network that delays, loses and reorders. */
import fc from 'fast-check';
import { playSessions } from '../../fixtures/rooms/virtual-session.js';
import type { AttackPart } from '../part.js';
import { attackProperty } from '../property.js';

export const rooms: AttackPart = {
  name: 'rooms',
  about: 'clients that predict a room have its hash at every confirmed hash tick',
  unit: 'sessions',
  run: (context) =>
    attackProperty(
      fc.nat({ max: 2 ** 27 }),
      async (seed) => {
        const { hashes, desyncs } = await playSessions([seed]);
        if (desyncs > 0) throw new Error(`${desyncs} of ${hashes} hashes differ`);
      },
      context,
      { batch: 10, maxReruns: 30, describe: (seed) => `playSession(${seed})` },
    ),
};
