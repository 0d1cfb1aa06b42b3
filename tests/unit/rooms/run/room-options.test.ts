import { expect, test } from 'vitest';
import {
  resolveSimulationRoomOptions,
  type SimulationRoomOptions,
} from '../../../../src/rooms/run/room-options.js';

test('the options of a room on a server have these defaults, and the others are for its run', () => {
  expect(resolveSimulationRoomOptions({ capacity: 5 })).toEqual({
    run: { capacity: 5 },
    reconnectSeconds: 10,
    maxBufferedBytes: 2 ** 18,
    maxBehindSeconds: 10,
    recording: undefined,
  });
  expect(resolveSimulationRoomOptions({ recording: { folder: 'a' } }).recording).toEqual({
    folder: 'a',
    maxBytes: 2 ** 26,
  });
});

test.each<[wrong: object, message: RegExp]>([
  [{ reconnectSeconds: -1 }, /reconnectSeconds must be/],
  [{ reconnectSeconds: 3601 }, /reconnectSeconds must be/],
  [{ maxBufferedBytes: 1023 }, /maxBufferedBytes must be/],
  [{ maxBehindSeconds: 0.5 }, /maxBehindSeconds must be/],
  [{ recording: { folder: '' } }, /recording\.folder must be/],
  [{ recording: { folder: 'a', maxBytes: 4095 } }, /recording\.maxBytes must be/],
  [{ recording: { folder: 'a', bytes: 1 } }, /"recording\.bytes"/],
])('a room on a server refuses the options %j', (wrong, message) => {
  expect(() => resolveSimulationRoomOptions(wrong as SimulationRoomOptions)).toThrow(message);
});
