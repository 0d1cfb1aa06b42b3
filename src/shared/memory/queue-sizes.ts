/** The sizes of the queues between page and worker. */
import { MAX_QUEUE_WORDS, type QueueSizes } from './layout.js';

/** 1 MiB of inputs, or as many short commands, or one that describes eight thousand bodies; 256 KiB of events, about five thousand. */
export const DEFAULT_QUEUES: QueueSizes = { inputWords: 1 << 18, eventWords: 1 << 16 };

/** 64 words describe a body and its collider, twice: all bodies may be created in one turn of the page. */
export const inputWordsOf = (capacity: number): number =>
  Math.min(
    MAX_QUEUE_WORDS,
    Math.max(DEFAULT_QUEUES.inputWords, 2 ** Math.ceil(Math.log2(64 * capacity))),
  );
