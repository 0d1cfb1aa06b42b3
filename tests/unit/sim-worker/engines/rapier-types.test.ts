/** Which types a scene and a world have, for each package of Rapier. Nothing runs. */
import type * as Compat from '@dimforge/rapier3d-compat';
import type * as Deterministic from '@dimforge/rapier3d-deterministic-compat';
import type * as Simd from '@dimforge/rapier3d-simd-compat';
import type * as Compat019 from 'rapier3d-compat-0.19';
import { expectTypeOf, test } from 'vitest';
import {
  RapierEvents,
  RapierWorld,
  loadRapier,
  rapierSimulation,
  type Rapier,
  type RapierBuild,
  type RapierTools,
} from '../../../../src/sim-worker/engines/rapier.js';
import type { SimulationContext } from '../../../../src/sim-worker/index.js';

/** A world of each package, made without this library, and the events in it. */
function publish(
  simd: { engine: typeof Simd; world: Simd.World },
  deterministic: { engine: typeof Deterministic; world: Deterministic.World },
  compat: { engine: typeof Compat; world: Compat.World },
  compat019: { engine: typeof Compat019; world: Compat019.World },
  { bodies, events }: SimulationContext,
) {
  const publishers = {
    simd: new RapierWorld(simd.world, bodies),
    deterministic: new RapierWorld(deterministic.world, bodies),
    compat: new RapierWorld(compat.world, bodies),
    compat019: new RapierWorld(compat019.world, bodies),
  };
  const reported = new RapierEvents(compat.engine, publishers.compat, events);
  const others = [
    new RapierEvents(simd.engine, publishers.simd, events),
    new RapierEvents(deterministic.engine, publishers.deterministic, events),
    new RapierEvents(compat019.engine, publishers.compat019, events),
    // @ts-expect-error: not a world.
    new RapierWorld(compat.engine, bodies),
  ];
  const body = compat.world.createRigidBody(compat.engine.RigidBodyDesc.dynamic());
  const id = publishers.compat.add(body);
  reported.watchContacts(body);
  reported.watchForces(body.collider(0), 1);
  publishers.compat.bodyIdOfCollider(body.collider(0));
  // @ts-expect-error: the rigid body of another build.
  publishers.simd.add(body);
  return {
    publishers,
    others,
    ref: publishers.compat.ref(body),
    found: publishers.compat.rigidBodyOf(id),
  };
}

/** @returns The types that a scene on each build gets. */
function scenes() {
  let compat!: { rapier: typeof Compat; world: Compat.World };
  let deterministic!: { rapier: typeof Deterministic; world: Deterministic.World };
  let simd!: { rapier: typeof Simd; world: Simd.World };
  const some = 'simd' as RapierBuild;
  return [
    rapierSimulation(
      ({ rapier, physics: { world } }) => {
        compat = { rapier, world };
        return { commands: { drop: (_height: number) => compat.world.bodies.len() } };
      },
      { build: 'compat' },
    ),
    rapierSimulation(
      ({ rapier, physics: { world } }) => {
        deterministic = { rapier, world };
        return { events: {} as { goal: number }, queries: { count: () => deterministic } };
      },
      { build: 'deterministic', gravity: { x: 0, y: 0, z: 0 } },
    ),
    rapierSimulation(({ rapier, physics: { world } }) => {
      simd = { rapier, world };
      return { tag: {} as { shape: string }, queries: { simd: () => simd } };
    }),
    // Chosen at run time: the types of the first one.
    rapierSimulation(
      ({ rapier, physics: { world } }) => {
        simd = { rapier, world };
        return {};
      },
      { build: some },
    ),
    rapierSimulation(
      ({ context, rapier }: RapierTools<{ goal: number }, Rapier<'compat'>>) => {
        context.events.emit('goal', rapier.version().length);
        return { save: () => 1, restore: (_saved: number) => {} };
      },
      { build: 'compat' },
    ),
    rapierSimulation(
      // @ts-expect-error: the scene is written for another build than the one that is loaded.
      (_tools: RapierTools<{ goal: number }, Rapier<'compat'>>) => ({}),
      { build: 'deterministic' },
    ),
  ] as const;
}

const load = () =>
  Promise.all([loadRapier(), loadRapier('compat'), loadRapier('deterministic' as RapierBuild)]);

type Scenes = ReturnType<typeof scenes>;

test('a world of each package is accepted, and its rigid bodies are those of that package', () => {
  type Published = ReturnType<typeof publish>;
  expectTypeOf<Published['publishers']['compat']['world']>().toEqualTypeOf<Compat.World>();
  expectTypeOf<Published['found']>().toEqualTypeOf<Compat.RigidBody | undefined>();
  expectTypeOf<Published['ref']['body']>().toEqualTypeOf<Compat.RigidBody | undefined>();
});

test('a scene has the types of the build in its options, and the rest is inferred as before', () => {
  expectTypeOf<Scenes[0]['commands']['drop']>().toEqualTypeOf<(height: number) => number>();
  expectTypeOf<NonNullable<Scenes[1]['events']>>().toEqualTypeOf<{ goal: number }>();
  expectTypeOf<NonNullable<Scenes[2]['tag']>>().toEqualTypeOf<{ shape: string }>();
  expectTypeOf<NonNullable<Scenes[4]['events']>>().toEqualTypeOf<{ goal: number }>();
});

test('a module has the types of its build, and of the first one if there are several', () => {
  expectTypeOf<Awaited<ReturnType<typeof load>>>().toEqualTypeOf<
    [typeof Simd, typeof Compat, typeof Simd]
  >();
  expectTypeOf<Rapier<'deterministic' | 'compat'>>().toEqualTypeOf<typeof Deterministic>();
  expectTypeOf<Rapier>().toEqualTypeOf<typeof Simd>();
});
