/**
 * What the words of the memory between page and worker can be. Either side looks once a frame or pass, and not where words
 * are used: loops over them end whatever they hold. None of this allocates.
 */
import {
  CONTROL,
  SLOT_COUNT,
  SLOT_HEADER,
  STATE_HEADER,
  type BufferViews,
  type SlotViews,
} from './layout.js';

/** Which of the control words that both sides go by cannot be what it is; undefined: none. */
export function wrongControl({ control, layout }: BufferViews): string | undefined {
  const areQueues =
    isQueue(control, CONTROL.inputTail, CONTROL.inputHead, layout.inputWords) &&
    isQueue(control, CONTROL.eventTail, CONTROL.eventHead, layout.eventWords);
  if (!areQueues) return 'the ends of a queue';
  const areMailboxes =
    isMailbox(control, CONTROL.mailbox) && isMailbox(control, CONTROL.statusMailbox);
  return areMailboxes ? undefined : 'a mailbox';
}

function isQueue(control: Int32Array, tail: number, head: number, words: number): boolean {
  const filled = (Atomics.load(control, tail) - Atomics.load(control, head)) | 0;
  return filled >= 0 && filled <= words;
}

function isMailbox(control: Int32Array, index: number): boolean {
  const word = Atomics.load(control, index);
  return word >= 0 && word < 8 && (word & 3) < SLOT_COUNT;
}

/** Whether a snapshot's header, or a status, is one that a worker writes: nothing in it makes a loop or a time without end. */
export function isHeader(header: Float64Array, { layout }: BufferViews): boolean {
  const count = header[SLOT_HEADER.stateCount] as number;
  const newest = header[SLOT_HEADER.newestState] as number;
  const tick = header[SLOT_HEADER.newestTick] as number;
  const rateHz =
    (header[SLOT_HEADER.tickRateHz] as number) * (header[SLOT_HEADER.timeScale] as number);
  // It is paused at no time while it runs.
  const timesMs =
    (header[SLOT_HEADER.shiftMs] as number) +
    ((header[SLOT_HEADER.pausedVirtualMs] as number) || 0);
  return (
    Number.isSafeInteger(tick) &&
    tick >= 0 &&
    // Nothing has been published: nothing else is looked at.
    (count === 0 ||
      (Number.isInteger(count) &&
        count > 0 &&
        count <= layout.stateCapacity &&
        Number.isSafeInteger(newest) &&
        newest >= count - 1 &&
        rateHz > 0 &&
        Number.isFinite(rateHz + timesMs)))
  );
}

/** Whether a snapshot is one: what is drawn between are the states that its header names. */
export function isSnapshot({ header, stateHeaders }: SlotViews, views: BufferViews): boolean {
  if (!isHeader(header, views)) return false;
  const newest = header[SLOT_HEADER.newestState] as number;
  for (let age = 0; age < (header[SLOT_HEADER.stateCount] as number); age++) {
    const state = stateHeaders[(newest - age) % stateHeaders.length] as Float64Array;
    const isState =
      state[STATE_HEADER.ordinal] === newest - age &&
      Number.isFinite(
        (state[STATE_HEADER.virtualMs] as number) + (state[STATE_HEADER.latenessMs] as number),
      );
    if (!isState) return false;
  }
  return true;
}
