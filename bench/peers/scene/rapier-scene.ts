/** The scene in Rapier, the same for all that use it without React. */
import type { Rapier } from '../../../src/rapier/rapier.js';
import { loadComparedRapier } from '../../engines/load-rapier.js';
import { fillRapierWorld } from '../../engines/rapier-bench.js';
import type { BenchScene } from '../../scenes/index.js';
import { INSTANCED_PROBE_Y, PROBE_RADIUS, PROBE_SPEED, SINGLE_PROBE_Y } from './peer-scene.js';

type World = InstanceType<Rapier['World']>;
type RigidBody = InstanceType<Rapier['RigidBody']>;

export interface RapierScene {
  readonly world: World;
  readonly boxes: readonly RigidBody[];
  readonly single: RigidBody;
  readonly instanced: RigidBody;
}

/** In the build that `@react-three/rapier` pins, with the engine's own settings, which that library sets as well. */
export async function createRapierScene(scene: BenchScene): Promise<RapierScene> {
  const { rapier } = await loadComparedRapier('plain');
  const world = new rapier.World(scene.gravity);
  world.timestep = 1 / 60;
  const addProbe = (y: number): RigidBody => {
    const desc = rapier.RigidBodyDesc.dynamic().setTranslation(0, y, 0).setCanSleep(false);
    const body = world.createRigidBody(desc.setGravityScale(0).setLinvel(PROBE_SPEED, 0, 0));
    world.createCollider(rapier.ColliderDesc.ball(PROBE_RADIUS).setCollisionGroups(0), body);
    return body;
  };
  return {
    world,
    boxes: fillRapierWorld(rapier, world, scene),
    single: addProbe(SINGLE_PROBE_Y),
    instanced: addProbe(INSTANCED_PROBE_Y),
  };
}
