/** Plans the bodies of a glTF file: describes all of them, before anything is made. */
import { Box3, type Object3D, Vector3 } from 'three';
import { isDevelopment } from '../../shared/util/development.js';
import {
  ActiveCollisionTypes,
  ActiveEvents,
  CoefficientCombineRule as Rule,
  type ColliderDesc,
  RigidBodyDesc,
  type Vector,
} from '../../world/page/index.js';
import { warnOfMovingShear } from '../drawn-geometry.js';
import { type Placement, placementBelow, placementInScene } from '../scene-space.js';
import type { NodeMaterial, NodeMotion, Numbers } from './gltf-fields.js';
import type { NodeJoint, NodePhysics, PhysicsFile, Volume } from './gltf-file.js';
import type { JointFrame } from './gltf-joints.js';
import type { GltfScene } from './gltf-scene.js';
import { describeVolume } from './gltf-shapes.js';

/** The descriptions of a body. */
export interface BodyPlan {
  /** Where it is in the scene, and how it is stretched. */
  readonly placement: Placement;
  readonly desc: RigidBodyDesc;
  /** Whether an animation of the file moves it. */
  readonly isAnimated: boolean;
  readonly isFixed: boolean;
  readonly colliders: readonly ColliderPlan[];
}

interface ColliderPlan {
  readonly object: Object3D;
  readonly desc: ColliderDesc;
  readonly isSensor: boolean;
}

/** A joint and the places of its ends. */
export interface JointPlan {
  readonly node: Object3D;
  readonly joint: NodeJoint;
  readonly ends: readonly [JointEnd, JointEnd];
}

interface JointEnd {
  /** The object of the body. Undefined: it stays where it is in the scene. */
  readonly owner: Object3D | undefined;
  readonly frame: JointFrame;
}

/** Tells what the engine cannot do for a node. @param what Follows "the engine cannot". */
export type Cannot = (object: Object3D, what: string) => void;

/** The nodes of a body. */
interface BodyNodes {
  readonly motion: NodeMotion | undefined;
  readonly isAnimated: boolean;
  readonly volumes: { object: Object3D; volume: Volume; isSensor: boolean }[];
}

/**
 * Density where the file says the mass: only the shares of colliders count. With 0, the engine would count those of sensors,
 * too.
 */
const LIGHT = 1e-9;

/** @returns By the object of the body: a node that moves, or one with a collider that belongs to no such node. */
export function planBodies(
  file: PhysicsFile,
  scene: GltfScene,
  cannot: Cannot,
): ReadonlyMap<Object3D, BodyPlan> {
  const plans = new Map<Object3D, BodyPlan>();
  if (haveOtherRanks(file)) cannot(scene.root, RANKS);
  const animated = new Set([...file.animated].map((index) => scene.objectOf(index)));
  for (const [object, { motion, isAnimated, volumes }] of nodesOfBodies(file, scene, animated)) {
    if (isDevelopment && (motion !== undefined || isAnimated)) warnOfMovingShear(object);
    const placement = placementInScene(object);
    const colliders: ColliderPlan[] = [];
    const bounds = new Box3();
    let volumeM3 = 0;
    for (const { object: node, volume, isSensor } of volumes) {
      const placed = placementBelow(node, object, placement);
      if (placed.scale.length() === 0) continue;
      const within = ancestry(node, object).slice(0, -1);
      if (within.some((each) => animated.has(each))) cannot(node, WITHIN);
      const { desc, box, ...solid } = scene.within(node, () =>
        describeVolume(volume.geometry, scene, placed),
      );
      if (isSensor) {
        desc.setSensor(true).setActiveEvents(ActiveEvents.COLLISION_EVENTS);
        // Characters are kinematic, and most sensors fixed.
        desc.setActiveCollisionTypes(ActiveCollisionTypes.ALL).setDensity(0);
      } else {
        bounds.union(box);
        if (motion !== undefined && isDescribed(motion)) volumeM3 += solid.volume();
        if (motion?.isKinematic === false && !isAnimated && isHollow(volume)) cannot(node, HOLLOW);
      }
      if (hasOneEnd(volume)) cannot(node, 'end a plane along one axis only: it is infinite');
      const { collisionFilter, physicsMaterial } = volume;
      if (collisionFilter !== undefined) desc.setCollisionGroups(collisionFilter);
      if (physicsMaterial !== undefined) setMaterial(desc, node, physicsMaterial, cannot);
      colliders.push({ object: node, desc, isSensor });
    }
    const desc = scene.within(object, () => describeBody(motion, isAnimated, placement));
    if (motion !== undefined) {
      // Without a mass, the density is 1, as of all colliders.
      const mass = motion.mass ?? (isDescribed(motion) ? volumeM3 : undefined);
      if (mass !== undefined) setMass(desc, { ...motion, mass }, placement, colliders, bounds);
    }
    const isFixed = motion === undefined && !isAnimated;
    plans.set(object, { placement, desc, isAnimated, isFixed, colliders });
  }
  return plans;
}

const ONE = new Vector3(1, 1, 1);

const HOLLOW =
  'fill triangles that move, so that others may get into them: export the collider with convexHull, or end its name with ' +
  '-convcol or -pieces';

const RANKS =
  'rank frictionCombine and restitutionCombine as glTF does, where two materials have different ones (default: average): it ' +
  'takes the last of average, minimum, multiply and maximum, and glTF the first of average, minimum, maximum and multiply';

/** Whether two rules may meet of which the engine takes another one. It only takes the same of maximum and multiply. */
function haveOtherRanks({ nodes }: PhysicsFile): boolean {
  return (['frictionCombine', 'restitutionCombine'] as const).some((name) => {
    const rules = new Set<Rule>();
    for (const { collider } of nodes.values()) {
      if (collider !== undefined) rules.add(collider.physicsMaterial?.[name] ?? Rule.Average);
    }
    return rules.size > 1 && (rules.has(Rule.Average) || rules.has(Rule.Min));
  });
}

const WITHIN =
  'move a collider within its body, as an animation of the file does: it stays where it is';

/** Whether a file says how a mass is distributed. */
const isDescribed = ({ centerOfMass, inertiaDiagonal }: Omit<NodeMotion, 'mass'>): boolean =>
  (centerOfMass ?? inertiaDiagonal) !== undefined;

/** Whether it is a plane with a size in one direction only. */
const hasOneEnd = ({ geometry }: Volume): boolean =>
  'shape' in geometry &&
  geometry.shape.type === 'plane' &&
  geometry.shape.sizes.filter((size) => size > 0).length === 1;

const isHollow = ({ geometry }: Volume): boolean =>
  'kind' in geometry && geometry.kind === 'trimesh';

/** Which nodes make up a body. */
function nodesOfBodies(
  file: PhysicsFile,
  scene: GltfScene,
  animated: ReadonlySet<Object3D | undefined>,
): ReadonlyMap<Object3D, BodyNodes> {
  const physicsOf = new Map<Object3D, NodePhysics>();
  for (const [index, physics] of file.nodes) {
    const object = scene.objectOf(index);
    if (object !== undefined) physicsOf.set(object, physics);
  }
  const bodies = new Map<Object3D, BodyNodes>();
  const bodyOf = (object: Object3D): BodyNodes => {
    const chain = ancestry(object, scene.root);
    const mover = chain.find((each) => physicsOf.get(each)?.motion !== undefined);
    const found = bodies.get(mover ?? object);
    if (found !== undefined) return found;
    // A body that moves by itself does not follow its parents.
    const isAnimated = (mover === undefined ? chain : [mover]).some((each) => animated.has(each));
    const { motion } = physicsOf.get(mover ?? object) as NodePhysics;
    const body: BodyNodes = { motion, isAnimated, volumes: [] };
    bodies.set(mover ?? object, body);
    return body;
  };
  for (const [object, { motion, collider, trigger }] of physicsOf) {
    if (motion !== undefined) bodyOf(object);
    if (collider !== undefined)
      bodyOf(object).volumes.push({ object, volume: collider, isSensor: false });
    if (trigger !== undefined && 'geometry' in trigger)
      bodyOf(object).volumes.push({ object, volume: trigger, isSensor: true });
  }
  for (const [index, { isRigidByName }] of file.nodes) {
    const object = scene.objectOf(index);
    if (isRigidByName !== true || object === undefined) continue;
    const { volumes } = bodyOf(object);
    const geometry = { node: index, kind: 'hull', isWithChildren: true } as const;
    if (volumes.every(({ isSensor }) => isSensor))
      volumes.push({ object, volume: { geometry }, isSensor: false });
  }
  return bodies;
}

/** @throws RangeError for a joint with a node that is not in the scene, or of two nodes of one body. */
export function planJoints(
  file: PhysicsFile,
  scene: GltfScene,
  bodies: ReadonlyMap<Object3D, BodyPlan>,
): readonly JointPlan[] {
  const endAt = (object: Object3D): JointEnd => {
    const owner = ancestry(object, scene.root).find((each) => bodies.has(each));
    if (owner === undefined) return { owner, frame: placementInScene(object) };
    return { owner, frame: placementBelow(object, owner, bodies.get(owner)?.placement) };
  };
  const plans: JointPlan[] = [];
  for (const [index, { joint }] of file.nodes) {
    const node = scene.objectOf(index);
    if (node === undefined || joint === undefined) continue;
    const other = scene.objectOf(joint.connectedNode);
    if (other === undefined) {
      throw new RangeError(
        `the joint of ${scene.placeOf(node)} has a connectedNode that is not in the scene`,
      );
    }
    const ends = [endAt(node), endAt(other)] as const;
    if (ends[0].owner === ends[1].owner) {
      throw new RangeError(
        `the joint of ${scene.placeOf(node)} joins a body to itself: one of its nodes must be in another body, with a motion`,
      );
    }
    // The engine would put what moves slowly to sleep, and its motor with it.
    for (const { owner } of joint.joint.isDriven ? ends : []) {
      if (owner !== undefined) bodies.get(owner)?.desc.setCanSleep(false);
    }
    plans.push({ node, joint, ends });
  }
  return plans;
}

/** An object and what is around it, up to the top. */
function ancestry(object: Object3D, top: Object3D): Object3D[] {
  const chain: Object3D[] = [];
  for (let at: Object3D | null = object; at !== null; at = at.parent) {
    chain.push(at);
    if (at === top) break;
  }
  return chain;
}

function describeBody(
  motion: NodeMotion | undefined,
  isAnimated: boolean,
  { position, rotation }: Placement,
): RigidBodyDesc {
  const desc = typeOf(motion, isAnimated).setTranslation(position.x, position.y, position.z);
  desc.setRotation(rotation);
  if (motion === undefined || isAnimated) return desc;
  const [linear, angular] = [motion.linearVelocity, motion.angularVelocity].map((each) =>
    new Vector3().fromArray(each).applyQuaternion(rotation),
  ) as [Vector3, Vector3];
  desc.setLinvel(linear.x, linear.y, linear.z).setAngvel(angular);
  return desc.setGravityScale(motion.gravityFactor);
}

function typeOf(motion: NodeMotion | undefined, isAnimated: boolean): RigidBodyDesc {
  if (isAnimated) return RigidBodyDesc.kinematicPositionBased();
  if (motion === undefined) return RigidBodyDesc.fixed();
  return motion.isKinematic ? RigidBodyDesc.kinematicVelocityBased() : RigidBodyDesc.dynamic();
}

/** Sets what the file says. 0 means infinite, to the file and to the engine: a body with a mass of 0 does not fall, either. */
function setMass(
  desc: RigidBodyDesc,
  { mass, ...motion }: NodeMotion & { readonly mass: number },
  { scale }: Placement,
  colliders: readonly ColliderPlan[],
  bounds: Box3,
): void {
  const { centerOfMass, inertiaDiagonal, inertiaOrientation } = motion;
  const center = centerOfMass && new Vector3().fromArray(centerOfMass).multiply(scale);
  const isDistributed = mass > 0 && !isDescribed(motion);
  for (const { desc: collider, isSensor } of colliders) {
    if (!isSensor) collider.setDensity(isDistributed ? LIGHT : 0);
  }
  if (isDistributed) {
    desc.setAdditionalMass(mass);
    return;
  }
  const at = center ?? (bounds.isEmpty() ? new Vector3() : bounds.getCenter(new Vector3()));
  const inertia = inertiaDiagonal ? vectorOf(inertiaDiagonal) : inertiaOfBox(mass, bounds, at);
  const [x = 0, y = 0, z = 0, w = 1] = inertiaOrientation;
  desc.setAdditionalMassProperties(mass, at, inertia, { x, y, z, w });
}

const vectorOf = ([x = 0, y = 0, z = 0]: Numbers): Vector => ({ x, y, z });

/** As of a solid box about a point that is not its center. */
function inertiaOfBox(mass: number, bounds: Box3, point: Vector3): Vector {
  const size = bounds.isEmpty() ? ONE : bounds.getSize(new Vector3());
  const off = bounds.isEmpty() ? new Vector3() : bounds.getCenter(new Vector3()).sub(point);
  const about = (a: 'x' | 'y' | 'z', b: 'x' | 'y' | 'z') =>
    mass * ((size[a] ** 2 + size[b] ** 2) / 12 + off[a] ** 2 + off[b] ** 2);
  return { x: about('y', 'z'), y: about('x', 'z'), z: about('x', 'y') };
}

function setMaterial(
  desc: ColliderDesc,
  node: Object3D,
  material: NodeMaterial,
  cannot: Cannot,
): void {
  const { staticFriction, dynamicFriction, restitution } = material;
  if (staticFriction !== dynamicFriction) {
    cannot(node, `tell static from dynamic friction: the dynamic one counts, ${dynamicFriction}`);
  }
  desc.setFriction(dynamicFriction).setRestitution(restitution);
  desc.setFrictionCombineRule(material.frictionCombine);
  desc.setRestitutionCombineRule(material.restitutionCombine);
}
