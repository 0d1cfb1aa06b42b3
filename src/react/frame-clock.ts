/** The time stamp of the frame that fiber draws. */
import { addAfterEffect, addEffect } from '@react-three/fiber';

/** Of the frame that is being drawn; undefined outside of one that a display has asked for. */
let current: number | undefined;
let users = 0;
let off: (() => void) | undefined;
/** Not made for each frame: frames allocate nothing. */
const note = (stamp: number): void => {
  current = stamp;
};
/** A frame that is drawn by hand has another one, or none. */
const forget = (): void => {
  current = undefined;
};

/** Keeps the time stamps of frames, while something needs them. @returns Ends it. */
export function keepStamps(): () => void {
  users += 1;
  if (users === 1) {
    const offs = [addEffect(note), addAfterEffect(forget)];
    off = () => {
      for (const end of offs) end();
    };
  }
  return () => {
    users -= 1;
    if (users > 0) return;
    off?.();
    off = undefined;
  };
}

/**
 * The time stamp of the frame that is drawn now, in ms.
 *
 * @param isByHand Whether the application draws frames itself, and may pass any number for their time.
 * @param isPresenting Whether a headset shows the frames: those of the page may have stopped.
 */
export function frameStamp(isByHand: boolean, isPresenting: boolean): number {
  if (!isByHand && current !== undefined) return current;
  if (isPresenting) return performance.now();
  const shown = globalThis.document?.timeline?.currentTime;
  return typeof shown === 'number' ? shown : performance.now();
}
