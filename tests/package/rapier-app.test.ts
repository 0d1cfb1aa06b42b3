/** An app that has the package and only one package of Rapier: it compiles strictly, with true types, and runs. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConsumer } from './consumer.js';

const execute = promisify(execFile);

const COMPILER_OPTIONS = {
  lib: ['es2023', 'dom'],
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: false,
  outDir: 'out',
  rootDir: '.',
};

/** A scene with a helper, and a world of one's own: all types are those of the installed package. */
const scene = (entry: string, engine: string, other: string) => `
import * as own from '${engine}';
import { RapierWorld, loadRapier, rapierSimulation, type RapierTools, type RigidBodyRef } from '${entry}';
import { loadRapier as loadOther } from '${other}';
import { runTicks } from 'betwixt/testing';
import type { Bodies } from 'betwixt/worker';

function addBall({ physics, rapier }: RapierTools): RigidBodyRef {
  const ball = physics.world.createRigidBody(rapier.RigidBodyDesc.dynamic().setTranslation(0, 5, 0));
  physics.world.createCollider(rapier.ColliderDesc.ball(0.5), ball);
  physics.add(ball);
  return physics.ref(ball);
}

const simulation = rapierSimulation((tools) => {
  const ball = addBall(tools);
  const world: own.World = tools.physics.world;
  world.createCollider(own.ColliderDesc.cuboid(9, 1, 9).setTranslation(0, -1, 0));
  if (ball.body !== undefined) tools.events.watchContacts(ball.body);
  return { queries: { height: () => ball.body?.translation().y ?? 0 } };
});

export const height = (): number => simulation.queries.height();
export function publish(world: own.World, bodies: Bodies): own.RigidBody | undefined {
  const physics: RapierWorld = new RapierWorld(world, bodies);
  return physics.rigidBodyOf(physics.add(world.createRigidBody(own.RigidBodyDesc.dynamic())));
}

const { events, recording } = await runTicks(simulation, { ticks: 120, saveEveryTicks: 60 });
const loaded: typeof own = await loadRapier();
console.log(JSON.stringify({
  events: events.map(({ name }) => name),
  engine: recording.run.engine,
  saved: recording.states.map(({ tick }) => tick),
  isSameModule: loaded.World === own.World,
  failure: await loadOther().catch((error: Error) => error.message),
}));
`;

/** The same mistake in a scene on the build that is installed, and a scene on one that is not. */
const mistakes = (entry: string, other: string) => `
import { rapierSimulation } from '${entry}';
import { rapierSimulation as onOther } from '${other}';
export const misspelt = rapierSimulation(({ rapier }) => ({
  queries: { desc: () => rapier.RigidBodyDesc.nothing() },
}));
export const elsewhere = onOther(({ rapier }) => ({
  queries: { desc: () => rapier.RigidBodyDesc.dynamic() },
}));
`;

const WORLD_WORKER = `
import { runWorld } from 'betwixt/world/worker';
export const simulation = runWorld();
`;

const ENTRIES = {
  simd: 'betwixt/rapier',
  compat: 'betwixt/rapier/compat',
  deterministic: 'betwixt/rapier/deterministic',
};

describe.each([
  ['compat', '@dimforge/rapier3d-compat', 'simd'],
  ['simd', '@dimforge/rapier3d-simd-compat', 'compat'],
  ['deterministic', '@dimforge/rapier3d-deterministic-compat', 'simd'],
] as const)('only the build %s is installed', (build, engine, other) => {
  const [own, foreign] = [ENTRIES[build], ENTRIES[other]];
  const consumer = createConsumer(engine);
  afterAll(() => consumer.remove());
  let report: string[];

  beforeAll(async () => {
    consumer.write('scene.ts', scene(own, engine, foreign));
    consumer.write('mistakes.ts', mistakes(own, foreign));
    consumer.write('world.ts', WORLD_WORKER);
    const files = ['scene.ts', 'world.ts', 'mistakes.ts'];
    report = (await consumer.compile({ files }, COMPILER_OPTIONS)).trim().split('\n');
  });

  test('a scene on it and the worker of a world compile strictly, and so do the types of all packages', () => {
    expect(report.filter((line) => !line.startsWith('mistakes.ts'))).toEqual([]);
  });

  test('mistakes in a scene, and a build that is not installed, are errors of types', () => {
    const [misspelt, elsewhere, ...others] = report;
    expect(misspelt).toContain("Property 'nothing' does not exist on type 'typeof RigidBodyDesc'");
    expect(elsewhere).toContain(
      `Property 'RigidBodyDesc' does not exist on type 'RapierNotInstalled<"${other}">'`,
    );
    expect(others).toEqual([]);
  });

  test('it runs, reports contacts and saves, and says what to install for another build', async () => {
    const { stdout } = await execute(process.execPath, ['out/scene.js'], { cwd: consumer.folder });
    expect(JSON.parse(stdout)).toEqual({
      events: expect.arrayContaining(['contact']),
      engine: expect.stringMatching(new RegExp(`^rapier3d-${build} 0\\.\\d+\\.\\d+$`)),
      saved: [60, 120],
      isSameModule: true,
      failure: expect.stringMatching(
        new RegExp(`^the build "${other}" of Rapier cannot be loaded: .*: npm install @dimforge/`),
      ),
    });
  });
});
