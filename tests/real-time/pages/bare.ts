/** The machine and its browser without the library: `globalThis.bare`. */
import { WORD, type BareRequest, type Beats } from './bare-request.js';

const createWorker = (): Worker =>
  new Worker(new URL('./bare.worker.ts', import.meta.url), { type: 'module' });

const send = (worker: Worker, request: BareRequest): void => worker.postMessage(request);

const sleep = (durationMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, durationMs));

const messageOf = <T>(worker: Worker): Promise<T> =>
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<T>) => resolve(data);
    worker.onerror = (event) => reject(new Error(`the worker failed: ${event.message}`));
  });

const end = (words: Int32Array): void => {
  Atomics.store(words, WORD.isOver, 1);
  for (const word of Object.values(WORD)) Atomics.notify(words, word);
};

/** A worker that has begun to keep a rate. */
async function startBeats(rateHz: number, busyMs: number) {
  const memory = new SharedArrayBuffer(4 * Object.keys(WORD).length);
  const words = new Int32Array(memory);
  const worker = createWorker();
  const reported = messageOf<Beats>(worker);
  send(worker, { kind: 'beats', memory, rateHz, busyMs });
  while (Atomics.load(words, WORD.beats) === 0) await sleep(5);
  return {
    words,
    async end(): Promise<Beats> {
      end(words);
      const beats = await reported;
      worker.terminate();
      return beats;
    },
  };
}

const bare = {
  /** Workers that keep a rate, all at the same time. */
  async beats(count: number, rateHz: number, busyMs: number, seconds: number): Promise<Beats[]> {
    const started = await Promise.all(
      Array.from({ length: count }, () => startBeats(rateHz, busyMs)),
    );
    await sleep(seconds * 1000);
    return Promise.all(started.map((one) => one.end()));
  },

  /**
   * A worker that keeps a rate while the page is blocked for this long at a time. @returns Beats of
   * each time.
   */
  async beatsWhileBlocked(times: number, calmMs: number, blockMs: number) {
    const started = await startBeats(60, 0);
    const blocked: number[] = [];
    for (let time = 0; time < times; time++) {
      await sleep(calmMs);
      const before = Atomics.load(started.words, WORD.beats);
      const endMs = performance.now() + blockMs;
      while (performance.now() < endMs);
      blocked.push(Atomics.load(started.words, WORD.beats) - before);
    }
    return { blocked, ...(await started.end()) };
  },

  /**
   * Round trips to a sleeping worker that is rung, in ms, at the moments of
   * `library.controlLatenciesMs`.
   */
  async latenciesMs(calls: number): Promise<number[]> {
    const memory = new SharedArrayBuffer(4 * Object.keys(WORD).length);
    const words = new Int32Array(memory);
    const worker = createWorker();
    send(worker, { kind: 'answers', memory });
    const latenciesMs: number[] = [];
    for (let call = -1; call < calls; call++) {
      await sleep(7 + (Math.max(call, 0) % 5) * 13);
      const startMs = performance.now();
      const answer = messageOf<number>(worker);
      send(worker, { kind: 'echo', value: call });
      Atomics.add(words, WORD.bell, 1);
      Atomics.notify(words, WORD.bell);
      await answer;
      // The first one waits for the worker's script.
      if (call >= 0) latenciesMs.push(performance.now() - startMs);
    }
    end(words);
    worker.terminate();
    return latenciesMs;
  },

  /** An idle worker. */
  async startIdle(): Promise<void> {
    const worker = createWorker();
    const answer = messageOf<number>(worker);
    send(worker, { kind: 'echo', value: 0 });
    await answer;
    bare.endIdle = () => worker.terminate();
  },
  endIdle: (): void => {},
};

declare global {
  var bare: typeof bareType;
}
const bareType = bare;
globalThis.bare = bare;
