/**
 * What the page makes of the simulation's events: sparks and sounds of hard contacts, flashes of sensors.
 *
 *     const effects = new Effects(scene);          once, with the view
 *     effects.connect(simulation);                 with every simulation that was started
 *     effects.show(description);                   with every scene, when the view shows it
 *     effects.update(frameMs);                     once a frame, after `simulation.sample` and before drawing
 *
 * Events come when the display shows their tick, so what happens here fits what is seen. Nothing here reacts back.
 */
import { Group, type Object3D } from 'three';
import type { SimulationHandle } from '../../../src/render-main/index.js';
import type { SceneDescription } from '../../contract/scene-contract.js';

/** What effects need of a simulation. */
export type EventSource = Pick<SimulationHandle, 'on'>;

export class Effects {
  /** Everything that is drawn. */
  readonly root: Object3D = new Group();

  /** @param scene Gets {@link root}. */
  constructor(scene: Object3D) {
    scene.add(this.root);
  }

  /** Follows the events of a simulation, and no more those of the one before. */
  connect(_simulation: EventSource): void {}

  /** Forgets what went on, and finds the sensors of a scene. */
  show(_description: SceneDescription): void {}

  /**
   * Sounds on or off; off at first. Browsers allow sound only after a gesture: call it from a click or a key.
   *
   * @throws Error, by the promise, if there is no sound to be had. They are off then.
   */
  setSound(_on: boolean): Promise<void> {
    return Promise.resolve();
  }

  /** @param _frameMs The frame's time stamp, in ms. */
  update(_frameMs: number): void {}

  /** Ends all that goes on, as when another scene or moment is shown. The sensors stay known. */
  clear(): void {}

  /** Takes everything away. */
  dispose(): void {
    this.root.removeFromParent();
  }
}
