/** The arrow keys of a table that may be upright on the screen. */
import type { InputSink } from 'betwixt/inputs';
import { keyCode } from 'betwixt/shared';

/** Passes inputs on, and has arrows go where they point on the screen. */
export function turned(sink: InputSink, isUpright: () => boolean): InputSink {
  const arrows = ['ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft'] as const;
  const codes = arrows.map((name) => keyCode(name));
  // A key is released as it was pressed.
  const pressed = new Map<number, number>();
  return {
    push(input, stampMs) {
      const place = codes.indexOf(input.code);
      if (place === -1) return sink.push(input, stampMs);
      const next = isUpright() ? codes[(place + 1) % 4] : undefined;
      const code = (input.kind === 'keyup' ? pressed.get(input.code) : next) ?? input.code;
      pressed.set(input.code, code);
      return sink.push({ ...input, code }, stampMs);
    },
  };
}
