/** Pointers in a scene: where one points on a plane, and bodies that follow one. */
import {
  Box3,
  type Camera,
  type Intersection,
  type Object3D,
  Plane,
  Quaternion,
  Raycaster,
  Vector2,
  Vector3,
} from 'three';
import { type ToCoordinates, toDeviceCoordinates } from '../inputs/pointer-source.js';
import { requireNumber } from '../shared/util/validate.js';
import { ZERO } from '../shared/util/vectors.js';
import { settingsOf } from '../world/page/collider-handle.js';
import { JointData, type RigidBody, RigidBodyDesc, type World } from '../world/page/index.js';
import type { RayHit } from './body-binding.js';
import { outlineOf } from './collider-outline.js';
import { isScene, topOf } from './scene-space.js';

/**
 * Coordinates on a plane in the scene, for the option `coordinates` of `pointerSource`: the simulation then receives
 * where the pointer points, and needs no camera.
 *
 * They are the two world coordinates in which the plane extends most: x and z on a floor (normal along y), x and y on a
 * wall that faces z, and z and y on a wall that faces x. A pointer that does not point at the plane, such as at the sky
 * above a floor, keeps its last coordinates, which are 0 and 0 at first.
 *
 * @param camera As it was rendered last. It may move.
 * @param plane In world coordinates, in the units of the scene. It may move.
 * @returns Allocates one small object per pointer event.
 */
export function planeCoordinates(camera: Camera, plane: Plane): ToCoordinates {
  const castRay = pointerRays(camera);
  const point = new Vector3();
  return (event, target) => {
    // Leaves the point as it was if the ray does not meet the plane.
    castRay(event, target).ray.intersectPlane(plane, point);
    const { x: nx, y: ny, z: nz } = plane.normal;
    const facesY = Math.abs(ny) >= Math.abs(nx) && Math.abs(ny) >= Math.abs(nz);
    if (facesY) return { x: point.x, y: point.z };
    return { x: Math.abs(nx) > Math.abs(nz) ? point.z : point.x, y: point.y };
  };
}

/** The part of a world and its meshes that {@link dragBodies} needs; `meshPhysics` returns it. */
export interface BodyPicker {
  /** Where the bodies are. It is sampled once per frame. */
  readonly world: World;
  /** The body of what a ray has hit, if there is one. */
  bodyOf(hit: RayHit): RigidBody | undefined;
}

/** Options of {@link dragBodies}. */
export interface DragOptions {
  /**
   * How strongly a body is drawn to the pointer: the frequency of the spring, in Hz, 0.1 to 100. It is critically damped.
   * Default 5.
   */
  readonly frequencyHz?: number;
  /** Whether a body may be dragged. Default: all that are dynamic. */
  readonly filter?: (body: RigidBody) => boolean;
}

interface Drag {
  readonly body: RigidBody;
  /** A kinematic body where the pointer is; the spring is between them. */
  readonly anchor: RigidBody;
  /** The same place within the scene. */
  readonly point: Vector3;
}

/**
 * Lets pointers drag bodies: mouse, pen, and any number of fingers. A pressed pointer takes the body that is in front, and
 * a spring draws the body to it, in the plane that faces the camera. A pointer that presses on nothing that can be dragged
 * is left to others: camera controls on the same element, such as OrbitControls, do not see the pointers that drag.
 *
 *     const end = dragBodies(renderer.domElement, camera, scene, physics);
 *
 * @param element Where pointers are watched. Its style `touch-action` is `none` until the end, so that fingers drag and do
 *   not scroll.
 * @param camera As it was rendered last. It may move, also during a drag.
 * @param target Which object, with its children, is searched for bodies.
 * @param picker The result of `meshPhysics`, or a world with your own function.
 * @returns Ends it, and all drags.
 * @throws TypeError, RangeError for a frequency out of range.
 */
export function dragBodies(
  element: HTMLElement,
  camera: Camera,
  target: Object3D,
  picker: BodyPicker,
  { frequencyHz = 5, filter = () => true }: DragOptions = {},
): () => void {
  requireNumber('frequencyHz', frequencyHz, 0.1, 100);
  const { world } = picker;
  const drags = new Map<number, Drag>();
  const castRay = pointerRays(camera);
  const plane = new Plane();
  const facing = new Vector3();

  const onDown = (event: PointerEvent): void => {
    if (event.button !== 0 || drags.has(event.pointerId)) return;
    const hits = castRay(event, element).intersectObject(target);
    // The body in front: objects without a body or that are not visible are ignored.
    const hit = hits.find((each) => isVisible(each.object) && picker.bodyOf(each) !== undefined);
    const body = hit && picker.bodyOf(hit);
    if (body?.isDynamic() !== true || !filter(body)) return;
    drags.set(event.pointerId, begin(world, body, hit as Intersection, frequencyHz));
    element.setPointerCapture(event.pointerId);
    // Camera controls would turn the camera with the same movement.
    event.stopImmediatePropagation();
  };

  const onMove = (event: PointerEvent): void => {
    const drag = drags.get(event.pointerId);
    if (drag === undefined) return;
    const { body, anchor, point } = drag;
    const scene = topOf(target);
    toWorld(scene, point);
    plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(facing), point);
    // Leaves the point as it was if the ray does not meet the plane.
    castRay(event, element).ray.intersectPlane(plane, point);
    toScene(scene, point);
    if (!body.isValid() || !anchor.isValid()) return;
    anchor.setNextKinematicTranslation(point);
    body.wakeUp();
  };

  const onEnd = ({ pointerId }: { readonly pointerId: number }): void => {
    const drag = drags.get(pointerId);
    if (drag === undefined) return;
    drags.delete(pointerId);
    if (element.hasPointerCapture(pointerId)) element.releasePointerCapture(pointerId);
    // The spring goes with it. After a jump of the run, it may be gone already.
    if (drag.anchor.isValid()) world.removeRigidBody(drag.anchor);
  };

  const touchAction = element.style.touchAction;
  element.style.touchAction = 'none';
  // Before listeners of camera controls on the same element, whichever came first.
  element.addEventListener('pointerdown', onDown, { capture: true });
  element.addEventListener('pointermove', onMove);
  for (const name of ENDS) element.addEventListener(name, onEnd);
  return () => {
    for (const pointerId of drags.keys()) onEnd({ pointerId });
    element.removeEventListener('pointerdown', onDown, { capture: true });
    element.removeEventListener('pointermove', onMove);
    for (const name of ENDS) element.removeEventListener(name, onEnd);
    element.style.touchAction = touchAction;
  };
}

/** @returns A function that casts the ray of a pointer. It returns the same raycaster each time. */
function pointerRays(
  camera: Camera,
): (...args: Parameters<typeof toDeviceCoordinates>) => Raycaster {
  const raycaster = new Raycaster();
  const coordinates = new Vector2();
  return (...args) => {
    const { x, y } = toDeviceCoordinates(...args);
    raycaster.setFromCamera(coordinates.set(x, y), camera);
    return raycaster;
  };
}

const ENDS = ['pointerup', 'pointercancel', 'lostpointercapture'] as const;

function isVisible(object: Object3D): boolean {
  for (let at: Object3D | null = object; at !== null; at = at.parent) {
    if (!at.visible) return false;
  }
  return true;
}

function begin(world: World, body: RigidBody, hit: Intersection, frequencyHz: number): Drag {
  const point = toScene(topOf(hit.object), hit.point.clone());
  const [center, rotation] = [new Vector3(), new Quaternion()];
  // Where it is drawn, because there the pointer has hit it; or where it will be, if no state has it yet.
  const pose = body.id === undefined ? undefined : world.frame.pose(body.id, new Float64Array(7));
  if (pose === undefined) {
    center.copy(body.translation());
    rotation.copy(body.rotation());
  } else {
    center.fromArray(pose);
    rotation.fromArray(pose, 3);
  }
  const local = point.clone().sub(center).applyQuaternion(rotation.invert());
  const anchor = world.createRigidBody(
    RigidBodyDesc.kinematicPositionBased().setTranslation(point.x, point.y, point.z),
  );
  // A spring that is critically damped as far as the mass is right.
  const [mass, rate] = [roughMassOf(body), 2 * Math.PI * frequencyHz];
  const spring = JointData.spring(0, mass * rate ** 2, 2 * mass * rate, ZERO, local);
  world.createImpulseJoint(spring, anchor, body, true);
  return { body, anchor, point };
}

/** In kg. A world without an engine on the page knows no masses: without a setting, it is the mass of a box. */
function roughMassOf(body: RigidBody): number {
  let mass = 0;
  for (let index = 0; index < body.numColliders(); index++) {
    const {
      shape,
      mass: own,
      massProperties,
      density = 1,
    } = settingsOf(body.collider(index)) ?? {};
    const bounds = new Box3().setFromArray(shape === undefined ? [] : outlineOf(shape));
    const { x, y, z } = bounds.getSize(new Vector3());
    mass += own ?? massProperties?.mass ?? density * x * y * z;
  }
  return mass || 1;
}

/** Bodies are within the scene, which may be moved itself. */
const toScene = (top: Object3D, point: Vector3): Vector3 =>
  isScene(top) ? top.worldToLocal(point) : point;

const toWorld = (top: Object3D, point: Vector3): Vector3 =>
  isScene(top) ? top.localToWorld(point) : point;
