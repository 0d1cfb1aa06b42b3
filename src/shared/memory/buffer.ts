/** Opens a buffer that the other side created, checks its control words, and locates its two queues. */
import { SnapshotFormatError, memoryIsCorrupt } from '../util/errors.js';
import {
  type BufferLayout,
  type BufferViews,
  CONTROL,
  CONTROL_LENGTH,
  LAYOUT_VERSION,
  layoutOf,
  MAGIC,
  SLOT_COUNT,
  viewsOf,
} from './layout.js';
import type { QueueViews } from './record-queue.js';

/**
 * Opens a buffer that `createBuffer` labelled.
 *
 * @throws SnapshotFormatError if it is not one, has another version, has another size than it states, or has invalid control
 *   words.
 */
export function openBuffer(buffer: ArrayBufferLike): BufferViews {
  const isLabelled = buffer.byteLength >= CONTROL_LENGTH * 4;
  const label = new Int32Array(buffer, 0, isLabelled ? CONTROL_LENGTH : 0);
  const word = (index: number): number => label[index] ?? 0;
  const version = word(CONTROL.magic) === MAGIC ? word(CONTROL.version) : 'none';
  if (version !== LAYOUT_VERSION) {
    throw new SnapshotFormatError(
      `this snapshot buffer has layout version ${version}, and this code reads version ${LAYOUT_VERSION}: ` +
        'load the page and the worker from the same release',
    );
  }
  const layout = layoutNamedIn(word);
  if (layout?.byteLength !== buffer.byteLength || word(CONTROL.byteLength) !== buffer.byteLength) {
    throw new SnapshotFormatError(
      `this snapshot buffer has ${buffer.byteLength} bytes, but the sizes that it names are impossible or need others`,
    );
  }
  const views = viewsOf(buffer, layout);
  const wrong = wrongControl(views);
  if (wrong !== undefined) throw new SnapshotFormatError(memoryIsCorrupt(wrong));
  return views;
}

/** Undefined: the sizes are impossible. */
function layoutNamedIn(word: (index: number) => number): BufferLayout | undefined {
  try {
    const queues = { inputWords: word(CONTROL.inputWords), eventWords: word(CONTROL.eventWords) };
    const hasVelocities = word(CONTROL.velocities) !== 0;
    return layoutOf(
      word(CONTROL.capacity),
      word(CONTROL.stateCapacity),
      queues,
      hasVelocities,
      word(CONTROL.values),
    );
  } catch {
    return undefined;
  }
}

/**
 * Which of the control words used by both sides have an impossible value; undefined: none. Each side checks them once
 * per frame or pass, not where they are used: loops over them terminate whatever they contain. Nothing here allocates.
 */
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

/** From page to worker: inputs and commands. */
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
