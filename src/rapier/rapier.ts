/** Entry point for simulations on the SIMD build of Rapier, of `@dimforge/rapier3d-simd-compat`: `betwixt/rapier`. */
import { loadRapier } from './load-simd.js';
import type { Rapier } from './rapier-builds.js';
import { simulationsOn, type CreateRapierSimulation } from './rapier-simulation.js';

export * from './rapier-parts.js';
export { loadRapier };

/**
 * Creates a simulation from a function that builds a scene in Rapier. It loads the engine, steps, reports events,
 * saves, restores, hashes, restarts, handles bodies with invalid poses, and frees the engine's memory.
 *
 *     runSimulation(rapierSimulation(({ rapier, physics }) => {
 *       const ball = physics.world.createRigidBody(rapier.RigidBodyDesc.dynamic().setTranslation(0, 5, 0));
 *       physics.world.createCollider(rapier.ColliderDesc.ball(0.5), ball);
 *       const id = physics.add(ball);
 *       return { queries: { id: () => id } };
 *     }));
 *
 * @param build Builds a scene in an empty world, only from the context's setup, seed and random source. Called at the
 *   start, for each restart, and for each restored state, so its variables belong to one scene. Must not emit events.
 * @param options Checked in `init`, so that `connect` rejects if they are invalid.
 * @typeParam C Its commands.
 * @typeParam T What `build` emits: the events of its annotation, `({ context }: RapierTools<{ goal: number }>) => …`.
 * @typeParam E What the page receives: the events of the scene's `events`. Default: those of the annotation.
 * @typeParam Q Its queries.
 * @typeParam S What the scene saves.
 * @typeParam B The tags of its bodies.
 * @throws TypeError if `build` is not a function.
 */
export const rapierSimulation: CreateRapierSimulation<Rapier<'simd'>> = simulationsOn(loadRapier);
