/** Warns of all in a glTF that the engine cannot do, and of one that is added twice, once for each kind. Loaded only in development. */
import type { Object3D } from 'three';
import { warnOnce } from '../../shared/util/development.js';
import { CoefficientCombineRule as Rule, type World } from '../../world/page/index.js';
import { nameOf, warnOfMovingShear } from '../drawn-geometry.js';
import type { BodyPlan, ColliderPlan, GltfPlan } from './gltf-bodies.js';
import type { GltfScene } from './gltf-scene.js';

export function warnOfGltf(world: World, scene: GltfScene, { bodies, joints }: GltfPlan): void {
  const [first] = bodies.keys();
  const bodiesOfFirst = world.bodies.getAll().filter(({ userData }) => userData === first);
  if (bodiesOfFirst.length > 1) warnOnce('two of one glTF', `${nameOf(scene.root)}: ${TWICE}`);
  const colliders = [...bodies.values()].flatMap((body) => body.colliders);
  if (haveOtherRanks(colliders)) cannot(scene.root, RANKS);
  for (const body of bodies.values()) {
    if (body.motion !== undefined || body.isAnimated) warnOfMovingShear(body.node);
    for (const collider of body.colliders) warnOfCollider(scene, body, collider);
  }
  for (const { node, joint } of joints) for (const what of joint.joint.cannot) cannot(node, what);
}

/** @param what Ends the sentence. */
function cannot(node: Object3D, what: string): void {
  warnOnce(`a glTF: ${what}`, `${nameOf(node)}: the engine cannot ${what}`);
}

function warnOfCollider(scene: GltfScene, body: BodyPlan, collider: ColliderPlan): void {
  const { node, volume, isSensor } = collider;
  const { staticFriction = 0, dynamicFriction = 0 } = volume.physicsMaterial ?? {};
  const chain = scene.chainOf(node);
  const within = chain.slice(0, chain.indexOf(body.node));
  if (within.some((each) => scene.animated.has(each))) cannot(node, WITHIN);
  const isDynamic = body.motion?.isKinematic === false && !body.isAnimated;
  if (isDynamic && !isSensor && volume.geometry.kind === 'trimesh') cannot(node, HOLLOW);
  if (staticFriction !== dynamicFriction) {
    cannot(node, `tell static from dynamic friction: the dynamic one counts, ${dynamicFriction}`);
  }
}

const TWICE =
  'this scene of a glTF was added twice, but can be in one place only: add a clone, SkeletonUtils.clone(gltf.scene), each other ' +
  'time. In React, make it in useMemo';

const WITHIN =
  'move a collider within its body, as an animation of the file does: it stays where it is';

const HOLLOW =
  'fill triangles that move, so that others may get into them: export the collider with convexHull, or end its name with ' +
  '-convcol or -pieces';

const RANKS =
  'rank frictionCombine and restitutionCombine as glTF does, where two materials have different ones (default: average): it ' +
  'takes the last of average, minimum, multiply and maximum, and glTF the first of average, minimum, maximum and multiply';

/** Whether two rules may meet of which the engine takes another one. It only takes the same of maximum and multiply. */
const haveOtherRanks = (colliders: readonly ColliderPlan[]): boolean =>
  (['frictionCombine', 'restitutionCombine'] as const).some((name) => {
    const solid = colliders.filter(({ isSensor }) => !isSensor);
    const rules = new Set(
      solid.map(({ volume }) => volume.physicsMaterial?.[name] ?? Rule.Average),
    );
    return rules.size > 1 && (rules.has(Rule.Average) || rules.has(Rule.Min));
  });
