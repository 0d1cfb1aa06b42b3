/**
 * The picture of the simulation, and what a pointer does in it: on the page, or in a worker that has its canvas. What it
 * is given and what it reports can be sent to and from a worker.
 */
import { FrameLimiter } from '../../../src/render-main/index.js';
import type { SettingsStore } from '../../../site/common/settings-store.js';
import type { SceneDescription } from '../../contract/scene-contract.js';
import { QualityAdapter } from '../quality/adapt-quality.js';
import { LEVELS, levelOf, lookOf } from '../quality/levels.js';
import type { Settings } from '../settings.js';
import type { SceneChange } from '../simulation-session.js';
import type { DrawnSimulation } from '../start-simulation.js';
import { DemoView } from '../view/demo-view.js';
import type { Covered } from '../view/framing.js';
import { type Key, PointerTools } from '../view/pointer-tools.js';
import type { Screen } from '../view/screen.js';
import { runFrameLoop, type ShownFrame } from './frame-loop.js';

/** What it reports. */
export interface PictureEvents {
  /** A frame of the display, also one that is not shown. */
  readonly onDisplayFrame: (frameMs: number) => void;
  /** A frame that shows a scene. */
  readonly onFrame: (frame: ShownFrame) => void;
  /** The quality of drawing, as a text. */
  readonly onQuality: (text: string) => void;
  /** The graphics context was lost, or is restored. */
  readonly onContext: (isLost: boolean) => void;
  /** A command of the pointer failed. */
  readonly onError: (error: unknown) => void;
  /** Drawing threw: no more frames follow. */
  readonly onFailure: (error: unknown) => void;
}

/** What the page does with it. */
export interface PictureActions {
  /** Draws a scene, or the same at another moment. */
  show(description: SceneDescription, change: SceneChange): void;
  /** While it is held, the last frame stays. */
  hold(isHeld: boolean): void;
  setCovered(covered: Covered): void;
  /** Shoots a ball from the camera to where the pointer is. */
  shoot(): void;
  /** Releases what the pointer holds. */
  letGo(): void;
  /** A key that is not for a control of the page. */
  press(key: Key): void;
}

export class Picture implements PictureActions {
  readonly #view: DemoView;
  readonly #pointer: PointerTools;
  readonly #quality: QualityAdapter;
  #simulation: DrawnSimulation | undefined;
  #isHeld = false;
  #shown = 0;

  /**
   * @param store The settings that concern it are followed.
   * @throws Error if there is no WebGL 2.
   */
  constructor(screen: Screen, store: SettingsStore<Settings>, events: PictureEvents) {
    const { quality, shadows } = store.current;
    this.#view = new DemoView({
      screen,
      look: lookOf(levelOf(quality) ?? LEVELS.length, shadows),
      onContextLost: () => events.onContext(true),
      onContextRestored: () => events.onContext(false),
    });
    this.#quality = new QualityAdapter(store, this.#view, screen.page, events.onQuality);
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
  }

  /** Draws another simulation from now on; undefined: none. It shows nothing until it has a scene. */
  follow(simulation: DrawnSimulation | undefined): void {
    this.#simulation = simulation;
    if (simulation !== undefined) this.#view.effects.connect(simulation);
  }

  /** Call it when the window was resized. */
  resized(): void {
    this.#view.resize();
    this.#quality.resized();
  }

  /** The camera returns to its start for a new view and for a scene that was not shown before. */
  show(description: SceneDescription, change: SceneChange): void {
    this.#shown += 1;
    const view = this.#view;
    if (change === 'same-run') view.showMoment(description);
    else view.show(description, change === 'moved' && description.name === view.description?.name);
    this.#quality.sceneChanged(change);
  }

  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
  }

  setCovered(covered: Covered): void {
    this.#view.setCovered(covered);
  }

  shoot(): void {
    this.#pointer.shoot();
  }

  letGo(): void {
    this.#pointer.letGo();
  }

  press(key: Key): void {
    this.#pointer.press(key);
  }
}
