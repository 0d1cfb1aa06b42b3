/** Random sessions of rooms and clients that predict them, over a network that delays, loses and reorders. */
import fc from 'fast-check';
import { playSessions } from '../../fixtures/rooms/virtual-session.js';
import { propertyPart } from '../property.js';

export const rooms = propertyPart({
  name: 'rooms',
  about: 'clients that predict a room have its hash at every confirmed hash tick',
  unit: 'sessions',
  cases: fc.nat({ max: 2 ** 27 }),
  async check(seed) {
    const { hashes, desyncs } = await playSessions([seed]);
    if (desyncs > 0) throw new Error(`${desyncs} of ${hashes} hashes differ`);
  },
  batch: 10,
  maxReruns: 30,
});
