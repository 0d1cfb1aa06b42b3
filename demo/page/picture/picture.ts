/** The picture of the simulation, and what a pointer does in it. */
import { FrameLimiter } from '../../../src/render-main/index.js';
import { watchContext } from '../../../src/three/watch-context.js';
import { showCondition } from '../../../site/notices.js';
import type { SettingsStore } from '../../../site/settings-store.js';
import type { SceneDescription } from '../../contract/scene-contract.js';
import { QualityAdapter } from '../quality/adapt-quality.js';
import { LEVELS, levelOf, lookOf } from '../quality/levels.js';
import type { Settings } from '../settings.js';
import type { SceneChange } from '../simulation-session.js';
import type { DemoSimulation } from '../start-simulation.js';
import { DemoView } from '../view/demo-view.js';
import { type Key, PointerTools } from '../view/pointer-tools.js';
import { runFrameLoop, type ShownFrame } from './frame-loop.js';

/** The events of the picture. */
export interface PictureEvents {
  /** A frame of the display, also one that is not shown. */
  readonly onDisplayFrame: (frameMs: number) => void;
  /** A frame that shows a scene. */
  readonly onFrame: (frame: ShownFrame) => void;
  /** The quality of drawing, as a text. */
  readonly onQuality: (text: string) => void;
  /** A command of the pointer failed. */
  readonly onError: (error: unknown) => void;
  /** Drawing threw: no more frames follow. */
  readonly onFailure: (error: unknown) => void;
}

export class Picture {
  readonly #view: DemoView;
  readonly #pointer: PointerTools;
  readonly #quality: QualityAdapter;
  #simulation: DemoSimulation | undefined;
  #isHeld = false;
  #shown = 0;

  /**
   * @param store The settings that concern it are followed.
   * @throws Error if there is no WebGL 2.
   */
  constructor(canvas: HTMLCanvasElement, store: SettingsStore<Settings>, events: PictureEvents) {
    const { quality, width, height } = store.current;
    watchContext(canvas, showCondition);
    this.#view = new DemoView({
      canvas,
      size: width === undefined || height === undefined ? undefined : { width, height },
      look: lookOf(levelOf(quality) ?? LEVELS.length),
    });
    this.#quality = new QualityAdapter(store, this.#view, events.onQuality);
    this.#pointer = new PointerTools(
      this.#view,
      () => this.#simulation,
      (look) => this.#view.addBody(look),
      events.onError,
    );
    const limiter = new FrameLimiter();
    const follow = ({ frameLimit, split }: Settings): void => {
      const limitHz = frameLimit === 'off' ? undefined : frameLimit;
      if (limiter.limitHz !== limitHz) limiter.setLimit(limitHz);
      this.#view.setSplit(split);
    };
    follow(store.current);
    store.onChange(follow);
    runFrameLoop({
      view: this.#view,
      limiter,
      // A scene that is being prepared has none to show.
      simulation: () => (this.#isHeld ? undefined : this.#simulation),
      scenes: () => this.#shown,
      onDisplayFrame: (frameMs) => {
        events.onDisplayFrame(frameMs);
        this.#quality.frame(frameMs);
      },
      onFrame: (frame) => {
        if (frame.isDrawn) this.#quality.drew();
        events.onFrame(frame);
      },
      onFailure: events.onFailure,
    });
    addEventListener('resize', () => {
      this.#view.resize();
      this.#quality.resized();
    });
  }

  /** Draws another simulation from now on; undefined: none. It shows nothing until it has a scene. */
  follow(simulation: DemoSimulation | undefined): void {
    this.#simulation = simulation;
    if (simulation !== undefined) this.#view.effects.connect(simulation);
  }

  /** Draws a scene, or the same at another moment. The camera returns to its start for a new view and for a scene that was not shown before. */
  show(description: SceneDescription, change: SceneChange): void {
    this.#shown += 1;
    const view = this.#view;
    if (change === 'same-run') view.showMoment(description);
    else view.show(description, change === 'moved' && description.name === view.description?.name);
    this.#quality.sceneChanged(change);
  }

  /** While it is held, the last frame stays. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
  }

  /** Shoots a ball from the camera to where the pointer is. */
  shoot(): void {
    this.#pointer.shoot();
  }

  /** Releases what the pointer holds. */
  letGo(): void {
    this.#pointer.letGo();
  }

  /** A key that is not for a control of the page. */
  press(key: Key): void {
    this.#pointer.press(key);
  }
}
