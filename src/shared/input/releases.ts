/** Inputs that release what is held: after a jump of a run, where the player may hold something else. */
import type { InputState } from './input-state.js';
import type { InputKind, TickInput } from './tick-inputs.js';

/** As `InputState` saves it. */
type Held = Readonly<Record<'keys' | 'pointers' | 'buttons' | 'axes', readonly number[][]>>;

const release = (kind: InputKind, code: number, device = 0, x = 0, y = 0): TickInput => {
  return { kind, code, device, x, y, z: 0, w: 0, fraction: 0 };
};

/** Pointers stay where they are. */
export function releasesOf(input: InputState): TickInput[] {
  const { keys, pointers, buttons, axes } = input.save() as Held;
  return [
    ...keys.map(([code = 0]) => release('keyup', code)),
    ...pointers
      .filter(([, , , , down]) => down !== 0)
      .map(([device, x, y]) => release('pointerup', 0, device, x, y)),
    ...buttons.map(([device, code = 0]) => release('gamepadbutton', code, device)),
    ...axes.map(([device, code = 0]) => release('gamepadaxis', code, device)),
  ];
}
