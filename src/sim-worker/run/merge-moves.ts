/**
 * Makes one move of several: a mouse reports a thousand places a second, and a tick ends at one of them.
 *
 *     inputs    move 1   move 2   move 1'  down 1   move 1''  move 1'''  wheel 3  wheel 4
 *     merged             move 2   move 1'  down 1             move 1'''           wheel 7
 *
 * Only moves stand between moves that are merged: what else happens finds the pointer where it was. The last of them
 * stays, in its place, so who was moved last is the same. `InputState` holds the same afterwards, whichever it is given.
 */
import type { TickInput } from '../../shared/input/input-event.js';

/** @param inputs Of one tick, in order. */
export function mergeMoves(inputs: readonly TickInput[]): readonly TickInput[] {
  if (inputs.length < 2) return inputs;
  const merged = new Set<TickInput>();
  /** The last move of each pointer since anything else happened. */
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
        // How far it was turned, and not a place.
        kept = { ...input, x: turn.x + input.x, y: turn.y + input.y, z: turn.z + input.z };
      }
      turn = kept;
    }
    merged.add(kept);
  }
  return [...merged];
}

const isOfSameButtons = (a: TickInput, b: TickInput): boolean => a.code === b.code && a.w === b.w;
