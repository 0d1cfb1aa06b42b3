/**
 * Notifies the page when a frame is due: what a display does for `requestAnimationFrame`, at any
 * rate. It sleeps in `Atomics.wait`, so that it takes no time from the contestants.
 */

export interface MetronomeMessage {
  readonly displayHz: number;
  /** Stamp of frame 0, in ms since 1970. */
  readonly originMs: number;
}

const never = new Int32Array(new SharedArrayBuffer(4));

onmessage = ({ data: { displayHz, originMs } }: MessageEvent<MetronomeMessage>): void => {
  const now = (): number => performance.timeOrigin + performance.now() - originMs;
  // Until it is terminated.
  for (let frame = 0; ; frame++) {
    const dueMs = (frame * 1000) / displayHz;
    for (let left = dueMs - now(); left > 0; left = dueMs - now()) Atomics.wait(never, 0, 0, left);
    postMessage(frame);
    // Frames that this thread overslept are lost, as on a display.
    frame = Math.max(frame, Math.floor((now() * displayHz) / 1000));
  }
};
