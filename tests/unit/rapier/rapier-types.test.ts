/** Which types a scene and a world have, for each package of Rapier. Nothing runs. */
import type * as Compat from '@dimforge/rapier3d-compat';
import type * as Deterministic from '@dimforge/rapier3d-deterministic-compat';
import type * as Simd from '@dimforge/rapier3d-simd-compat';
import type * as Compat019 from 'rapier3d-compat-0.19';
import { expectTypeOf, test } from 'vitest';
import * as onCompat from '../../../src/rapier/rapier-compat.js';
import * as onDeterministic from '../../../src/rapier/rapier-deterministic.js';
import {
  RapierEvents,
  RapierWorld,
  loadRapier,
  rapierSimulation,
  type Rapier,
  type RapierTools,
} from '../../../src/rapier/rapier.js';
import type { SimulationContext } from '../../../src/sim-worker/index.js';

/** A world of each package, made without this library, and the events in it. */
function publish(
  simd: { engine: typeof Simd; world: Simd.World },
  deterministic: { engine: typeof Deterministic; world: Deterministic.World },
  compat: { engine: typeof Compat; world: Compat.World },
  compat019: { engine: typeof Compat019; world: Compat019.World },
  { bodies, events }: SimulationContext,
) {
  const physics = new RapierWorld(compat.world, bodies);
  const simdPhysics = new RapierWorld(simd.world, bodies);
  const reported = [
    new RapierEvents(compat.engine, physics, events),
    new RapierEvents(simd.engine, simdPhysics, events),
    new RapierEvents(deterministic.engine, new RapierWorld(deterministic.world, bodies), events),
    new RapierEvents(compat019.engine, new RapierWorld(compat019.world, bodies), events),
    // @ts-expect-error: not a world.
    new RapierWorld(compat.engine, bodies),
  ] as const;
  const body = compat.world.createRigidBody(compat.engine.RigidBodyDesc.dynamic());
  reported[0].watchContacts(body);
  reported[0].watchForces(body.collider(0), 1);
  // @ts-expect-error: the rigid body of another build.
  simdPhysics.add(body);
  const found = physics.rigidBodyOf(physics.add(body));
  return { reported, world: physics.world, ref: physics.ref(body), found };
}

/** @returns Scenes of which each needs the types of its build. */
const scenes = () =>
  [
    onCompat.rapierSimulation(({ rapier, physics: { world } }) => {
      const typed: { rapier: typeof Compat; world: Compat.World } = { rapier, world };
      return { commands: { drop: (_height: number) => typed.world.bodies.len() } };
    }),
    onDeterministic.rapierSimulation(
      ({ rapier, physics: { world } }) => {
        const typed: { rapier: typeof Deterministic; world: Deterministic.World } = {
          rapier,
          world,
        };
        return { events: {} as { goal: number }, queries: { count: () => typed } };
      },
      { gravity: { x: 0, y: 0, z: 0 } },
    ),
    rapierSimulation(({ rapier, physics: { world } }) => {
      const typed: { rapier: typeof Simd; world: Simd.World } = { rapier, world };
      return { tag: {} as { shape: string }, queries: { simd: () => typed } };
    }),
    onDeterministic.rapierSimulation(
      // @ts-expect-error: the scene is written for another build than the one that is loaded.
      (_tools: RapierTools<{ goal: number }, Rapier<'compat'>>) => ({}),
    ),
  ] as const;

const load = () => Promise.all([loadRapier(), onCompat.loadRapier(), onDeterministic.loadRapier()]);

test('worlds, scenes and modules have the types of their build, and of the first one if there are several', () => {
  type Published = ReturnType<typeof publish>;
  expectTypeOf<Published['world']>().toEqualTypeOf<Compat.World>();
  expectTypeOf<Published['found']>().toEqualTypeOf<Compat.RigidBody | undefined>();
  expectTypeOf<Published['ref']['body']>().toEqualTypeOf<Compat.RigidBody | undefined>();
  type Scenes = ReturnType<typeof scenes>;
  expectTypeOf<Scenes[0]['commands']['drop']>().toEqualTypeOf<(height: number) => number>();
  expectTypeOf<NonNullable<Scenes[1]['events']>>().toEqualTypeOf<{ goal: number }>();
  expectTypeOf<NonNullable<Scenes[2]['tag']>>().toEqualTypeOf<{ shape: string }>();
  expectTypeOf<Awaited<ReturnType<typeof load>>>().toEqualTypeOf<
    [typeof Simd, typeof Compat, typeof Deterministic]
  >();
  expectTypeOf<Rapier<'deterministic' | 'compat'>>().toEqualTypeOf<typeof Deterministic>();
  expectTypeOf<Rapier>().toEqualTypeOf<typeof Simd>();
});
