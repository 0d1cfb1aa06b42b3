/**
 * What the pointer does to the scene: a drag on a body grabs it, on empty space it orbits the
 * camera; two taps shoot a ball.
 */
import type { SampledFrame } from '../../../src/render-main/index.js';
import type { BodyLook } from '../../contract/scene-contract.js';
import type { DemoSimulation } from '../start-simulation.js';
import type { DemoView } from './demo-view.js';
import { DragSession } from './drag-session.js';
import { isForPage } from './keyboard.js';
import { DoubleTap } from './double-tap.js';

export class PointerTools {
  readonly #view: DemoView;
  readonly #getSimulation: () => DemoSimulation | undefined;
  readonly #onShot: (look: BodyLook) => void;
  readonly #onError: (error: unknown) => void;
  readonly #doubleTap = new DoubleTap();
  readonly #listening = new AbortController();
  #drag: DragSession | undefined;
  /** The last event of the pointer that is over the canvas. */
  #pointer: PointerEvent | undefined;
  /** The current press is synthetic: it informs the orbit about a finger that is down already. */
  #isGivingToOrbit = false;

  /**
   * @param onShot Called with each ball that was shot: it has to be drawn.
   * @param onError Called with the errors of commands.
   */
  constructor(
    view: DemoView,
    getSimulation: () => DemoSimulation | undefined,
    onShot: (look: BodyLook) => void,
    onError: (error: unknown) => void,
  ) {
    this.#view = view;
    this.#getSimulation = getSimulation;
    this.#onShot = onShot;
    this.#onError = onError;
    view.canvas.style.touchAction = 'none';
    view.onFrame = (frame) => this.#onFrame(frame);
    this.#listen();
  }

  /** Shoots a ball from the camera to where the pointer is, or straight ahead. */
  shoot(): void {
    const simulation = this.#getSimulation();
    if (simulation === undefined) return;
    if (simulation.replay !== undefined) {
      this.#onError(new Error('You cannot shoot during a replay. Take over first.'));
      return;
    }
    const { origin, direction } = this.#aim();
    simulation.commands
      .shoot(origin.toArray(), direction.toArray())
      .then(this.#onShot)
      .catch(this.#onError);
  }

  /** Releases what is held. */
  letGo(): void {
    this.#drag?.release();
    this.#forget();
  }

  dispose(): void {
    this.letGo();
    this.#listening.abort();
    this.#view.onFrame = undefined;
  }

  #listen(): void {
    const { canvas } = this.#view;
    const { signal } = this.#listening;
    // Before the orbit, which listens to the same canvas: it must not start on a body.
    canvas.addEventListener('pointerdown', this.#onDown, { signal, capture: true });
    canvas.addEventListener('pointermove', this.#onMove, { signal });
    canvas.addEventListener('pointerup', this.#onUp, { signal });
    canvas.addEventListener('pointercancel', this.#onCancel, { signal });
    canvas.addEventListener('lostpointercapture', this.#onCancel, { signal });
    canvas.addEventListener('pointerleave', this.#onLeave, { signal });
    window.addEventListener('keydown', this.#onKey, { signal });
  }

  #aim() {
    const pointer = this.#pointer;
    if (pointer !== undefined) return this.#view.rayAt(pointer.clientX, pointer.clientY);
    const { left, top, width, height } = this.#view.canvas.getBoundingClientRect();
    const viewport = this.#view.viewportAt(left + width);
    const middle = left + viewport.left + viewport.width / 2;
    return this.#view.rayAt(middle, top + height / 2, viewport);
  }

  readonly #onDown = (event: PointerEvent): void => {
    if (this.#isGivingToOrbit) return;
    if (!event.isPrimary) {
      this.#doubleTap.cancel();
      this.#giveToOrbit();
      return;
    }
    if (event.button !== 0) return;
    this.#pointer = event;
    this.#doubleTap.press(event);
    // With these keys the orbit pans.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    this.#take(event);
  };

  #take(event: PointerEvent): void {
    const view = this.#view;
    const simulation = this.#getSimulation();
    // A replay has its own grabs.
    if (simulation === undefined || simulation.replay !== undefined) return;
    const viewport = view.viewportAt(event.clientX);
    const ray = view.rayAt(event.clientX, event.clientY, viewport);
    const pick = view.pick(ray);
    if (pick === undefined) return;
    view.rig.controls.enabled = false;
    view.canvas.setPointerCapture(event.pointerId);
    view.canvas.style.cursor = 'grabbing';
    const { pointerId } = event;
    const parts = { view, simulation, pointerId, viewport, pick, onError: this.#onError };
    const onLost = (): void => this.#forget();
    const onMissed = (): void => this.#giveToOrbit();
    this.#drag = new DragSession({ ...parts, onLost, onMissed }, ray);
  }

  readonly #onMove = (event: PointerEvent): void => {
    if (event.isPrimary) this.#pointer = event;
  };

  readonly #onUp = (event: PointerEvent): void => {
    if (!event.isPrimary) return;
    this.#pointer = event;
    if (event.pointerId === this.#drag?.pointerId) this.letGo();
    if (event.button === 0 && this.#doubleTap.release(event)) this.shoot();
    // A finger that was lifted points nowhere.
    if (event.pointerType === 'touch') this.#pointer = undefined;
  };

  readonly #onCancel = (event: PointerEvent): void => {
    if (event.pointerId === this.#drag?.pointerId) this.letGo();
  };

  readonly #onLeave = (event: PointerEvent): void => {
    if (event.isPrimary) this.#pointer = undefined;
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.code !== 'KeyF' || event.repeat || isForPage(event)) return;
    this.shoot();
  };

  #onFrame(frame: SampledFrame): void {
    const pointer = this.#pointer;
    if (pointer === undefined) return;
    this.#drag?.move(pointer.clientX, pointer.clientY, frame);
  }

  /**
   * The orbit gets the pointer as if it had been pressed now: with a second finger it then pinches.
   */
  #giveToOrbit(): void {
    if (this.#drag === undefined) return;
    this.letGo();
    const first = this.#pointer;
    if (first === undefined) return;
    const { pointerId, pointerType, clientX, clientY } = first;
    const press = { pointerId, pointerType, clientX, clientY, button: 0, isPrimary: true };
    this.#isGivingToOrbit = true;
    this.#view.canvas.dispatchEvent(new PointerEvent('pointerdown', press));
    this.#isGivingToOrbit = false;
  }

  #forget(): void {
    this.#drag = undefined;
    this.#view.rig.controls.enabled = true;
    this.#view.canvas.style.cursor = '';
  }
}
