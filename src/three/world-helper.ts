/** Lines that show what a world has. */
import type { Rotation, Vector } from '../shared/util/vectors.js';
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  LineBasicMaterial,
  LineSegments,
  Quaternion,
  Vector3,
} from 'three';
import type { SampledFrame } from '../render-main/frame/frame.js';
import { settingsOf } from '../world/page/collider-handle.js';
import type { Collider, ImpulseJoint, RigidBody, World } from '../world/page/index.js';
import type { ShapeData } from '../world/shared/shape-data.js';
import { outlineOf } from './collider-outline.js';

/** Colors of colliders, most by their bodies, and of joints. */
const COLORS = {
  dynamic: new Color(0xf5b83d),
  sleeping: new Color(0x8a6fd1),
  kinematic: new Color(0x4fa8f0),
  fixed: new Color(0x8d99a6),
  sensor: new Color(0x4fd67a),
  disabled: new Color(0x55504a),
  joint: new Color(0xff7a59),
} as const;

/** Numbers of a joint's lines: to its anchors, and between them. */
const JOINT_NUMBERS = 3 * 6;

/** A collider's lines in the buffer. */
interface Entry {
  readonly collider: Collider;
  readonly shape: ShapeData;
  readonly outline: Float32Array;
  /** First number of it in the buffer. */
  readonly start: number;
  readonly position: Vector3;
  readonly rotation: Quaternion;
  color: Color | undefined;
}

/**
 * Shows the colliders of a world as lines, at the poses that are drawn, and its joints. Like three's own helper
 * `RapierHelper`, it is added to the scene, and updated once per frame:
 *
 *     const helper = new WorldHelper(physics.world);
 *     scene.add(helper);
 *     renderer.setAnimationLoop((stamp) => {
 *       physics.update(stamp);
 *       helper.update();
 *       renderer.render(scene, camera);
 *     });
 *
 * Orange is dynamic, violet sleeps, blue is kinematic, grey is fixed, green is a sensor, and dark is disabled. The
 * lines of a joint are red, from body to anchor to anchor to body. Colliders and joints are drawn only while their bodies
 * are. Rays do not hit the lines.
 */
export class WorldHelper extends LineSegments<BufferGeometry, LineBasicMaterial> {
  /** The shown world. */
  readonly world: World;
  readonly #outlines = new WeakMap<ShapeData, Float32Array>();
  #entries: Entry[] = [];

  /**
   * @param world One that is sampled each frame.
   */
  constructor(world: World) {
    super(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, toneMapped: false }));
    this.world = world;
    // The bounds change each frame.
    this.frustumCulled = false;
  }

  /** Not hit by rays. */
  override raycast(): void {
    // Lines would be in front of what they show.
  }

  /** Draws the frame that was sampled last. Call it after `World.sample` or `MeshPhysics.update`. */
  update(): void {
    const { frame } = this.world;
    const start = this.#layOut();
    let end = start;
    const joints = this.world.impulseJoints.getAll();
    const [positions, colors] = this.#reserve(end + joints.length * JOINT_NUMBERS);
    for (const entry of this.#entries) this.#write(entry, frame, positions, colors);
    for (const joint of joints) {
      end = writeJoint(joint, frame, positions, end);
    }
    paint(colors, start, end, COLORS.joint);
    this.geometry.setDrawRange(0, end / 3);
    for (const name of ['position', 'color']) {
      (this.geometry.getAttribute(name) as BufferAttribute).needsUpdate = true;
    }
  }

  /** Frees what it has on the graphics card. */
  override dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }

  /** Gives each collider its part of the buffer. @returns Where they end. */
  #layOut(): number {
    const before = this.#entries;
    const entries: Entry[] = [];
    let start = 0;
    this.world.colliders.forEach((collider) => {
      const shape = settingsOf(collider)?.shape;
      if (shape === undefined) return;
      const old = before[entries.length];
      // The same as in the last update, in the same place: the usual case.
      if (old?.collider === collider && old.shape === shape && old.start === start) {
        entries.push(old);
        start += old.outline.length;
        return;
      }
      const outline = this.#outlines.get(shape) ?? outlineOf(shape);
      this.#outlines.set(shape, outline);
      entries.push({
        collider,
        shape,
        outline,
        start,
        position: new Vector3(Number.NaN, 0, 0),
        rotation: new Quaternion(),
        color: undefined,
      });
      start += outline.length;
    });
    this.#entries = entries;
    return start;
  }

  /** The buffers, larger if they are too small. */
  #reserve(numbers: number): [Float32Array, Float32Array] {
    const position = this.geometry.attributes['position'] as BufferAttribute | undefined;
    if (position === undefined || position.array.length < numbers) {
      // Room for as many again.
      const size = Math.max(numbers * 2, 200 * JOINT_NUMBERS);
      this.geometry.dispose();
      for (const name of ['position', 'color']) {
        const attribute = new BufferAttribute(new Float32Array(size), 3);
        this.geometry.setAttribute(name, attribute.setUsage(DynamicDrawUsage));
      }
      for (const entry of this.#entries) {
        entry.position.x = Number.NaN;
        entry.color = undefined;
      }
    }
    return ['position', 'color'].map(
      (name) => (this.geometry.attributes[name] as BufferAttribute).array,
    ) as [Float32Array, Float32Array];
  }

  /** Writes only what has changed: terrains have thousands of lines, and stay where they are. */
  #write(entry: Entry, frame: SampledFrame, positions: Float32Array, colors: Float32Array): void {
    const { collider, outline, start, position, rotation } = entry;
    const parent = collider.parent();
    if (!readCollider(collider, parent, frame)) {
      positions.fill(0, start, start + outline.length);
      position.x = Number.NaN;
      return;
    }
    if (!position.equals(drawnPosition) || !rotation.equals(drawnRotation)) {
      position.copy(drawnPosition);
      rotation.copy(drawnRotation);
      for (let index = 0; index < outline.length; index += 3) {
        point.fromArray(outline, index).applyQuaternion(drawnRotation).add(drawnPosition);
        point.toArray(positions, start + index);
      }
    }
    const color = colorOf(collider, parent);
    if (color === entry.color) return;
    entry.color = color;
    paint(colors, start, start + outline.length, color);
  }
}

const drawnPosition = new Vector3();
const drawnRotation = new Quaternion();
const point = new Vector3();
const pose = new Float64Array(7);
const bodyPosition = new Vector3();
const bodyRotation = new Quaternion();

function colorOf(collider: Collider, parent: RigidBody | null): Color {
  if (!collider.isEnabled() || parent?.isEnabled() === false) return COLORS.disabled;
  if (collider.isSensor()) return COLORS.sensor;
  if (parent === null || parent.isFixed()) return COLORS.fixed;
  if (parent.isKinematic()) return COLORS.kinematic;
  return parent.isSleeping() ? COLORS.sleeping : COLORS.dynamic;
}

/** Reads the drawn pose of a body. Returns false while it is not drawn. */
function readBody(body: RigidBody, frame: SampledFrame): boolean {
  if (body.id !== undefined) {
    if (frame.pose(body.id, pose) === undefined) return false;
    bodyPosition.fromArray(pose);
    bodyRotation.fromArray(pose, 3);
    return true;
  }
  // A fixed body is where the page has put it.
  if (!body.isFixed()) return false;
  bodyPosition.copy(body.translation());
  bodyRotation.copy(body.rotation());
  return true;
}

/** Reads the drawn pose of a collider. Returns false while its body is not drawn. */
function readCollider(collider: Collider, parent: RigidBody | null, frame: SampledFrame): boolean {
  const translation: Readonly<Vector> = collider.translationWrtParent() ?? collider.translation();
  const rotation: Readonly<Rotation> = collider.rotationWrtParent() ?? collider.rotation();
  drawnPosition.copy(translation);
  drawnRotation.copy(rotation).normalize();
  if (parent === null) return true;
  if (!readBody(parent, frame)) return false;
  drawnPosition.applyQuaternion(bodyRotation).add(bodyPosition);
  drawnRotation.premultiply(bodyRotation);
  return true;
}

/** @returns Where it ends. Nothing is written while one of its bodies is not drawn. */
function writeJoint(
  joint: ImpulseJoint,
  frame: SampledFrame,
  positions: Float32Array,
  end: number,
): number {
  const points: Vector3[] = [];
  for (const [body, anchor] of [
    [joint.body1(), joint.anchor1()],
    [joint.body2(), joint.anchor2()],
  ] as const) {
    if (!readBody(body, frame)) return end;
    points.push(
      bodyPosition.clone(),
      new Vector3().copy(anchor).applyQuaternion(bodyRotation).add(bodyPosition),
    );
  }
  const [center1, end1, center2, end2] = points as [Vector3, Vector3, Vector3, Vector3];
  const path = [center1, end1, end1, end2, end2, center2];
  for (const [index, each] of path.entries()) each.toArray(positions, end + 3 * index);
  return end + JOINT_NUMBERS;
}

function paint(colors: Float32Array, start: number, end: number, color: Color): void {
  for (let index = start; index < end; index += 3) color.toArray(colors, index);
}
