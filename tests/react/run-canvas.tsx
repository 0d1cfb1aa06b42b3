/** Runs a canvas of fiber whose display is the test's: it counts the frames that are asked for, and gives them. */
import { createRoot, extend, type RenderProps } from '@react-three/fiber';
import { act, type ReactNode } from 'react';
import * as THREE from 'three';
import { onTestFinished } from 'vitest';
import { setActing } from './run-scene.js';

extend(THREE as never);

/** A canvas, as a test sees it. */
export interface RunningCanvas {
  /** How many pictures were rendered. */
  readonly pictures: number;
  readonly scene: THREE.Scene;
  /** Gives a frame, if one is asked for. */
  frame(): void;
  render(children: ReactNode): void;
  /** Gives frames that are asked for, until something holds. @throws After 20 s. */
  until(holds: () => boolean): Promise<void>;
  /** Gives frames that are asked for, until none is for a while. */
  quiet(): Promise<void>;
  /** Shows the frames in a headset from now on, until it returns. */
  present(frames: (give: Headset['give']) => Promise<void>): Promise<void>;
  /** The end of the test does it, too. */
  unmount(): Promise<void>;
}

type FrameLoop = ((stamp: number, frame: object) => void) | null;

/** A headset, as a renderer of three.js has it. */
class Headset {
  isPresenting = false;
  enabled = false;
  #loop: FrameLoop = null;
  readonly #handlers = new Map<string, () => void>();

  setAnimationLoop(loop: FrameLoop): void {
    this.#loop = loop;
  }

  addEventListener(name: string, handler: () => void): void {
    this.#handlers.set(name, handler);
  }

  removeEventListener(name: string): void {
    this.#handlers.delete(name);
  }

  change(isPresenting: boolean): void {
    this.isPresenting = isPresenting;
    this.#handlers.get(isPresenting ? 'sessionstart' : 'sessionend')?.();
  }

  /** @param predictedDisplayTime When the frame is shown. Default: the browser does not say it. */
  give(stamp: number, predictedDisplayTime?: number): void {
    this.#loop?.(stamp, { predictedDisplayTime });
  }
}

/** The frames that were asked for. */
class Display {
  readonly #due = new Map<number, FrameRequestCallback>();
  #last = 0;

  readonly request = (callback: FrameRequestCallback): number => {
    this.#last += 1;
    this.#due.set(this.#last, callback);
    return this.#last;
  };

  readonly cancel = (id: number): void => {
    this.#due.delete(id);
  };

  /** Gives a frame to all who have asked for one. */
  give(): void {
    const due = [...this.#due.values()];
    this.#due.clear();
    for (const callback of due) callback(performance.now());
  }
}

/** Several times of what the library takes to look for itself. */
const QUIET_LOOKS = 60;

/** Most looks, of 5 ms or more each. */
const MOST_LOOKS = 4000;

const display = new Display();
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** @param frameloop Of the canvas. */
export async function runCanvas(
  frameloop: NonNullable<RenderProps<HTMLCanvasElement>['frameloop']>,
  children: ReactNode,
): Promise<RunningCanvas> {
  Object.assign(globalThis, {
    requestAnimationFrame: display.request,
    cancelAnimationFrame: display.cancel,
  });
  // After a test in which rendering has failed, React would wait for the end of that one.
  setActing(true);
  await act(async () => {});
  setActing(false);
  let pictures = 0;
  const headset = new Headset();
  const gl = {
    xr: headset,
    render: () => {
      pictures += 1;
    },
    setPixelRatio: () => {},
    setSize: () => {},
    dispose: () => {},
  };
  const size = { width: 100, height: 100, top: 0, left: 0 };
  const canvas = { ...size, style: {}, addEventListener: () => {}, removeEventListener: () => {} };
  const root = createRoot(canvas as unknown as HTMLCanvasElement);
  await root.configure({ frameloop, gl: gl as never, size });
  const store = root.render(children);
  let isMounted = true;
  const unmount = async (): Promise<void> => {
    if (!isMounted) return;
    isMounted = false;
    root.unmount();
    // Fiber ends the canvas half a second later, and its frame loop when a frame finds nothing to draw.
    for (let look = 0; look < 4; look++) {
      display.give();
      await pause();
    }
  };
  onTestFinished(unmount);
  return {
    get pictures() {
      return pictures;
    },
    scene: store.getState().scene,
    frame: () => {
      display.give();
    },
    render: (content) => {
      root.render(content);
    },
    async until(holds) {
      for (let looks = 0; !holds(); looks++) {
        if (looks > MOST_LOOKS) throw new Error(`waited 20 s for ${String(holds)}`);
        display.give();
        await pause();
      }
    },
    async quiet() {
      let last = -1;
      for (let looks = 0; looks < QUIET_LOOKS; looks++) {
        if (pictures !== last) looks = 0;
        last = pictures;
        display.give();
        await pause();
      }
    },
    async present(frames) {
      headset.change(true);
      await frames((stamp, shown) => headset.give(stamp, shown));
      headset.change(false);
    },
    unmount,
  };
}
