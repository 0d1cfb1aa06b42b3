/** The events that scenes send to the page: hard hits, sensors, and passages through them. */
import { expect, test } from 'vitest';
import { SCENES, type SceneName } from '../contract/scene-contract.js';
import { SceneKit, type BodyOptions } from '../simulation/scenes/scene-kit.js';
import { addGround } from '../simulation/scenes/ground.js';
import type { SceneReporter } from '../simulation/scene-events.js';
import { ball, box } from '../simulation/shapes.js';
import type { Json } from '../../src/shared/util/json.js';
import { BodyRegistry } from '../../src/sim-worker/bodies/body-registry.js';
import { RapierWorld } from '../../src/sim-worker/engines/rapier.js';
import { present } from '../../tests/fixtures/present.js';
import { rapier } from './scene-run.js';
import { StagedScene } from './staged-scene.js';

/** Records the events. */
class Listener implements SceneReporter {
  run = 0;
  readonly forces: number[] = [];
  readonly entered: number[] = [];
  readonly scores: Json[] = [];
  /** Parts of each body that are in a sensor. */
  readonly #parts = new Map<string, number>();

  contact(): boolean {
    return true;
  }
  sleep(): void {}
  contactForce(...[, , force]: Parameters<SceneReporter['contactForce']>): void {
    this.forces.push(force);
  }
  sensor(...[sensor, body, isInside]: Parameters<SceneReporter['sensor']>): boolean {
    if (isInside) this.entered.push(sensor);
    const key = `${sensor} ${body}`;
    const before = this.#parts.get(key) ?? 0;
    const after = before + (isInside ? 1 : -1);
    this.#parts.set(key, after);
    return before > 0 !== after > 0;
  }
  emit(name: string, value: Json): void {
    if (name === 'score') this.scores.push(value);
  }
}

function startKit() {
  const listener = new Listener();
  const bodies = new BodyRegistry(50);
  const physics = new RapierWorld(new rapier.World({ x: 0, y: -9.81, z: 0 }), bodies);
  const kit = new SceneKit({ rapier, physics, reporter: listener, wantedBodies: 1, seed: 1 });
  addGround(kit, 20);
  const play = (seconds: number, hz = 60): void => {
    if (bodies.bodyCount === 0) kit.publish();
    kit.events.adaptTo(1 / hz);
    for (let tick = 0; tick < Math.round(seconds * hz); tick++) {
      kit.physics.step(1 / hz);
      kit.events.drain();
    }
  };
  const close = (): void => {
    kit.events.free();
    kit.physics.free();
  };
  return { kit, listener, play, close };
}

function startScene(name: SceneName, bodies: number = SCENES[name].bodies[1]) {
  const listener = new Listener();
  const scene = new StagedScene(rapier, { name, bodies, seed: 1 }, 1400, listener);
  const play = (seconds: number): void => {
    for (let tick = 0; tick < seconds * 60; tick++) scene.stage.step(1 / 60);
  };
  return { listener, scene, stage: scene.stage, play };
}

const DROPPED: BodyOptions = { position: [0, 3, 0], isRestless: true };

test.each([30, 60, 240])('a ball that is dropped reports one hit at %i Hz', (hz) => {
  const { kit, listener, play, close } = startKit();
  kit.add(ball(0.3, 0), DROPPED);
  play(0.6, hz);
  expect(listener.forces).toEqual([]);
  play(2, hz);
  expect(listener.forces).toHaveLength(1);
  // 7.3 m/s within a step.
  const mass = (4 / 3) * Math.PI * 0.3 ** 3;
  expect(present(listener.forces[0])).toBeGreaterThan(4 * mass * hz);
  close();
});

test('a pile at rest reports no hit, however heavy', () => {
  const { kit, listener, play, close } = startKit();
  for (let index = 0; index < 8; index++) {
    kit.add(box([1, 1, 1], 0), {
      position: [0, 0.5 + index, 0],
      density: 1 + index * 2,
      isRestless: true,
    });
  }
  play(1);
  listener.forces.length = 0;
  play(2);
  expect(listener.forces).toEqual([]);
  close();
});

test('a shot that was restored still reports its hits, at another tick rate too', () => {
  const { listener, scene, stage, play } = startScene('dominoes', 50);
  play(0.1);
  const { id } = stage.shoot([40, 30, 0], [0, -1, 0]);
  play(0.1);
  scene.restore(scene.save());
  listener.run += 1;
  const next = scene.stage;
  // At 200 ticks a second the same hit is a greater force: the limit has to follow.
  listener.forces.length = 0;
  for (let tick = 0; tick < 200; tick++) next.step(1 / 200);
  // Dominoes click at some 10 kN.
  const hits = (): number => listener.forces.splice(0).filter((force) => force > 100).length;
  expect(hits()).toBe(1);
  // At 60 Hz the force of this touch would have been a hit's.
  const shot = present(next.physics.rigidBodyOf(id));
  shot.setTranslation({ x: 40, y: 0.4, z: 0 }, true);
  shot.setLinvel({ x: 0, y: -2.5, z: 0 }, true);
  for (let tick = 0; tick < 20; tick++) next.step(1 / 200);
  expect(hits()).toBe(0);
  scene.close();
});

test('marbles are counted at both gates, each once a pass, also after a restore', () => {
  const { listener, scene, play } = startScene('marbles', 40);
  const sensors = scene.stage.describe().statics.flatMap(({ sensor }) => sensor ?? []);
  expect(sensors).toEqual([1, 2]);
  const countsOf = (sensor: number): number[] =>
    (listener.scores as { sensor: number; count: number }[])
      .filter((score) => score.sensor === sensor)
      .map(({ count }) => count);
  play(3);
  for (const sensor of sensors) {
    const entered = listener.entered.filter((one) => one === sensor).length;
    expect(countsOf(sensor)).toEqual(Array.from({ length: entered }, (_, index) => index + 1));
  }
  const saved = scene.save();
  listener.scores.length = 0;
  play(2);
  const expected = listener.scores.splice(0);
  expect(expected.length).toBeGreaterThan(1);
  scene.restore(saved);
  listener.run += 1;
  play(2);
  expect(listener.scores).toEqual(expected);
  scene.close();
});
