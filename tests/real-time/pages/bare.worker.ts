/// <reference lib="webworker" />
/**
 * A worker without the library: it sleeps in `Atomics.wait` and wakes at a rate, or when it is
 * rung.
 */
import { WORD, type BareRequest, type Beats } from './bare-request.js';

/** Lets messages in. */
const hop = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });

self.onmessage = async ({ data }: MessageEvent<BareRequest>) => {
  if (data.kind === 'echo') {
    self.postMessage(data.value);
    return;
  }
  const words = new Int32Array(data.memory);
  if (data.kind === 'beats') {
    self.postMessage(keepBeats(words, data.rateHz, data.busyMs));
    return;
  }
  while (Atomics.load(words, WORD.isOver) === 0) {
    Atomics.wait(words, WORD.bell, Atomics.load(words, WORD.bell), 250);
    await hop();
  }
};

/** Until it is over. */
function keepBeats(words: Int32Array, rateHz: number, busyMs: number): Beats {
  const periodMs = 1000 / rateHz;
  const startMs = performance.now();
  let [due, inTime, worstLateMs] = [0, 0, 0];
  for (;;) {
    due += 1;
    const dueMs = startMs + due * periodMs;
    for (;;) {
      if (Atomics.load(words, WORD.isOver) !== 0) return { due: due - 1, inTime, worstLateMs };
      const leftMs = dueMs - performance.now();
      if (leftMs <= 0) break;
      Atomics.wait(words, WORD.isOver, 0, leftMs);
    }
    const beganMs = performance.now();
    const lateMs = beganMs - dueMs;
    if (lateMs < periodMs) inTime += 1;
    worstLateMs = Math.max(worstLateMs, lateMs);
    Atomics.add(words, WORD.beats, 1);
    while (performance.now() < beganMs + busyMs);
  }
}
