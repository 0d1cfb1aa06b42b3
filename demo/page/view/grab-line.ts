/** A thin line from the held point of a body to the pointer. */
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  Line,
  LineBasicMaterial,
  Points,
  PointsMaterial,
  Quaternion,
  Vector3,
} from 'three';
import type { BodyId } from '../../../src/shared/index.js';
import type { SampledFrame } from '../../../src/render-main/index.js';
import { createDisc } from './textures.js';

/** Neither as dark as a shadow nor as light as the ground. */
const COLOR = 0xe2603f;
/** Size of the dots at both ends, in CSS pixels. */
const DOT_SIZE = 8;

const rotation = new Quaternion();
const point = new Vector3();

export class GrabLine {
  readonly root = new Group();
  readonly #positions = new BufferAttribute(new Float32Array(6), 3).setUsage(DynamicDrawUsage);
  readonly #geometry = new BufferGeometry().setAttribute('position', this.#positions);
  readonly #lineMaterial = new LineBasicMaterial({
    color: COLOR,
    depthTest: false,
    transparent: true,
    opacity: 0.8,
  });
  readonly #disc = createDisc();
  readonly #dotMaterial = new PointsMaterial({
    color: COLOR,
    alphaMap: this.#disc,
    size: DOT_SIZE,
    sizeAttenuation: false,
    depthTest: false,
    transparent: true,
  });
  /** The held point, in the body's frame. */
  readonly #anchor = new Vector3();
  readonly #pose = new Float64Array(7);
  #id: BodyId | undefined;

  constructor() {
    for (const part of [
      new Line(this.#geometry, this.#lineMaterial),
      new Points(this.#geometry, this.#dotMaterial),
    ]) {
      part.frustumCulled = false;
      part.renderOrder = 2;
      this.root.add(part);
    }
    this.root.visible = false;
  }

  /**
   * Ties the line to a body.
   *
   * @param at The held point, in world space, as the body is drawn in the frame.
   */
  tie(id: BodyId, at: Vector3, frame: SampledFrame): void {
    if (frame.pose(id, this.#pose) === undefined) return;
    this.#id = id;
    rotation.fromArray(this.#pose, 3).invert();
    this.#anchor.copy(at).sub(point.fromArray(this.#pose)).applyQuaternion(rotation);
    this.setEnd(at);
  }

  /** Moves the pointer's end. */
  setEnd(end: Vector3): void {
    this.#positions.setXYZ(1, end.x, end.y, end.z);
  }

  hide(): void {
    this.#id = undefined;
    this.root.visible = false;
  }

  /** Both ends, as numbers. Undefined when it is hidden. */
  get ends(): Iterable<number> | undefined {
    return this.root.visible ? this.#positions.array : undefined;
  }

  /** Moves the body's end to where the body is in this frame. */
  update(frame: SampledFrame): void {
    if (this.#id === undefined) return;
    this.root.visible = frame.pose(this.#id, this.#pose) !== undefined;
    rotation.fromArray(this.#pose, 3);
    point.copy(this.#anchor).applyQuaternion(rotation);
    const [x = 0, y = 0, z = 0] = this.#pose;
    this.#positions.setXYZ(0, x + point.x, y + point.y, z + point.z);
    this.#positions.needsUpdate = true;
  }
}
