/**
 * The simulation: three bodies on a plate, of which the next one jumps whenever it is told to.
 *
 * It knows neither the page nor the clock, so the tests run it in Node. Nothing but the seed and the inputs
 * decides what happens: chance comes from `context.random`, never from `Math.random`.
 */
import {
  RapierEvents,
  RapierWorld,
  engineName,
  loadRapier,
  packParts,
  unpackParts,
  type Rapier,
} from 'betwixt/rapier';
import { HeldInputs, type BodyId, type Simulation, type SimulationContext } from 'betwixt/worker';
import { BODIES, CONE_HEIGHT_M, PLATE, RADIUS_M, type BodyLook } from './bodies.js';

const GRAVITY = 9.81;
/** Upwards, in m/s. */
const JUMP_SPEED = 6;

export function createSimulation() {
  let context: SimulationContext;
  let rapier: Rapier;
  let physics: RapierWorld;
  let contacts: RapierEvents;
  let ids: BodyId[] = [];
  const held = new HeldInputs();
  /** Whose turn it is to jump. */
  let next = 0;

  function build(): void {
    physics = new RapierWorld(new rapier.World({ x: 0, y: -GRAVITY, z: 0 }), context.bodies);
    contacts = new RapierEvents(rapier, physics, context.events);
    addPlate();
    ids = BODIES.map(addBody);
    held.clear();
    next = 0;
  }

  function free(): void {
    contacts.free();
    physics.free();
  }

  function addPlate(): void {
    const { radiusM, thicknessM } = PLATE;
    const plate = rapier.ColliderDesc.cylinder(thicknessM / 2, radiusM);
    physics.world.createCollider(plate.setTranslation(0, -thicknessM / 2, 0));
  }

  function addBody(look: BodyLook, index: number): BodyId {
    const { RigidBodyDesc } = rapier;
    const place = RigidBodyDesc.dynamic().setTranslation(look.x, 3 + index, 0);
    // Air: a ball would roll on for ever.
    const body = physics.world.createRigidBody(place.setAngularDamping(1.5).setLinearDamping(0.1));
    physics.world.createCollider(shapeOf(look).setRestitution(0.4).setFriction(0.8), body);
    contacts.watchContacts(body);
    return physics.add(body);
  }

  function shapeOf({ shape }: BodyLook) {
    const { ColliderDesc } = rapier;
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
    const flightS = (2 * JUMP_SPEED) / GRAVITY;
    const homeX = BODIES[index]?.x ?? 0;
    body.setLinvel({ x: (homeX - x) / flightS, y: JUMP_SPEED, z: -z / flightS }, true);
    body.setAngvel({ x: spin(), y: spin(), z: spin() }, true);
  }

  return {
    async init(given) {
      context = given;
      rapier = await loadRapier();
      build();
    },

    // The beginning once more, for replays. The old bodies have the ids that the new ones get: they go first.
    reset() {
      free();
      build();
    },

    // Each tick is given the inputs of its own slice of time.
    step(stepS, _tick, inputs) {
      held.apply(inputs);
      if (held.wasPressed('Space') || held.pointers().some(({ wasPressed }) => wasPressed)) {
        jump(next);
        next = (next + 1) % BODIES.length;
      }
      physics.step(stepS);
      // Tells the page who met whom: its `sim.on('contact', …)`.
      contacts.drain();
    },

    // Called by the page and by tests. These only ask; what changes the simulation would be one of its `commands`.
    queries: {
      ids: () => ids,
      heights: () => ids.map((id) => physics.rigidBodyOf(id)?.translation().y ?? Number.NaN),
    },

    // All that the steps have changed, for saved states. The library saves the poses and `context.random`.
    save() {
      const own = JSON.stringify({ ids, next, held: held.save() });
      return packParts('body', [new TextEncoder().encode(own), physics.save()]);
    },

    restore(bytes) {
      const [own, world] = unpackParts('body', 2, bytes, 'the saved bodies');
      const saved = JSON.parse(new TextDecoder().decode(own));
      physics.restore(world as Uint8Array);
      held.restore(saved.held);
      ({ ids, next } = saved);
    },

    engine: () => engineName(rapier),
    hash: (hash) => physics.hashInto(hash),
    dispose: free,
  } satisfies Simulation;
}
