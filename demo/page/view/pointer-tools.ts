/**
 * The pointer's actions on the scene: a drag on a body grabs it, on empty space it orbits the
 * camera; two taps shoot a ball. Keys do the same: F shoots, G grabs what is nearest to the middle of
 * the picture, arrows move it, and + and - zoom.
 */
import type { SampledFrame } from '../../../src/render-main/index.js';
import type { BodyLook } from '../../contract/scene-contract.js';
import type { DemoSimulation } from '../start-simulation.js';
import type { DemoView } from './demo-view.js';
import { DragSession } from './drag-session.js';
import { DoubleTap } from './double-tap.js';

/** A place of the page. */
type Place = Pick<PointerEvent, 'clientX' | 'clientY'>;

/** A pressed key. */
export type Key = Pick<KeyboardEvent, 'code' | 'key' | 'repeat'>;

/** In place of a pointer's id, while keys hold a body. Pointers never have it. */
const KEYS = -1;
/** How far a press of an arrow moves what keys hold, in px. */
const KEY_STEP = 15;
const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-KEY_STEP, 0],
  ArrowRight: [KEY_STEP, 0],
  ArrowUp: [0, -KEY_STEP],
  ArrowDown: [0, KEY_STEP],
};
/** Rings around the middle of the picture in which G looks for a body, and places in each. */
const RINGS = 12;
const PLACES = 16;

export class PointerTools {
  readonly #view: DemoView;
  readonly #getSimulation: () => DemoSimulation | undefined;
  readonly #onShot: (look: BodyLook) => void;
  readonly #onError: (error: unknown) => void;
  readonly #doubleTap = new DoubleTap();
  #drag: DragSession | undefined;
  /** The last event of the pointer that is over the canvas. */
  #pointer: PointerEvent | undefined;
  /** Where keys hold a body. */
  #keyPlace: Place | undefined;
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
    view.element.style.touchAction = 'none';
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

  #listen(): void {
    const { element } = this.#view;
    // Before the orbit, which listens to the same canvas: it must not start on a body.
    element.addEventListener('pointerdown', this.#onDown, { capture: true });
    element.addEventListener('pointermove', this.#onMove);
    element.addEventListener('pointerup', this.#onUp);
    element.addEventListener('pointercancel', this.#onCancel);
    element.addEventListener('lostpointercapture', this.#onCancel);
    element.addEventListener('pointerleave', this.#onLeave);
  }

  #aim() {
    const pointer = this.#pointer;
    if (pointer !== undefined) return this.#view.rayAt(pointer.clientX, pointer.clientY);
    const { left, top, width, height } = this.#view.element.getBoundingClientRect();
    const viewport = this.#view.viewportAt(left + width, top + height);
    const x = left + viewport.left + viewport.width / 2;
    const y = top + viewport.top + viewport.height / 2;
    return this.#view.rayAt(x, y, viewport);
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

  /** @returns Whether there is a body. */
  #take({ clientX, clientY, pointerId = KEYS }: Place & Partial<PointerEvent>): boolean {
    const view = this.#view;
    const simulation = this.#getSimulation();
    // A replay has its own grabs.
    if (simulation === undefined || simulation.replay !== undefined) return false;
    const viewport = view.viewportAt(clientX, clientY);
    const ray = view.rayAt(clientX, clientY, viewport);
    const pick = view.pick(ray);
    if (pick === undefined) return false;
    view.rig.controls.enabled = false;
    if (pointerId !== KEYS) view.element.setPointerCapture(pointerId);
    view.element.style.cursor = 'grabbing';
    const parts = { view, simulation, pointerId, viewport, pick, onError: this.#onError };
    const onLost = (): void => this.#forget();
    const onMissed = (): void => this.#giveToOrbit();
    this.#drag = new DragSession({ ...parts, onLost, onMissed }, ray);
    return true;
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

  /** Does what a key is for. Call it for those that are not for a control of the page. */
  press({ code, key, repeat }: Key): void {
    if (code === 'KeyF' && !repeat) this.shoot();
    if (code === 'KeyG' && !repeat) this.#grabByKey();
    if (code === 'Escape' && this.#keyPlace !== undefined) this.letGo();
    if (key === '+' || key === '=') this.#view.rig.zoom(1);
    if (key === '-') this.#view.rig.zoom(-1);
    const arrow = ARROWS[code];
    const place = this.#keyPlace;
    if (arrow === undefined || place === undefined) return;
    this.#keyPlace = { clientX: place.clientX + arrow[0], clientY: place.clientY + arrow[1] };
  }

  /** Grabs the body that is drawn nearest to the middle of the picture, or releases what is held. */
  #grabByKey(): void {
    if (this.#drag !== undefined) {
      this.letGo();
      return;
    }
    const { left, top, width, height } = this.#view.element.getBoundingClientRect();
    for (let ring = 0; ring < RINGS; ring++) {
      for (let index = 0; index < (ring === 0 ? 1 : PLACES); index++) {
        const angle = (2 * Math.PI * index) / PLACES;
        const radius = ring / RINGS / 2;
        const place = {
          clientX: left + width * (0.5 + radius * Math.cos(angle)),
          clientY: top + height * (0.5 + radius * Math.sin(angle)),
        };
        if (!this.#take(place)) continue;
        this.#keyPlace = place;
        return;
      }
    }
  }

  #onFrame(frame: SampledFrame): void {
    const place = this.#keyPlace ?? this.#pointer;
    if (place === undefined) return;
    this.#drag?.move(place.clientX, place.clientY, frame);
  }

  /**
   * The orbit gets the pointer as if it had been pressed now: with a second finger it then pinches.
   */
  #giveToOrbit(): void {
    if (this.#drag === undefined) return;
    const isByKeys = this.#keyPlace !== undefined;
    this.letGo();
    const first = this.#pointer;
    if (first === undefined || isByKeys) return;
    const { pointerId, pointerType, clientX, clientY } = first;
    const press = { pointerId, pointerType, clientX, clientY, button: 0, isPrimary: true };
    this.#isGivingToOrbit = true;
    this.#view.element.dispatchEvent(new PointerEvent('pointerdown', press));
    this.#isGivingToOrbit = false;
  }

  #forget(): void {
    this.#drag = undefined;
    this.#keyPlace = undefined;
    this.#view.rig.controls.enabled = true;
    this.#view.element.style.cursor = '';
  }
}
