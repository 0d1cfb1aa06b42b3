/** Version 0.19 of Rapier, which does not restore worlds exactly. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { loadComparedRapier, ofBuild } from '../../../bench/engines/load-rapier.js';
import { BodyRegistry } from '../../../src/sim-worker/bodies/body-registry.js';
import { RapierWorld } from '../../../src/rapier/rapier.js';
import { runTicks } from '../../../src/sim-worker/testing/index.js';
import { present } from '../../fixtures/present.js';
import { RapierRun } from '../../fixtures/rapier-run.js';

const { rapier } = await loadComparedRapier('plain');

test('a world of version 0.19 is published, and its contacts are reported in the right place', () => {
  const run = new RapierRun(rapier as never);
  const { id, collider } = run.addBall(3, 1, 0.8);
  run.events.watchContacts(collider);
  run.step(60);
  expect(present(run.bodies.pose(id)).x).toBeCloseTo(3, 3);
  // The begin is where they touch, the end in the middle of the ball.
  const place = { a: id, x: expect.closeTo(3, 2) };
  expect(run.contacts.slice(0, 2)).toMatchObject([
    { ...place, phase: 'begin', y: expect.closeTo(0, 1) },
    { ...place, phase: 'end', y: expect.closeTo(0.55, 1) },
  ]);
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
