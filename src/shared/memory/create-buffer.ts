/** Creates a buffer. Separate from buffer.ts, because a worker that shares memory only opens one. */
import {
  type BufferViews,
  CONTROL,
  LAYOUT_VERSION,
  layoutOf,
  MAGIC,
  type QueueSizes,
  viewsOf,
  DEFAULT_QUEUES,
} from './layout.js';
import { initializeMailbox } from './mailbox.js';

/**
 * Allocates and labels a buffer.
 *
 * @param capacity Bodies, 1 to 2^20.
 * @param stateCapacity States per slot, 2 to 4.
 * @param allocate `SharedArrayBuffer` between threads, `ArrayBuffer` within one.
 * @param queues Sizes of the queues.
 * @param hasVelocities Whether states contain velocities.
 * @param valueCount Values of a state, 0 to 2^16.
 * @throws RangeError if a size is out of range.
 */
export function createBuffer(
  capacity: number,
  stateCapacity: number,
  allocate: (byteLength: number) => ArrayBufferLike = (bytes) => new SharedArrayBuffer(bytes),
  queues: QueueSizes = DEFAULT_QUEUES,
  hasVelocities = false,
  valueCount = 0,
): BufferViews & { readonly buffer: ArrayBufferLike } {
  const layout = layoutOf(capacity, stateCapacity, queues, hasVelocities, valueCount);
  const buffer = allocate(layout.byteLength);
  const views = viewsOf(buffer, layout);
  views.control[CONTROL.magic] = MAGIC;
  views.control[CONTROL.version] = LAYOUT_VERSION;
  views.control[CONTROL.capacity] = capacity;
  views.control[CONTROL.stateCapacity] = stateCapacity;
  views.control[CONTROL.inputWords] = layout.inputWords;
  views.control[CONTROL.eventWords] = layout.eventWords;
  views.control[CONTROL.velocities] = Number(hasVelocities);
  views.control[CONTROL.values] = valueCount;
  views.control[CONTROL.byteLength] = layout.byteLength;
  initializeMailbox(views.control, CONTROL.mailbox);
  initializeMailbox(views.control, CONTROL.statusMailbox);
  return { ...views, buffer };
}
