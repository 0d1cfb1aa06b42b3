/** Which keys are held, by their codes, and `Pointer` for a button of the mouse or a touch: scenes read it in frames. */
export const held = new Set<string>();

/** How far one of two keys moves something: 1, −1, or 0 for none or both. */
export const axis = (more: string, less: string): number =>
  Number(held.has(more)) - Number(held.has(less));

// Tests in Node set the keys themselves.
if (typeof document !== 'undefined') {
  addEventListener('keydown', ({ code }) => held.add(code));
  addEventListener('keyup', ({ code }) => held.delete(code));
  addEventListener('pointerdown', () => held.add('Pointer'));
  addEventListener('pointerup', () => held.delete('Pointer'));
  addEventListener('pointercancel', () => held.delete('Pointer'));
  // Another window gets the rest.
  addEventListener('blur', () => held.clear());
}
