/** Contacts, forces, sensors and sleep of published bodies. */
import { beforeEach, expect, test } from 'vitest';
import { keepLists, memoryOf } from '../../../src/rapier/engine-memory.js';
import { loadRapier } from '../../../src/rapier/rapier.js';
import { present } from '../../fixtures/present.js';
import { RapierRun } from '../../fixtures/rapier-run.js';

const phasesOf = (run: RapierRun) => run.contacts.map(({ phase }) => phase);

const rapier = await loadRapier();
const { ColliderDesc } = rapier;

let run: RapierRun;
beforeEach(() => {
  run = new RapierRun(rapier);
});

test('forces over the threshold are reported, and none below', () => {
  const { collider, rigidBody, id } = run.addBall(0, 2);
  const { forces } = run;
  const weightN = rigidBody.mass() * 9.81;
  run.events.watchForces(collider, weightN * 3);
  run.step(60);
  expect(forces.length).toBeGreaterThan(0);
  for (const { force, a, b, y } of forces) {
    expect(force).toBeGreaterThan(weightN * 3);
    expect([a, b]).toEqual([id, undefined]);
    expect(y).toBeCloseTo(0, 1);
  }
  const { force, totalForce, maxForceDirection, ...rest } = present(forces[0]);
  expect(rest).toMatchObject({ colliderA: collider.handle, colliderB: run.floor.handle });
  // From the ball, which comes first, to the floor.
  expect(totalForce.y).toBeCloseTo(-force, 2);
  expect(maxForceDirection.y).toBeCloseTo(-1, 4);
  expect(rest.maxForceMagnitude).toBeCloseTo(force, 2);
  const hits = forces.length;
  // At rest it presses with its weight.
  run.step(10);
  expect(forces).toHaveLength(hits);
  run.events.watchForces(collider, weightN / 2);
  rigidBody.wakeUp();
  run.step(5);
  expect(forces.length).toBeGreaterThan(hits);
  expect(present(forces.at(-1)).force).toBeLessThan(weightN * 3);
  expect(() => run.events.watchForces(collider, -1)).toThrow(RangeError);
});

test('a body enters and leaves a sensor where it crosses it', () => {
  const { id } = run.addBall(0, 8);
  const gate = run.world.createCollider(ColliderDesc.cuboid(1, 1, 1).setTranslation(0, 5, 0));
  run.events.sensor(gate, 77);
  run.step(60);
  const { sensors } = run;
  expect(sensors).toMatchObject([
    { phase: 'enter', sensor: 77, body: id },
    { phase: 'leave', sensor: 77, body: id },
  ]);
  expect(sensors.map(({ y }) => y)).toEqual([expect.closeTo(6.5, 0), expect.closeTo(3.5, 0)]);
  expect(run.contacts).toEqual([]);
  expect(() => run.events.sensor(gate, 0.5)).toThrow(RangeError);
});

test('a body that is removed between the step and the reading has no contact', () => {
  const { id, collider } = run.addBall(0, 0.5);
  run.events.watchContacts(collider);
  run.step(1, 1, () => {
    run.physics.remove(id);
    // Takes its index in the engine, and is far from touching anything.
    run.events.watchContacts(run.addBall(0, 9).collider);
  });
  run.step(3);
  expect(run.contacts).toEqual([]);
});

test('the simulation receives the same contacts and sensors as the page, each once', () => {
  const inside: object[] = [];
  run.events.onContact((contact) => inside.push(contact));
  run.events.onSensor((change) => inside.push(change));
  run.events.watchContacts(run.addBall(0, 1).collider);
  run.events.watchContacts(run.addBall(9, 0.5).collider);
  run.events.sensor(run.world.createCollider(ColliderDesc.cuboid(2, 5, 2)), 3);
  run.step(30);
  expect(inside).toHaveLength(3);
  const onPage = [...run.contacts, ...run.sensors];
  expect(onPage).toMatchObject(
    expect.arrayContaining(inside.map((event) => expect.objectContaining(event))),
  );
});

test('a contact that begins and ends within one tick of several steps is not lost', () => {
  run.events.watchContacts(run.addBall(0, 2, 0.6).collider);
  // From the first contact on, with few enough steps that it begins and ends within one tick.
  run.step(40, 8);
  expect(phasesOf(run).slice(0, 2)).toEqual(['begin', 'end']);
});

test('a contact that a kept world had not begun begins again for the simulation', () => {
  const phases: string[] = [];
  run.events.onContact(({ phase }) => phases.push(phase));
  run.events.watchContacts(run.addBall(0, 1).collider);
  run.step(1);
  const memory = present(memoryOf(run.rapier));
  const [copy, putListsBack] = [memory.copy(), present(keepLists(run.world))];
  const [kept, bodies] = [run.physics.keep(), run.bodies.save()];
  run.step(30);
  expect(phases).toEqual(['begin']);
  memory.putBack(copy);
  putListsBack();
  run.bodies.restore(bodies);
  run.physics.adopt(kept);
  run.step(30);
  expect(phases).toEqual(['begin', 'begin']);
});
