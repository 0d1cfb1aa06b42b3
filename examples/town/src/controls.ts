/** Keys, gamepads and pointers: walking goes to the worker, looking and throwing to the page. */
import type { SimulationHandle } from 'betwixt';
import { gamepadSource, keyboardSource } from 'betwixt/inputs';

/** Actions of the page itself. */
export interface Actions {
  /** By angles in radians: to the right, and down. */
  look(right: number, down: number): void;
  throwBall(): void;
}

/** Radians for each CSS pixel of a drag, and a second with a stick or a key. */
const DRAG = 0.005;
const TURN_PER_S = 2.4;
/** How far a finger moves for full speed, and less than which is a tap, in CSS pixels. */
const REACH_PX = 56;
const TAP_PX = 8;
const TAP_MS = 300;
/** The gamepad's number that a finger has. */
const FINGER = 1;
const STICK = { x: 2, y: 3, throws: 7 } as const;

const part = (px: number): number => Math.max(-1, Math.min(1, px / REACH_PX));

/** Returns what is called in each frame. */
export function watchControls(
  canvas: HTMLCanvasElement,
  { inputs }: Pick<SimulationHandle, 'inputs'>,
  { look, throwBall }: Actions,
): (stampMs: number, seconds: number) => void {
  // 1. Keys. Arrows to the sides turn.
  const keys = ['KeyW', 'KeyA', 'KeyS', 'KeyD', 'ArrowUp', 'ArrowDown', 'Space'];
  const keyboard = keyboardSource(inputs, { keys, preventDefault: true });
  const turning = { ArrowLeft: 0, ArrowRight: 0 };
  for (const [type, value] of [
    ['keydown', 1],
    ['keyup', 0],
  ] as const) {
    addEventListener(type, ({ code, repeat }) => {
      if (code in turning) turning[code as keyof typeof turning] = value;
      if (code === 'KeyF' && value === 1 && !repeat) throwBall();
    });
  }
  addEventListener('blur', () => (turning.ArrowLeft = turning.ArrowRight = 0));

  // 2. Gamepads: the right stick looks, the right trigger throws.
  const stick = [0, 0];
  const pads = gamepadSource({
    push(input, stampMs) {
      const { kind, code, x } = input;
      if (kind === 'gamepadaxis' && code === STICK.x) stick[0] = x;
      if (kind === 'gamepadaxis' && code === STICK.y) stick[1] = x;
      if (kind === 'gamepadbutton' && code === STICK.throws && x === 1) throwBall();
      return inputs.push(input, stampMs);
    },
  });

  // 3. Pointers: a finger on the left walks, anything else looks, and a tap throws.
  const pointers = new Map<number, { down: PointerEvent; last: PointerEvent; walks: boolean }>();
  const walk = (right: number, down: number, stampMs: number): void => {
    for (const [code, x] of [right, down].entries()) {
      inputs.push({ kind: 'gamepadaxis', code, device: FINGER, x, y: 0, z: 0, w: 0 }, stampMs);
    }
  };
  canvas.addEventListener('pointerdown', (event) => {
    const walks = event.pointerType === 'touch' && event.clientX < innerWidth * 0.45;
    pointers.set(event.pointerId, { down: event, last: event, walks });
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    const pointer = pointers.get(event.pointerId);
    if (pointer === undefined) return;
    const { down, last, walks } = pointer;
    const { clientX, clientY, timeStamp } = event;
    if (walks) walk(part(clientX - down.clientX), part(clientY - down.clientY), timeStamp);
    else look((clientX - last.clientX) * DRAG, (clientY - last.clientY) * DRAG);
    pointer.last = event;
  });
  for (const type of ['pointerup', 'pointercancel'] as const) {
    canvas.addEventListener(type, (event) => {
      const pointer = pointers.get(event.pointerId);
      if (pointer === undefined) return;
      pointers.delete(event.pointerId);
      const { down, walks } = pointer;
      if (walks) walk(0, 0, event.timeStamp);
      const moved = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY);
      const isTap = moved < TAP_PX && event.timeStamp - down.timeStamp < TAP_MS;
      if (isTap && type === 'pointerup') throwBall();
    });
  }

  return (stampMs, seconds) => {
    keyboard.flush();
    pads.poll(stampMs);
    const [right = 0, down = 0] = stick;
    const turn = TURN_PER_S * seconds;
    look((turning.ArrowRight - turning.ArrowLeft + right) * turn, down * turn);
  };
}
