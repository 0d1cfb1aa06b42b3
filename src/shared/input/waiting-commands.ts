/**
 * What can be done with a command that waits in a queue, without decoding it: see input-record.ts for its words.
 *
 * A separate module, because a part of the worker that loads later needs this and none of the decoding. Bundlers put
 * modules that such a part shares with the worker's script into further files, which compress less well.
 */
import { INPUT_RECORD } from '../memory/layout.js';
import type { QueueReader } from '../memory/record-queue.js';

/** Number of the call that waits for a command. */
export function callOf(payload: Int32Array): number {
  return payload[3] ?? 0;
}

/**
 * Changes the place of a command in the worker's list: another worker may have another list.
 *
 * @returns False if it has none, and is unchanged.
 */
export function placeCommand(
  payload: Int32Array,
  placeOf: (before: number) => number | undefined,
): boolean {
  const place = placeOf(payload[2] ?? -1);
  if (place !== undefined) payload[2] = place;
  return place !== undefined;
}

/**
 * Takes back a command that waits in a queue.
 *
 * @param queue Must have no scan in progress.
 * @returns False if the command is not there: a tick has taken it.
 */
export function withdrawCommand(queue: QueueReader, call: number): boolean {
  queue.begin();
  while (queue.next()) {
    if (queue.type !== INPUT_RECORD.command) continue;
    const payload = new Int32Array(queue.length);
    queue.read(payload);
    if (callOf(payload) === call) return queue.take();
  }
  return false;
}
