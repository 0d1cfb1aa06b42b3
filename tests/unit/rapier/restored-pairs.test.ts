/** The collisions of a restored world are those of the run that was saved, whatever its first tick removes. */
import { expect, test } from 'vitest';
import type { BodyId } from '../../../src/shared/index.js';
import { rapierSimulation, type RapierTools } from '../../../src/rapier/rapier.js';
import type { Simulation } from '../../../src/sim-worker/index.js';
import { createToyRun } from '../../fixtures/run-toy.js';

const TICKS = 60;
/** As many as it takes until everything is known again. */
const TICKS_AFTER = 4;
const BALLS = 5;

/** Balls that fall on plates and through a zone. In each tick one of them goes, or none. */
function createScene(log: string[]) {
  return rapierSimulation(({ context, rapier, physics, events }: RapierTools) => {
    const { ColliderDesc, RigidBodyDesc } = rapier;
    const { random } = context;
    let balls: BodyId[] = [];
    let plates: number[] = [];
    const addBall = (): void => {
      const place = RigidBodyDesc.dynamic()
        .setTranslation(random.between(-2, 2), random.between(0.5, 1), 0)
        .setLinvel(0, -3, 0);
      const body = physics.world.createRigidBody(place);
      const ball = physics.world.createCollider(ColliderDesc.ball(0.4).setRestitution(0.6), body);
      if (random.next() < 0.7) events.watchCollisions(ball);
      if (random.next() < 0.7) events.watchContacts(ball);
      balls.push(physics.add(body));
    };
    const addPlate = (isZone: boolean): void => {
      const desc = ColliderDesc.cuboid(3, 0.25, 3).setTranslation(0, isZone ? 0.5 : -0.25, 0);
      const plate = physics.world.createCollider(desc);
      if (isZone) events.sensor(plate, 7);
      else events.watchCollisions(plate);
      plates.push(plate.handle);
    };
    const removeOne = (): void => {
      if (random.next() < 0.75) {
        const [ball] = balls.splice(Math.floor(random.between(0, balls.length)), 1);
        if (ball !== undefined) physics.remove(ball);
        addBall();
        return;
      }
      const index = random.pick([0, 1]);
      physics.world.removeCollider(physics.world.getCollider(plates[index] ?? 0), true);
      plates.splice(index, 1);
      addPlate(index === 1);
      if (index === 0) plates.reverse();
    };
    addPlate(false);
    addPlate(true);
    for (let count = 0; count < BALLS; count++) addBall();
    events.onCollision(({ phase, colliderA, colliderB, isSensor }) => {
      log.push(`collision ${phase} ${colliderA} ${colliderB} ${isSensor}`);
    });
    events.onContact(({ phase, a, b }) => log.push(`contact ${phase} ${a} ${b}`));
    events.onSensor(({ phase, sensor, body }) => log.push(`sensor ${phase} ${sensor} ${body}`));
    return {
      step(dt) {
        const chance = random.next();
        if (chance < 0.2) removeOne();
        physics.step(dt);
        if (chance > 0.8) removeOne();
        const [first] = balls;
        const body = first && physics.rigidBodyOf(first);
        if (chance > 0.4 && chance < 0.5 && body !== undefined) events.unwatchCollisions(body);
      },
      save: () => ({ balls, plates }),
      restore(saved: { readonly balls: readonly BodyId[]; readonly plates: readonly number[] }) {
        balls = [...saved.balls];
        plates = [...saved.plates];
      },
    };
  });
}

async function startRun(seed: number) {
  const log: string[] = [];
  const simulation = createScene(log) as unknown as Simulation;
  const { run } = await createToyRun({ seed, capacity: 64, dt: 1 / 60 }, simulation);
  return {
    run,
    /** The events that the simulation receives in the next tick. */
    tick(): readonly string[] {
      log.length = 0;
      run.runTick(1 / 60);
      return [...log];
    },
  };
}

test.each([1, 2])(
  'a run that is restored after any tick continues with the same collisions: seed %i',
  async (seed) => {
    const straight = await startRun(seed);
    const seen = Array.from({ length: TICKS }, () => straight.tick());
    straight.run.dispose();
    // The test is about ends as much as about begins, of all kinds.
    const all = seen.flat().join('\n');
    for (const kind of ['collision end', 'contact end', 'sensor leave'])
      expect(all).toContain(kind);

    const { run, tick } = await startRun(seed);
    for (let at = 1; at < TICKS - TICKS_AFTER; at++) {
      tick();
      const saved = run.save();
      // Elsewhere in the meantime.
      tick();
      run.restore(saved);
      const after = Array.from({ length: TICKS_AFTER }, tick);
      expect([at, after]).toEqual([at, seen.slice(at, at + TICKS_AFTER)]);
      run.restore(saved);
      // Saved again before anything was reported of it.
      run.restore(run.save());
    }
    run.dispose();
  },
);
