import type { TickInput } from './tick-inputs.js';

/**
 * Merges moves: a mouse reports a thousand positions per second, and a tick only needs the last one.
 *
 *     inputs    move 1   move 2   move 1'  down 1   move 1''  move 1'''  wheel 3  wheel 4
 *     merged             move 2   move 1'  down 1             move 1'''           wheel 7
 *
 * Only consecutive moves are merged, so any other input finds the pointer where it was. The last move keeps its place,
 * so the pointer that moved last stays the same. `InputState` has the same content afterwards with or without merging.
 *
 * @param inputs Inputs of one tick, in order.
 */
export function mergeMoves(inputs: readonly TickInput[]): readonly TickInput[] {
  if (inputs.length < 2) return inputs;
  const merged = new Set<TickInput>();
  /** The last move of each pointer since any other input. */
  const moves = new Map<number, TickInput>();
  let wheel: TickInput | undefined;
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
      wheel = undefined;
    } else {
      if (wheel !== undefined && wheel.device === input.device && isOfSameButtons(wheel, input)) {
        merged.delete(wheel);
        // A wheel input is a distance, not a position.
        kept = { ...input, x: wheel.x + input.x, y: wheel.y + input.y, z: wheel.z + input.z };
      }
      wheel = kept;
    }
    merged.add(kept);
  }
  return [...merged];
}

const isOfSameButtons = (a: TickInput, b: TickInput): boolean => a.code === b.code && a.w === b.w;
