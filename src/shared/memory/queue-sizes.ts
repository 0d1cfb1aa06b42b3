/** The default sizes of the queues between page and worker, and the check of others. */
import { MAX_QUEUE_WORDS, MIN_QUEUE_WORDS, isQueueSize, type QueueSizes } from './layout.js';

/**
 * 256 KiB of inputs, about four thousand, or as many short commands, or one that describes a thousand bodies; 256 KiB of
 * events, about five thousand.
 */
export const DEFAULT_QUEUES: QueueSizes = { inputWords: 1 << 16, eventWords: 1 << 16 };

/** @throws RangeError if a queue cannot have this size. */
export function requireQueueWords(name: string, words: number): void {
  if (isQueueSize(words)) return;
  throw new RangeError(
    `${name} must be a power of two from ${MIN_QUEUE_WORDS} to ${MAX_QUEUE_WORDS}, but is ${words}`,
  );
}
