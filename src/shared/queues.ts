/** Where in a buffer the two queues stand. */
import { CONTROL, type BufferViews } from './layout.js';
import type { QueueViews } from './record-queue.js';

/** From page to worker: inputs and timed commands. */
export function inputQueueOf({ control, inputs }: BufferViews): QueueViews {
  return {
    control,
    headIndex: CONTROL.inputHead,
    tailIndex: CONTROL.inputTail,
    refusedIndex: CONTROL.inputRefused,
    data: inputs,
  };
}

/** From worker to page: events. */
export function eventQueueOf({ control, events }: BufferViews): QueueViews {
  return {
    control,
    headIndex: CONTROL.eventHead,
    tailIndex: CONTROL.eventTail,
    refusedIndex: CONTROL.eventRefused,
    data: events,
  };
}
