/**
 * Checks the words of the memory between page and worker. Each side checks once per frame or pass, not where words
 * are used: loops over them terminate whatever they contain. Nothing here allocates.
 */
import { CONTROL, SLOT_COUNT, type BufferViews } from './layout.js';

/** Which of the control words used by both sides have an impossible value; undefined: none. */
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
