import type { Collider } from '@dimforge/rapier3d-simd-compat';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BodyId } from '../../../../src/shared/memory/body-meta.js';
import type {
  ContactEvent,
  ContactForceEvent,
  SensorEvent,
  SleepEvent,
} from '../../../../src/shared/events/simulation-event.js';
import { EventDispatcher } from '../../../../src/render-main/queues/event-dispatcher.js';
import { BodyRegistry } from '../../../../src/sim-worker/bodies/body-registry.js';
import { RapierEvents } from '../../../../src/sim-worker/engines/rapier-events.js';
import { RAPIER_BUILDS } from '../../../../src/sim-worker/engines/rapier-builds.js';
import { RapierWorld, loadRapier } from '../../../../src/sim-worker/engines/rapier.js';
import { EventReporter } from '../../../../src/sim-worker/events/event-reporter.js';
import { createEventQueue } from '../../../fixtures/event-queue.js';
import { OpenPairs } from '../../../fixtures/open-pairs.js';
import { poseAt } from '../../../fixtures/poses.js';
import { present } from '../../../fixtures/present.js';

const STEP_SECONDS = 1 / 60;

describe.each(RAPIER_BUILDS)('the %s build', async (build) => {
  const rapier = await loadRapier(build);
  const { ColliderDesc, RigidBodyDesc } = rapier;
  let bodies: BodyRegistry;
  let physics: RapierWorld;
  let reporter: EventReporter;
  let events: RapierEvents;
  let page: EventDispatcher;
  let open: OpenPairs;
  let ground: Collider;
  let tick: number;
  let contacts: ContactEvent[];
  let forces: ContactForceEvent[];
  let sensors: SensorEvent[];
  let sleeps: SleepEvent[];
  /** What the simulation itself receives. */
  let inside: object[];

  beforeEach(() => {
    const { views, writer } = createEventQueue(1 << 14);
    bodies = new BodyRegistry(8);
    physics = new RapierWorld(new rapier.World({ x: 0, y: -9.81, z: 0 }), bodies);
    ground = physics.world.createCollider(ColliderDesc.cuboid(50, 1, 50).setTranslation(0, -1, 0));
    reporter = new EventReporter(writer);
    events = new RapierEvents(rapier, physics, reporter);
    tick = 0;
    page = new EventDispatcher();
    page.attach(views);
    open = new OpenPairs(page);
    contacts = [];
    forces = [];
    sensors = [];
    sleeps = [];
    inside = [];
    events.onContact((contact) => inside.push(contact));
    events.onSensor((change) => inside.push(change));
    page.on('contact', (event) => contacts.push(event), { when: 'now' });
    page.on('contactForce', (event) => forces.push(event), { when: 'now' });
    page.on('sensor', (event) => sensors.push(event), { when: 'now' });
    page.on('sleep', (event) => sleeps.push(event), { when: 'now' });
  });
  afterEach(() => {
    events.free();
    physics.free();
  });

  const addBall = (x: number, y: number, restitution = 0) => {
    const rigidBody = physics.world.createRigidBody(
      RigidBodyDesc.dynamic().setTranslation(x, y, 0),
    );
    const collider = physics.world.createCollider(
      ColliderDesc.ball(0.5).setRestitution(restitution),
      rigidBody,
    );
    return { rigidBody, collider, id: physics.add(rigidBody) };
  };
  const step = (ticks = 1, steps = 1) => {
    for (const last = tick + ticks; tick < last;) {
      tick += 1;
      reporter.beginTick(tick, tick * STEP_SECONDS * 1000);
      for (let count = 0; count < steps; count++) physics.step(STEP_SECONDS / steps);
      events.drain();
      reporter.endTick();
      page.drain();
    }
  };
  const isLow = (id: BodyId) => present(physics.rigidBodyOf(id)).translation().y < 0.6;
  /** What the page receives of contacts and sensors, apart from what is late. */
  const onPage = () => [...contacts, ...sensors].filter(({ isLate }) => !isLate);
  const phases = () => contacts.map(({ phase }) => phase);

  test('a ball bounces: begins and ends alternate, at the place of impact', () => {
    const { id, collider } = addBall(3, 2, 0.6);
    events.watchContacts(collider);
    step(30);
    expect(contacts).toEqual([]);
    step(60);
    expect(phases().slice(0, 3)).toEqual(['begin', 'end', 'begin']);
    for (const [index, { phase }] of contacts.entries()) {
      expect(phase).toBe(index % 2 === 0 ? 'begin' : 'end');
    }
    const first = present(contacts[0]);
    expect(first).toMatchObject({ a: id, b: undefined, isLate: false });
    expect([first.x, first.y, first.z].map((value) => Math.round(value * 100) / 100)).toEqual([
      3, -0, 0,
    ]);
    // In the air there is no point of contact; the event has the ball's position.
    const second = present(contacts[1]);
    expect(second.x).toBeCloseTo(3);
    expect(second.y).toBeGreaterThan(0.4);
    expect(open.contacts).toEqual(isLow(id) ? [{ a: id, b: undefined }] : []);
  });

  test('an unwatched body emits no events', () => {
    addBall(0, 0.6);
    step(60);
    expect([contacts, forces, sensors]).toEqual([[], [], []]);
    // It fell asleep in the meantime or will: that needs no watching.
    step(120);
    expect(sleeps).toHaveLength(1);
  });

  test('forces over the threshold are reported, and none below', () => {
    const { collider, rigidBody, id } = addBall(0, 2);
    const weightN = rigidBody.mass() * 9.81;
    events.watchForces(collider, weightN * 3);
    step(60);
    expect(forces.length).toBeGreaterThan(0);
    for (const { force, a, b, y } of forces) {
      expect(force).toBeGreaterThan(weightN * 3);
      expect([a, b]).toEqual([id, undefined]);
      expect(y).toBeCloseTo(0, 1);
    }
    const [{ force, totalForce, maxForceDirection, ...rest }] = forces as [ContactForceEvent];
    expect(rest).toMatchObject({ colliderA: collider.handle, colliderB: ground.handle });
    // From the ball, which comes first, to the ground.
    expect([totalForce.y, maxForceDirection.y]).toEqual([
      expect.closeTo(-force, 2),
      expect.closeTo(-1, 4),
    ]);
    expect(rest.maxForceMagnitude).toBeCloseTo(force, 2);
    const hits = forces.length;
    // At rest it presses with its weight.
    step(10);
    expect(forces).toHaveLength(hits);
    events.watchForces(collider, weightN / 2);
    rigidBody.wakeUp();
    step(5);
    expect(forces.length).toBeGreaterThan(hits);
    expect(present(forces.at(-1)).force).toBeLessThan(weightN * 3);
    expect(() => events.watchForces(collider, -1)).toThrow(RangeError);
  });

  test('a sensor is crossed', () => {
    const { id } = addBall(0, 8);
    const gate = physics.world.createCollider(ColliderDesc.cuboid(1, 1, 1).setTranslation(0, 5, 0));
    events.sensor(gate, 77);
    step(60);
    expect(sensors).toMatchObject([
      { phase: 'enter', sensor: 77, body: id },
      { phase: 'leave', sensor: 77, body: id },
    ]);
    expect(present(sensors[0]).y).toBeCloseTo(6.5, 0);
    expect(present(sensors[1]).y).toBeCloseTo(3.5, 0);
    expect(contacts).toEqual([]);
    expect(() => events.sensor(gate, 0.5)).toThrow(RangeError);
  });

  test('a sensor that moves with a body, and one that is removed while a body is inside', () => {
    const { rigidBody } = addBall(0, 0.5);
    const { id: other } = addBall(1.5, 0.5);
    const zone = physics.world.createCollider(ColliderDesc.ball(2), rigidBody);
    events.sensor(zone, 1);
    step(2);
    expect(sensors).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ phase: 'enter', body: other }),
        // The ground.
        expect.objectContaining({ phase: 'enter', body: undefined }),
      ]),
    );
    physics.world.removeCollider(zone, true);
    step(1);
    expect(sensors.map(({ phase }) => phase).toSorted()).toEqual([
      'enter',
      'enter',
      'leave',
      'leave',
    ]);
    expect(open.sensors).toEqual([]);
  });

  test('a body falls asleep and is woken', () => {
    const { id, rigidBody } = addBall(0, 0.5);
    step(200);
    expect(sleeps).toMatchObject([{ body: id, isAsleep: true }]);
    expect(open.asleep).toEqual([id]);
    rigidBody.applyImpulse({ x: 0, y: 1, z: 0 }, true);
    step(2);
    expect(sleeps[1]).toMatchObject({ body: id, isAsleep: false, tick: 201 });
    step(400);
    expect(sleeps.map(({ isAsleep }) => isAsleep)).toEqual([true, false, true]);
    // The slot's next owner is awake.
    physics.remove(id);
    const { id: next } = addBall(0, 9);
    step(1);
    expect(sleeps.at(-1)).toMatchObject({ body: id, isAsleep: false });
    expect(next).not.toBe(id);
    expect(open.asleep).toEqual([]);
  });

  test('a body that is removed during a contact: the end arrives, for the right body', () => {
    const { id, collider } = addBall(0, 0.5);
    const { id: above, collider: aboveCollider } = addBall(0, 1.49);
    events.watchContacts(collider);
    events.watchContacts(aboveCollider);
    step(3);
    expect(phases()).toEqual(['begin', 'begin']);
    physics.remove(id);
    // Takes the index of the collider that was removed.
    const { id: next, collider: nextCollider } = addBall(5, 0.5);
    events.watchContacts(nextCollider);
    step(1);
    const ends = contacts.filter(({ phase }) => phase === 'end');
    expect(ends.map(({ a, b }) => [a, b])).toEqual(
      expect.arrayContaining([
        [id, undefined],
        [id, above],
      ]),
    );
    expect(ends).toHaveLength(2);
    expect(open.contacts).toEqual([{ a: next, b: undefined }]);
  });

  test('a body that is removed between the step and the drain', () => {
    const { id, collider } = addBall(0, 0.5);
    events.watchContacts(collider);
    tick += 1;
    reporter.beginTick(tick, 0);
    physics.step(STEP_SECONDS);
    physics.remove(id);
    // Reuses its engine index, and is far from touching anything.
    events.watchContacts(addBall(0, 9).collider);
    events.drain();
    step(3);
    expect(contacts).toEqual([]);
  });

  test('two bodies that touch with several colliders', () => {
    const legs = [-1, 1];
    const table = physics.world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 0.5, 0));
    for (const x of legs) {
      physics.world.createCollider(ColliderDesc.ball(0.5).setTranslation(x, 0, 0), table);
    }
    const id = physics.add(table);
    events.watchContacts(table);
    step(10);
    expect(contacts).toMatchObject([{ phase: 'begin', a: id, b: undefined }]);
    physics.teleport(id, poseAt(0, 9));
    step(1);
    expect(phases()).toEqual(['begin', 'end']);
  });

  test('a contact that exists already when watching starts', () => {
    const { id, collider } = addBall(0, 0.5);
    // The boxes around these two overlap, and they do not touch.
    const { collider: near } = addBall(3, 9);
    addBall(3.8, 9.8);
    step(3);
    events.watchContacts(collider);
    events.watchContacts(near);
    page.drain();
    expect(contacts).toMatchObject([{ phase: 'begin', a: id, isLate: true }]);
    events.watchContacts(ground);
    page.drain();
    expect(contacts).toHaveLength(1);
    physics.teleport(id, poseAt(0, 9));
    step(1);
    expect(phases()).toEqual(['begin', 'end']);
  });

  test('the simulation receives the same contacts, each once, and those that exist already do not begin again', () => {
    const { id, collider } = addBall(0, 1);
    const table = physics.world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(9, 0.5, 0));
    for (const x of [-1, 1]) {
      physics.world.createCollider(ColliderDesc.ball(0.5).setTranslation(x, 0, 0), table);
    }
    const tableId = physics.add(table);
    events.watchContacts(collider);
    events.watchContacts(table);
    events.sensor(physics.world.createCollider(ColliderDesc.cuboid(2, 5, 2)), 3);
    step(30);
    expect(inside).toHaveLength(3);
    expect(onPage()).toMatchObject(
      expect.arrayContaining(inside.map((event) => expect.objectContaining(event))),
    );
    const saved = { world: physics.save(), bodies: bodies.save() };
    const goOn = () => {
      inside.length = 0;
      step(5);
      for (const moved of [id, tableId]) physics.teleport(moved, poseAt(0, 90 + moved));
      step(2);
      return [...inside];
    };
    const played = goOn();
    expect(played).toMatchObject([{ phase: 'end' }, { phase: 'end' }, { phase: 'leave' }]);
    bodies.restore(saved.bodies);
    physics.restore(saved.world);
    reporter.clear();
    expect(goOn()).toEqual(played);
  });

  test('nothing is lost when a tick is several steps', () => {
    const { collider } = addBall(0, 2, 0.6);
    events.watchContacts(collider);
    step(20, 8);
    // From the first contact on, with few enough steps that it begins and ends within one tick.
    step(20, 8);
    expect(phases().slice(0, 2)).toEqual(['begin', 'end']);
  });

  test('bodies that are not published emit no contacts with each other', () => {
    const rigidBody = physics.world.createRigidBody(
      RigidBodyDesc.dynamic().setTranslation(0, 0.5, 0),
    );
    const collider = physics.world.createCollider(ColliderDesc.ball(0.5), rigidBody);
    events.watchContacts(collider);
    events.watchForces(collider, 0);
    step(5);
    expect([contacts, forces]).toEqual([[], []]);
  });

  test('a restored world: watched bodies stay watched, and open contacts are reported again', () => {
    const { id: resting, collider } = addBall(0, 0.5);
    const { id: falling, collider: second } = addBall(4, 3);
    const gate = physics.world.createCollider(ColliderDesc.ball(1).setTranslation(0, 1, 0));
    events.watchContacts(collider);
    events.watchContacts(second);
    events.watchForces(second, 5);
    events.sensor(gate, 9);
    step(5);
    expect(open.contacts).toEqual([{ a: resting, b: undefined }]);
    const saved = { world: physics.save(), bodies: bodies.save() };
    step(60);
    expect(open.contacts).toHaveLength(2);
    physics.remove(resting);
    physics.remove(falling);
    step(1);

    bodies.restore(saved.bodies);
    physics.restore(saved.world);
    reporter.clear();
    page.drain();
    expect([open.contacts, open.sensors]).toEqual([[], []]);
    contacts.length = 0;
    sensors.length = 0;
    forces.length = 0;
    step(1);
    expect(contacts).toMatchObject([{ phase: 'begin', a: resting, isLate: true }]);
    expect(sensors).toMatchObject([{ phase: 'enter', sensor: 9, body: resting, isLate: true }]);
    step(60);
    expect(contacts[1]).toMatchObject({ phase: 'begin', a: falling, isLate: false });
    expect(forces.length).toBeGreaterThan(0);
  });

  test('a world restored within the run: ends and begins still alternate', () => {
    const { id, collider } = addBall(0, 0.5);
    events.watchContacts(collider);
    step(200);
    const saved = { world: physics.save(), bodies: bodies.save() };
    bodies.restore(saved.bodies);
    physics.restore(saved.world);
    step(1);
    expect(phases()).toEqual(['begin', 'end', 'begin']);
    expect(sleeps.map(({ isAsleep }) => isAsleep)).toEqual([true, false, true]);
    expect([open.contacts, open.asleep]).toEqual([[{ a: id, b: undefined }], [id]]);
  });

  test('freed: open contacts end, and the world continues without events', () => {
    const { collider } = addBall(0, 0.5);
    events.watchContacts(collider);
    step(200);
    events.free();
    page.drain();
    expect([open.contacts, open.asleep]).toEqual([[], []]);
    expect(physics.eventQueue).toBeUndefined();
    physics.step(STEP_SECONDS);
    events = new RapierEvents(rapier, physics, reporter);
  });
});
