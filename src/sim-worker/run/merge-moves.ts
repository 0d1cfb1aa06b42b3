/**
 * Merges moves: a mouse reports a thousand positions per second, and a tick only needs the last one.
 *
 *     inputs    move 1   move 2   move 1'  down 1   move 1''  move 1'''  wheel 3  wheel 4
 *     merged             move 2   move 1'  down 1             move 1'''           wheel 7
 *
 * Only consecutive moves are merged, so any other input finds the pointer where it was. The last move keeps its place,
 * so the pointer that moved last stays the same. `InputState` has the same content afterwards with or without merging.
 */
import type { TickInput } from '../../shared/input/input-event.js';

/** @param inputs Inputs of one tick, in order. */
export function mergeMoves(inputs: readonly TickInput[]): readonly TickInput[] {
  if (inputs.length < 2) return inputs;
  const merged = new Set<TickInput>();
  /** The last move of each pointer since any other input. */
  const moves = new Map<number, TickInput>();
  let turn: TickInput | undefined;
  for (const input of inputs) {
    let kept = input;
    if (input.kind === 'pointermove') {
      const before = moves.get(input.device);
      if (before !== undefined && isOfSameButtons(before, input)) merged.delete(before);
      moves.set(input.device, input);
    } else {
      moves.clear();
    }
    if (input.kind !== 'wheel') {
      turn = undefined;
    } else {
      if (turn !== undefined && turn.device === input.device && isOfSameButtons(turn, input)) {
        merged.delete(turn);
        // A wheel input is a distance, not a position.
        kept = { ...input, x: turn.x + input.x, y: turn.y + input.y, z: turn.z + input.z };
      }
      turn = kept;
    }
    merged.add(kept);
  }
  return [...merged];
}

const isOfSameButtons = (a: TickInput, b: TickInput): boolean => a.code === b.code && a.w === b.w;
