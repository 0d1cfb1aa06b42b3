/**
 * What the words of the memory between page and worker can be. Either side looks once a frame or pass, and not where words
 * are used: loops over them end whatever they hold. None of this allocates.
 */
import { CONTROL, SLOT_COUNT, type BufferViews } from './layout.js';

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
