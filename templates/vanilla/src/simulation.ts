/**
 * The simulation: three bodies on a plate, of which the next one jumps whenever it is told to.
 *
 * It knows neither the page nor the clock, so the tests run it in Node. Nothing but the seed and the inputs
 * decides what happens: chance comes from `context.random`, never from `Math.random`.
 */
import { rapierSimulation, type RapierScene, type RapierTools } from 'betwixt/rapier';
import type { BodyId } from 'betwixt/worker';
import { BODIES, CONE_HEIGHT_M, PLATE, RADIUS_M, type BodyLook } from './bodies.js';

const GRAVITY = 9.81;
/** Upwards, in m/s. */
const JUMP_SPEED = 6;

/** It loads the engine, saves, restores, replays and frees memory: what is left to say is how a scene is built. */
export const createSimulation = () =>
  rapierSimulation(build, { gravity: { x: 0, y: -GRAVITY, z: 0 } });

/** Called for each new beginning, with an empty world. */
function build({ context, rapier, physics, events, input }: RapierTools) {
  const { ColliderDesc, RigidBodyDesc } = rapier;
  const plate = ColliderDesc.cylinder(PLATE.thicknessM / 2, PLATE.radiusM);
  physics.world.createCollider(plate.setTranslation(0, -PLATE.thicknessM / 2, 0));
  const ids = BODIES.map(addBody);
  /** Whose turn it is to jump. */
  let next = 0;

  function addBody(look: BodyLook, index: number): BodyId {
    const desc = RigidBodyDesc.dynamic().setTranslation(look.x, 3 + index, 0);
    // Air: a ball would roll on for ever.
    const body = physics.world.createRigidBody(desc.setAngularDamping(1.5).setLinearDamping(0.1));
    physics.world.createCollider(shapeOf(look).setRestitution(0.4).setFriction(0.8), body);
    // Tells the page who met whom: its `sim.on('contact', …)`.
    events.watchContacts(body);
    return physics.add(body);
  }

  function shapeOf({ shape }: BodyLook) {
    if (shape === 'ball') return ColliderDesc.ball(RADIUS_M);
    if (shape === 'box') return ColliderDesc.cuboid(RADIUS_M, RADIUS_M, RADIUS_M);
    return ColliderDesc.cone(CONE_HEIGHT_M / 2, RADIUS_M);
  }

  const spin = (): number => context.random.between(-5, 5);

  /** Up, and towards the place where the body started. */
  function jump(index: number): void {
    const body = physics.rigidBodyOf(ids[index] as BodyId);
    if (body === undefined) return;
    const { x, z } = body.translation();
    const flightSeconds = (2 * JUMP_SPEED) / GRAVITY;
    const homeX = BODIES[index]?.x ?? 0;
    body.setLinvel({ x: (homeX - x) / flightSeconds, y: JUMP_SPEED, z: -z / flightSeconds }, true);
    body.setAngvel({ x: spin(), y: spin(), z: spin() }, true);
  }

  return {
    // Each tick is given the inputs of its own input window, which `input` has taken by then.
    step(dt) {
      if (input.wasPressed('Space') || input.pointers().some(({ wasPressed }) => wasPressed)) {
        jump(next);
        next = (next + 1) % BODIES.length;
      }
      physics.step(dt);
    },

    // Called by the page. These only ask; what changes the simulation would be one of its `commands`.
    queries: {
      ids: () => ids,
      heights: () => ids.map((id) => physics.rigidBodyOf(id)?.translation().y ?? Number.NaN),
    },

    // What the steps change beside the bodies: for saved states.
    save: () => next,
    restore: (saved: number) => {
      next = saved;
    },
  } satisfies RapierScene;
}
