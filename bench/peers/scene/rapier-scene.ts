/** The scene in Rapier, the same for all that use it without React. */
import type { Rapier } from '../../../src/rapier/rapier.js';
import { loadComparedRapier } from '../../engines/load-rapier.js';
import {
  DENSITY,
  FRICTION,
  INSTANCED_PROBE_Y,
  PROBE_RADIUS,
  PROBE_SPEED,
  SINGLE_PROBE_Y,
  type PeerScene,
  type PoseNumbers,
} from './peer-scene.js';

type World = InstanceType<Rapier['World']>;
type RigidBody = InstanceType<Rapier['RigidBody']>;

export interface RapierScene {
  readonly world: World;
  readonly boxes: readonly RigidBody[];
  readonly single: RigidBody;
  readonly instanced: RigidBody;
}

/** In the build that `@react-three/rapier` pins, with the engine's own settings, which that library sets as well. */
export async function createRapierScene({
  gravityY,
  boxes,
  statics,
}: PeerScene): Promise<RapierScene> {
  const { rapier } = await loadComparedRapier('plain');
  const world = new rapier.World({ x: 0, y: gravityY, z: 0 });
  world.timestep = 1 / 60;
  const addBox = (
    desc: InstanceType<Rapier['RigidBodyDesc']>,
    [x, y, z, qx, qy, qz, qw]: PoseNumbers,
    half: readonly [number, number, number],
  ): RigidBody => {
    desc.setTranslation(x, y, z).setRotation({ x: qx, y: qy, z: qz, w: qw });
    const body = world.createRigidBody(desc);
    const collider = rapier.ColliderDesc.cuboid(...half);
    collider.setFriction(FRICTION).setRestitution(0).setDensity(DENSITY);
    world.createCollider(collider, body);
    return body;
  };
  const addProbe = (y: number): RigidBody => {
    const desc = rapier.RigidBodyDesc.dynamic().setTranslation(0, y, 0).setCanSleep(false);
    const body = world.createRigidBody(desc.setGravityScale(0).setLinvel(PROBE_SPEED, 0, 0));
    world.createCollider(rapier.ColliderDesc.ball(PROBE_RADIUS).setCollisionGroups(0), body);
    return body;
  };
  for (const { pose, half } of statics) addBox(rapier.RigidBodyDesc.fixed(), pose, half);
  return {
    world,
    boxes: boxes.map((pose) =>
      addBox(rapier.RigidBodyDesc.dynamic().setCanSleep(false), pose, [0.5, 0.5, 0.5]),
    ),
    single: addProbe(SINGLE_PROBE_Y),
    instanced: addProbe(INSTANCED_PROBE_Y),
  };
}
