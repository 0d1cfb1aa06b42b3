/** Makes the bodies, sensors and joints of a glTF file. */
import { type Object3D, Vector3 } from 'three';
import { isDevelopment, warnOnce } from '../../shared/util/development.js';
import { fieldsOfCollider } from '../../world/page/collider-desc.js';
import {
  ActiveCollisionTypes,
  ActiveEvents,
  type Collider,
  type ImpulseJoint,
  RigidBodyDesc,
  RigidBodyType,
  type World,
} from '../../world/page/index.js';
import { ORIGIN } from '../../world/shared/setting-tables.js';
import { drawnBy, nameOf, warnOfMovingShear } from '../drawn-geometry.js';
import {
  decomposed,
  matrixBelow,
  matrixOfStretch,
  placementBelow,
  placementInScene,
} from '../scene-space.js';
import type { MeshAt } from '../scene-triangles.js';
import { shapeOfDrawn } from '../shape-of.js';
import { checkMaterial } from './gltf-fields.js';
import { type NodePhysics, placeOf, type Volume } from './gltf-file.js';
import { addJoint } from './gltf-joints.js';
import { densityOf, distributeMass } from './gltf-mass.js';
import type { GltfScene } from './gltf-scene.js';

/** The body of a node that moves, or of one with a collider or a joint that belongs to no such node. */
export type GltfBody = ReturnType<typeof makeBody>;

/**
 * @returns Also what is resolved when all convex pieces are there.
 * @throws RangeError for what has no shape, and for a joint that does not join two bodies of the scene. Nothing is left then.
 */
export function makeBodies(world: World, scene: GltfScene) {
  /** By their nodes. */
  const bodies = new Map<Object3D, GltfBody>();
  const sensors = new Map<Object3D, readonly Collider[]>();
  const joints = new Map<Object3D, ImpulseJoint>();
  const awaited: Promise<unknown>[] = [];
  const rules = new Set<string>();
  /** The node that moves an object. */
  const moverOf = (object: Object3D) =>
    scene.chainOf(object).find((each) => scene.physics.get(each)?.motion !== undefined);
  // The engine would put what moves slowly to sleep, and its motor with it.
  const driven = new Set(
    [...scene.physics].flatMap(([node, { joint }]) =>
      joint?.joint.isDriven ? [moverOf(node), moverOf(joint.connectedNode)] : [],
    ),
  );
  const bodyOf = (object: Object3D): GltfBody => {
    const node = moverOf(object) ?? object;
    const body = bodies.get(node) ?? makeBody(world, scene, node, !driven.has(node));
    bodies.set(node, body);
    return body;
  };
  const add = (node: Object3D, volume: Volume, isSensor: boolean): void => {
    const { node: root, body, placement, density, meshes } = bodyOf(node);
    const matrix = matrixBelow(node, root).premultiply(matrixOfStretch(placement));
    const placed = decomposed(matrix);
    // The specification has it disabled.
    if (placed.scale.length() === 0) return;
    const { geometry, collisionFilter, physicsMaterial = STANDARD } = volume;
    const mesh = scene.meshOf(geometry);
    const { position, rotation } = placed;
    // At most x of its scale is negative, and that mirrors solids into themselves.
    const desc = shapeOfDrawn(mesh, drawnBy(mesh), geometry.kind, placed).setRotation(rotation);
    const center = new Vector3().copy(fieldsOfCollider(desc).translation ?? ORIGIN);
    const { x, y, z } = center.applyQuaternion(rotation).add(position);
    desc.setTranslation(x, y, z);
    if (collisionFilter !== undefined) desc.setCollisionGroups(collisionFilter);
    const { staticFriction, dynamicFriction, frictionCombine, ...rest } = physicsMaterial;
    desc.setFriction(dynamicFriction).setFrictionCombineRule(frictionCombine);
    desc.setRestitution(rest.restitution).setRestitutionCombineRule(rest.restitutionCombine);
    awaited.push(desc.shape.ready);
    if (isSensor) {
      desc.setSensor(true).setActiveEvents(ActiveEvents.COLLISION_EVENTS);
      // Characters are kinematic, and most sensors fixed.
      desc.setActiveCollisionTypes(ActiveCollisionTypes.ALL).setDensity(0);
      sensors.set(node, [world.createCollider(desc, body)]);
      return;
    }
    world.createCollider(desc.setDensity(density), body);
    meshes.push([mesh, matrix]);
    if (staticFriction !== dynamicFriction) cannot(node, ONE_FRICTION);
    if (geometry.kind === 'trimesh' && body.isDynamic()) cannot(node, HOLLOW);
    rules.add(`${frictionCombine} ${rest.restitutionCombine}`);
    if (rules.size > 1) cannot(node, RANKS);
  };
  const endAt = (object: Object3D) => {
    // An object that is in no body gets one.
    const around = bodyOf(scene.chainOf(object).find((each) => bodies.has(each)) ?? object);
    return [around.body, placementBelow(object, around.node, around.placement)] as const;
  };
  const remove = (): void => {
    for (const { body } of bodies.values()) if (body.isValid()) world.removeRigidBody(body);
  };
  /** The node of which something is made. */
  let at = scene.root;
  const each = (make: (node: Object3D, physics: NodePhysics) => void): void => {
    for (const [node, physics] of scene.physics) {
      at = node;
      make(node, physics);
    }
  };
  try {
    each((node, { motion, collider, trigger }) => {
      if (motion !== undefined) bodyOf(node);
      if (collider !== undefined) add(node, collider, false);
      if (trigger && 'geometry' in trigger) add(node, trigger, true);
    });
    each((node, { hull, trigger, joint }) => {
      if (hull && bodyOf(node).meshes.length === 0) add(node, hull, false);
      if (trigger && 'nodes' in trigger) {
        const parts = trigger.nodes.flatMap((part) => sensors.get(part) ?? []);
        sensors.set(node, parts);
      }
      if (joint === undefined) return;
      const ends = [endAt(node), endAt(joint.connectedNode)] as const;
      if (ends[0][0] === ends[1][0] || !scene.physics.has(joint.connectedNode)) {
        throw new RangeError(ONE_BODY);
      }
      joints.set(node, addJoint(world, joint, ends));
      for (const what of joint.joint.cannot) cannot(node, what);
    });
    for (const body of bodies.values()) {
      if (body.motion && body.density === 0) distributeMass(body, body.motion);
    }
  } catch (error) {
    remove();
    const place = placeOf(scene.nodes.indexOf(at), at.name);
    throw new RangeError(`${place}: ${(error as Error).message}`, { cause: error });
  }
  return { bodies, sensors, joints, remove, ready: Promise.all(awaited) };
}

function makeBody(world: World, scene: GltfScene, node: Object3D, canSleep: boolean) {
  const motion = scene.physics.get(node)?.motion;
  // A body that moves by itself does not follow its parents.
  const chain = motion === undefined ? scene.chainOf(node) : [node];
  const isAnimated = chain.some((each) => scene.animated.has(each));
  /** Where it is in the scene, and how it is stretched. */
  const placement = placementInScene(node);
  const { position, rotation } = placement;
  const { KinematicPositionBased, KinematicVelocityBased, Dynamic, Fixed } = RigidBodyType;
  const moving = motion?.isKinematic ? KinematicVelocityBased : Dynamic;
  const still = isAnimated ? KinematicPositionBased : Fixed;
  const desc = new RigidBodyDesc(motion === undefined || isAnimated ? still : moving);
  desc.setRotation(rotation).setUserData(node);
  desc.setTranslation(position.x, position.y, position.z).setCanSleep(canSleep);
  if (motion !== undefined) {
    const { x, y, z } = motion.linearVelocity.clone().applyQuaternion(rotation);
    desc.setLinvel(x, y, z).setAngvel(motion.angularVelocity.clone().applyQuaternion(rotation));
    desc.setGravityScale(motion.gravityFactor).setAdditionalMass(motion.mass ?? 0);
  }
  const body = world.createRigidBody(desc);
  if (isDevelopment && !body.isFixed()) warnOfMovingShear(node);
  /** The meshes of its colliders that are no sensors, each with its place in the body. */
  const meshes: MeshAt[] = [];
  return { node, motion, placement, body, density: motion ? densityOf(motion) : 1, meshes };
}

/** @param what Ends the sentence. */
function cannot(node: Object3D, what: string): void {
  if (isDevelopment) warnOnce(`a glTF: ${what}`, `${nameOf(node)}: the engine cannot ${what}`);
}

/** As of a collider of the engine. */
const STANDARD = checkMaterial('material', { staticFriction: 0.5, dynamicFriction: 0.5 }, []);

const ONE_BODY =
  'its joint must join two bodies of the scene: its connectedNode must be in it, and one of both in another body, with a motion';

const ONE_FRICTION = 'tell static from dynamic friction: the dynamic one counts';

const HOLLOW =
  'fill triangles that move, so that others may get into them: export the collider with convexHull, or end its name with ' +
  '-convcol or -pieces';

const RANKS =
  'rank frictionCombine and restitutionCombine as glTF does, where two materials have different ones (default: average): it ' +
  'takes the last of average, minimum, multiply and maximum, and glTF the first of average, minimum, maximum and multiply';
