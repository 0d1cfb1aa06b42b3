/** Measures one application on request of a script: `globalThis.reactBench`. A page is for one run. */
import type { BenchScene } from '../scenes/index.js';
import { openApp, type App } from './app.js';
import { medianOf } from '../engine/samples.js';
import type { LibraryName, Subject } from './figures.js';

export interface RunRequest extends Subject {
  readonly library: LibraryName;
  readonly scene: BenchScene;
}

/** Until betwixt's worker has answered with the masses of what is new, which the page keeps. */
const SETTLE_SECONDS = 0.3;

/** The memories of engines that the page has started. */
const memories: WebAssembly.Memory[] = [];
const { instantiate } = WebAssembly;
WebAssembly.instantiate = (async (...args: Parameters<typeof instantiate>) => {
  const started = (await instantiate.apply(WebAssembly, args)) as unknown as {
    readonly instance: WebAssembly.Instance;
  };
  memories.push(started.instance.exports['memory'] as WebAssembly.Memory);
  return started;
}) as unknown as typeof instantiate;

let app: App | undefined;
const running = (): App => {
  if (app === undefined) throw new Error('nothing was opened');
  return app;
};

const api = {
  /** @param request A {@link RunRequest} as JSON. */
  async open(request: string): Promise<void> {
    const { library, scene, ...subject } = JSON.parse(request) as RunRequest;
    app = await openApp(library, subject, scene);
  },
  show: (isShown: boolean): Promise<number> => running().show(isShown),
  /** Lets frames run. Here and not in the script, because on a busy machine the page is late with both. */
  wait: (seconds: number): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, seconds * 1000);
    }),
  engineBytes: (): number => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0),
  /** Mounts and unmounts the boxes. @returns Medians of the times, in ms. */
  async cycles(count: number): Promise<{ readonly mountMs: number; readonly unmountMs: number }> {
    const times: Record<'mount' | 'unmount', number[]> = { mount: [], unmount: [] };
    for (let cycle = 0; cycle < count; cycle++) {
      times.mount.push(await running().show(true));
      await api.wait(SETTLE_SECONDS);
      times.unmount.push(await running().show(false));
      await api.wait(SETTLE_SECONDS);
    }
    return { mountMs: medianOf(times.mount), unmountMs: medianOf(times.unmount) };
  },
};

declare global {
  var reactBench: typeof api;
}
globalThis.reactBench = api;
