/** The schedule of all rooms of this process. */
import { RoomSchedule } from './room-schedule.js';

export const processSchedule = new RoomSchedule({
  now: () => performance.now(),
  setTimer(call, delayMs) {
    if (delayMs === 0) {
      const immediate = setImmediate(call);
      return () => clearImmediate(immediate);
    }
    // Whole ms: a fraction would be cut off, and a timer that fires early is set again.
    const timer = setTimeout(call, Math.ceil(delayMs));
    return () => clearTimeout(timer);
  },
});
