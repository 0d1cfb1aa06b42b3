/**
 * The simulation: three bodies on a plate, which jump in turn when the player presses a key or a button.
 *
 * It uses neither the page nor a clock, so the tests run it in Node. It depends only on the seed and the inputs:
 * randomness comes from `context.random`, never from `Math.random`.
 */
import { rapierSimulation, type RapierScene, type RapierTools } from 'betwixt/rapier';
import type { BodyId } from 'betwixt/shared';
import { BODIES, CONE_HEIGHT_M, PLATE, RADIUS_M, type BodyLook } from './bodies.js';

const GRAVITY = 9.81;
/** Upwards, in m/s. */
const JUMP_SPEED = 6;

/** Loads the engine, saves, restores and replays the scene, and frees its memory. */
export const createSimulation = () =>
  rapierSimulation(build, { gravity: { x: 0, y: -GRAVITY, z: 0 } });

/** Builds the scene in an empty world, whenever a run starts. It emits the events of the annotation. */
function build({ context, rapier, physics, events, input }: RapierTools<{ score: number }>) {
  const { ColliderDesc, RigidBodyDesc } = rapier;
  const plate = ColliderDesc.cylinder(PLATE.thicknessM / 2, PLATE.radiusM);
  physics.world.createCollider(plate.setTranslation(0, -PLATE.thicknessM / 2, 0));
  const ids = BODIES.map(addBody);
  /** The body that jumps next. */
  let next = 0;
  /** How often bodies have landed on the plate. */
  let score = 0;

  // Called in the tick of the contact; the plate is no body, so it is undefined. The page shows the event when it shows
  // that tick: `sim.on('score', …)`.
  events.onContact(({ phase, b }) => {
    if (phase !== 'begin' || b !== undefined) return;
    score += 1;
    context.events.emit('score', score);
  });

  function addBody(look: BodyLook, index: number): BodyId {
    const description = RigidBodyDesc.dynamic().setTranslation(look.x, 3 + index, 0);
    // Air resistance: without it, the ball would roll forever.
    const body = physics.world.createRigidBody(
      description.setAngularDamping(1.5).setLinearDamping(0.1),
    );
    physics.world.createCollider(shapeOf(look).setRestitution(0.4).setFriction(0.8), body);
    // Sends contacts to the page: `sim.on('contact', …)`.
    events.watchContacts(body);
    // The tag tells the page what to draw.
    return physics.add(body, { tag: index });
  }

  function shapeOf({ shape }: BodyLook) {
    if (shape === 'ball') return ColliderDesc.ball(RADIUS_M);
    if (shape === 'box') return ColliderDesc.cuboid(RADIUS_M, RADIUS_M, RADIUS_M);
    return ColliderDesc.cone(CONE_HEIGHT_M / 2, RADIUS_M);
  }

  const spin = (): number => context.random.between(-5, 5);

  /** Jumps up and back to the initial position. */
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
    // `input` includes the inputs of this tick's time window.
    step(dt) {
      if (input.wasPressed('Space') || input.pointers().some(({ wasPressed }) => wasPressed)) {
        jump(next);
        next = (next + 1) % BODIES.length;
      }
      physics.step(dt);
    },

    tag: {} as number,

    // Called by the page. Queries only read; functions that change the simulation are `commands`.
    queries: {
      score: () => score,
      heights: () => ids.map((id) => physics.rigidBodyOf(id)?.translation().y ?? Number.NaN),
    },

    // State in addition to the bodies, for saved states.
    save: () => ({ next, score }),
    restore: (saved: { readonly next: number; readonly score: number }) => {
      ({ next, score } = saved);
    },
  } satisfies RapierScene;
}
