/** Plans the bodies and joints of a glTF file: describes all of them, before anything is made. */
import type { Mesh, Object3D } from 'three';
import {
  ActiveCollisionTypes,
  ActiveEvents,
  type ColliderDesc,
  RigidBodyDesc,
} from '../../world/page/index.js';
import { nameOf } from '../drawn-geometry.js';
import { type Placement, placementBelow, placementInScene } from '../scene-space.js';
import type { NodeMotion } from './gltf-fields.js';
import type { NodePhysics, Volume } from './gltf-file.js';
import { setMass } from './gltf-mass.js';
import type { GltfScene } from './gltf-scene.js';
import { describeShape } from './gltf-shapes.js';

/** The body of a node that moves, or of one with a collider or a joint that belongs to no such node. */
export type BodyPlan = ReturnType<typeof planBody>;

export interface ColliderPlan {
  readonly node: Object3D;
  readonly volume: Volume;
  readonly isSensor: boolean;
  readonly mesh: Mesh;
  /** Where it is in its body, and how it is stretched in the scene. */
  readonly placement: Placement;
  readonly desc: ColliderDesc;
}

export type GltfPlan = ReturnType<typeof planGltf>;

/** @throws RangeError for what has no shape, and for a joint with a node that is not in the scene, or of one body. */
export function planGltf(scene: GltfScene) {
  /** By their nodes. */
  const bodies = new Map<Object3D, BodyPlan>();
  const bodyOf = (object: Object3D): BodyPlan => {
    const chain = scene.chainOf(object);
    const mover = chain.find((each) => scene.physics.get(each)?.motion !== undefined);
    const node = mover ?? object;
    // A body that moves by itself does not follow its parents.
    const isAnimated = (mover ? [mover] : chain).some((each) => scene.animated.has(each));
    const body = bodies.get(node) ?? planBody(scene, node, isAnimated);
    bodies.set(node, body);
    return body;
  };
  const add = (node: Object3D, volume: Volume, isSensor: boolean): void => {
    const body = bodyOf(node);
    const placement = placementBelow(node, body.node, body.placement);
    // The specification has it disabled.
    if (placement.scale.length() === 0) return;
    const mesh = scene.meshOf(volume.geometry);
    const desc = describeShape(mesh, volume.geometry.kind, placement);
    describeCollider(desc, volume, isSensor);
    body.colliders.push({ node, volume, isSensor, mesh, placement, desc });
  };
  scene.planEach((node, { motion, collider, trigger }) => {
    if (motion !== undefined) bodyOf(node);
    if (collider !== undefined) add(node, collider, false);
    if (trigger?.geometry !== undefined) add(node, trigger, true);
    for (const part of trigger?.nodes ?? []) {
      if (scene.physics.get(part)?.trigger?.geometry !== undefined) continue;
      throw new RangeError(`its trigger has ${nameOf(part)}, which has no trigger with a shape`);
    }
  });
  scene.planEach((node, { hull }) => {
    const isBare = hull && bodyOf(node).colliders.every(({ isSensor }) => isSensor);
    if (isBare) add(node, hull, false);
  });
  const endAt = (object: Object3D) => {
    // An object that is in no body gets one.
    const body = bodyOf(scene.chainOf(object).find((each) => bodies.has(each)) ?? object);
    return [body, placementBelow(object, body.node, body.placement)] as const;
  };
  const planJoint = (node: Object3D, { joint }: NodePhysics) => {
    if (joint === undefined) return undefined;
    const other = joint.connectedNode;
    if (!scene.added.has(other)) {
      throw new RangeError('its joint has a connectedNode that is not in the scene');
    }
    /** The bodies of the node and of the connected one, each with the place of the joint in it. */
    const ends = [endAt(node), endAt(other)] as const;
    if (ends[0][0] === ends[1][0]) {
      throw new RangeError(
        'its joint joins a body to itself: one of its nodes must be in another body, with a motion',
      );
    }
    // The engine would put what moves slowly to sleep, and its motor with it.
    if (joint.joint.isDriven) for (const [{ desc }] of ends) desc.setCanSleep(false);
    return { node, joint, ends };
  };
  const joints = scene.planEach(planJoint).filter((joint) => joint !== undefined);
  for (const body of bodies.values()) setMass(body);
  return { bodies, joints };
}

function planBody(scene: GltfScene, node: Object3D, isAnimated: boolean) {
  const motion = scene.physics.get(node)?.motion;
  /** Where it is in the scene, and how it is stretched. */
  const placement = placementInScene(node);
  const { position, rotation } = placement;
  const desc = typeOf(motion, isAnimated).setRotation(rotation).setUserData(node);
  desc.setTranslation(position.x, position.y, position.z);
  if (motion !== undefined && !isAnimated) {
    const { x, y, z } = motion.linearVelocity.clone().applyQuaternion(rotation);
    desc.setLinvel(x, y, z).setAngvel(motion.angularVelocity.clone().applyQuaternion(rotation));
    desc.setGravityScale(motion.gravityFactor);
  }
  const colliders: ColliderPlan[] = [];
  return { node, motion, isAnimated, placement, desc, colliders };
}

function typeOf(motion: NodeMotion | undefined, isAnimated: boolean): RigidBodyDesc {
  if (isAnimated) return RigidBodyDesc.kinematicPositionBased();
  if (motion === undefined) return RigidBodyDesc.fixed();
  return motion.isKinematic ? RigidBodyDesc.kinematicVelocityBased() : RigidBodyDesc.dynamic();
}

function describeCollider(desc: ColliderDesc, volume: Volume, isSensor: boolean): void {
  const { collisionFilter, physicsMaterial } = volume;
  if (isSensor) {
    desc.setSensor(true).setActiveEvents(ActiveEvents.COLLISION_EVENTS);
    // Characters are kinematic, and most sensors fixed.
    desc.setActiveCollisionTypes(ActiveCollisionTypes.ALL).setDensity(0);
  }
  if (collisionFilter !== undefined) desc.setCollisionGroups(collisionFilter);
  if (physicsMaterial !== undefined) {
    const { dynamicFriction, restitution, ...rules } = physicsMaterial;
    desc.setFriction(dynamicFriction).setFrictionCombineRule(rules.frictionCombine);
    desc.setRestitution(restitution).setRestitutionCombineRule(rules.restitutionCombine);
  }
}
