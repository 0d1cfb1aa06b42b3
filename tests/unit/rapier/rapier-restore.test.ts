/** Version 0.19 of Rapier, which does not restore worlds exactly. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { loadComparedRapier, ofBuild } from '../../../bench/engines/load-rapier.js';
import { BodyRegistry } from '../../../src/sim-worker/bodies/body-registry.js';
import { RapierEvents, RapierWorld } from '../../../src/rapier/rapier.js';
import { runTicks } from '../../../src/sim-worker/testing/index.js';
import { present } from '../../fixtures/present.js';

const { rapier } = await loadComparedRapier('plain');

test('a world of version 0.19 is published, and its contacts are reported in the right place', () => {
  const bodies = new BodyRegistry(2);
  const physics = new RapierWorld(new rapier.World({ x: 0, y: -9.81, z: 0 }), bodies);
  const contact = vi.fn<(...args: unknown[]) => boolean>(() => true);
  const reporter = { run: 1, contact, contactForce() {}, sensor: () => true, sleep() {} };
  const events = new RapierEvents(rapier, physics, reporter as never);
  const desc = rapier.RigidBodyDesc.dynamic().setTranslation(3, 1, 0);
  const ball = physics.world.createRigidBody(desc);
  physics.world.createCollider(rapier.ColliderDesc.ball(0.5).setRestitution(0.8), ball);
  const floor = physics.world.createRigidBody(
    rapier.RigidBodyDesc.fixed().setTranslation(0, -1, 0),
  );
  physics.world.createCollider(rapier.ColliderDesc.cuboid(9, 1, 9), floor);
  events.watchContacts(ball);
  const id = physics.add(ball);
  for (let tick = 0; tick < 60; tick++) {
    physics.step(1 / 60);
    events.drain();
  }
  expect(present(bodies.pose(id)).x).toBeCloseTo(3, 3);
  // The begin is where they touch, the end in the middle of the ball.
  const places = contact.mock.calls.map(([a, b, isOn, x, y]) => [a ?? b, isOn, x, y]);
  expect(places.slice(0, 2)).toEqual([
    [id, true, expect.closeTo(3, 2), expect.closeTo(0, 1)],
    [id, false, expect.closeTo(3, 2), expect.closeTo(0.55, 1)],
  ]);
  events.free();
  physics.free();
});

test('a world of version 0.19 cannot be saved: nothing knows its version', () => {
  const physics = new RapierWorld(new rapier.World({ x: 0, y: 0, z: 0 }), new BodyRegistry(1));
  expect(() => physics.save()).toThrow(
    'a world of an unknown engine cannot be saved: load Rapier with loadRapier of betwixt/rapier',
  );
  physics.free();
});

test('version 0.19 as the package of a build is refused, with what to do', async () => {
  onTestFinished(() => void vi.doUnmock('@dimforge/rapier3d-compat'));
  vi.doMock('@dimforge/rapier3d-compat', () => ({ ...rapier }));
  const message =
    '@dimforge/rapier3d-compat 0.19.2 is too old: a world that it restores continues differently, so seeking and ' +
    'restarts would change the run. Install version 0.20 or newer: npm install @dimforge/rapier3d-compat@latest';
  const { loadRapier, rapierSimulation } = ofBuild.compat;
  await expect(loadRapier()).rejects.toThrow(message);
  const simulation = rapierSimulation(() => ({}));
  await expect(runTicks(simulation, { ticks: 1 })).rejects.toThrow(message);
});
